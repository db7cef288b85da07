/** The fields of views that number printed things, and what kind of thing: by its place in their list. */
export const numbering: ReadonlyMap<string, string> = new Map([
    ["bree.risk.v1.Territory.territory", "territory"],
    ["bree.risk.v1.Land.region", "region"],
    ["bree.risk.v1.Region.territories", "territory"],
    ["bree.risk.v1.Road.a", "territory"],
    ["bree.risk.v1.Road.b", "territory"],
    ["bree.risk.v1.Bridge.a", "territory"],
    ["bree.risk.v1.Bridge.b", "territory"],
    ["bree.risk.v1.Port.territory", "territory"],
    ["bree.risk.v1.SeaRoute.a", "territory"],
    ["bree.risk.v1.SeaRoute.b", "territory"],
    ["bree.risk.v1.Mountains.territories", "territory"],
    ["bree.risk.v1.Stage.territory", "territory"],
    ["bree.warofthering.v1.Region.borders", "region"],
    ["bree.warofthering.v1.Region.barriers", "region"],
]);
