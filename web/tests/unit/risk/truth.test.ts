/** What is drawn, read back from the drawing, is the position: each figure, marker, card and number once and
 *  where it belongs. No words are read but numbers and titles of cards. */
import { expect, test } from "vitest";
import { Place } from "$gen/bree/risk/v1/board_pb";
import { titleOf } from "../../../src/boards/risk/facts";
import { BRIDGES, PATH, SHAPES } from "../../../src/boards/risk/ground";
import { setsIn } from "../../../src/boards/risk/hand";
import { inside } from "../board/inside";
import { all, classesOf, type Node, placeOf, texts, treeOf } from "../board/tree";
import { drawn, POSITIONS } from "./recorded";

const SECONDS = 240_000;

/** Every third of them, of all games and all eyes. */
const SOME = POSITIONS.filter((_, at) => at % 3 === 0).map((position) => {
    const { view, told } = position;
    return { ...position, tree: treeOf(drawn(view, { told })) };
});

/** All territories in which a point is: one. */
const landAt = (x: number, y: number): string => {
    const found = [...SHAPES.regions.values()].filter(({ ring }) => inside([x, y], ring));
    return found.map(({ id }) => id).join("+");
};

const army = (node: Node): string =>
    classesOf(node)
        .find((name) => name.startsWith("o-"))
        ?.slice(2) ?? "";

function landsOf(nodes: readonly Node[]): string[] {
    return nodes.map((node) => landAt(...placeOf(node))).sort();
}

test(
    "the map has every army, Leader, place, storm, plan and the Ring where the view has them",
    () => {
        expect(SOME.length).toBeGreaterThan(100);
        for (const { name, view, tree } of SOME) {
            const figures = all(tree, "figures");
            const idOf = (at: number): string => view.map?.territories[at]?.territory ?? "";
            const names = (wanted: (typeof view.territories)[number][]): string[] =>
                wanted.map(({ territory }) => idOf(territory)).sort();
            const { territories } = view;

            expect(figures, name).toHaveLength(1);
            const armies = figures.flatMap((node) => all(node, "owner"));
            expect(
                armies
                    .map((node) => [landAt(...placeOf(node)), army(node), texts(node).join()])
                    .sort(),
                name,
            ).toEqual(
                territories
                    .filter(({ holder }) => holder !== undefined)
                    .map((one) => [idOf(one.territory), one.holder, String(one.battalions)])
                    .sort(),
            );
            const figure = (look: string): string[] =>
                all(tree, "figure")
                    .filter((node) => all(node, look).length)
                    .map((node) => node.attributes["data-land"] ?? "")
                    .sort();
            expect(figure("leader"), name).toEqual(names(territories.filter((one) => one.leader)));
            expect(figure("rested"), name).toEqual(names(territories.filter((one) => one.rested)));
            expect(figure("storm"), name).toEqual(
                view.effects.flatMap((effect) => effect.territories).sort(),
            );
            expect(
                all(tree, "planned")
                    .map((node) => texts(node).join())
                    .sort(),
                name,
            ).toEqual(view.planned.map(({ battalions }) => `+${battalions}`).sort());
            expect(figure("planned"), name).toEqual(
                view.planned.map(({ territory }) => territory).sort(),
            );

            const [ring, ...more] = all(tree, "ring-bearer");
            const step = PATH[view.ring - 1];
            expect(more).toEqual([]);
            expect(ring && placeOf(ring), name).toEqual([step?.x, step?.y]);

            const symbols = (look: string): string[] => landsOf(all(tree, "site", look));
            const counted = (place: Place): string[] =>
                names(territories.filter((one) => one.place === place));
            expect(symbols("stronghold"), name).toEqual(counted(Place.STRONGHOLD));
            expect(symbols("site_of_power"), name).toEqual(counted(Place.SITE_OF_POWER));
        }
    },
    SECONDS,
);

test(
    "land is painted by its holder, and bridges are crossed out that are blocked",
    () => {
        for (const { name, view, tree } of SOME) {
            const painted = all(tree, "paint").map((node) => {
                const [, x = "", y = ""] =
                    /M(-?[\d.]+)[ ,](-?[\d.]+)/.exec(node.attributes["d"] ?? "") ?? [];
                return `${landAt(Number(x), Number(y))} ${army(node)}`;
            });
            const held = view.territories
                .filter(({ holder }) => holder !== undefined)
                .map(
                    ({ territory, holder }) =>
                        `${view.map?.territories[territory]?.territory ?? ""} ${holder ?? ""}`,
                );
            expect(painted.sort(), name).toEqual(held.sort());

            const crossed = all(tree, "bridge")
                .filter((node) => all(node, "blocked").length)
                .map((node) => placeOf(node));
            const closed = new Set(view.effects.map(({ bridge }) => bridge));
            const blocked = BRIDGES.filter(({ id }) => closed.has(id)).map(({ x, y }) => [x, y]);
            expect(crossed.sort(), name).toEqual(blocked.sort());
        }
    },
    SECONDS,
);

test(
    "each player's numbers and each region's shares are those of the view",
    () => {
        for (const { name, view, tree } of SOME) {
            const rows = all(tree, "player").map((node) => {
                const numbers = texts(node).filter((text) => /^\d+( (points|T|A|×2))?$/.test(text));
                return [army(all(node, "owner")[0] ?? node), ...numbers];
            });
            const wanted = view.players.map((player) => {
                const {
                    total = 0,
                    territories = 0,
                    strongholds = 0,
                    regions = 0,
                    cards = 0,
                } = player.points ?? {};
                const leaders = view.territories.filter(
                    (one) => one.leader && one.holder === player.seat,
                ).length;
                return [
                    player.seat,
                    `${total} points`,
                    String(territories),
                    strongholds ? `${strongholds} ×2` : "0",
                    String(regions),
                    String(cards),
                    String(player.battalions),
                    String(leaders),
                    `${player.territoryCards?.count ?? 0} T`,
                    `${player.adventureCards?.count ?? 0} A`,
                ];
            });
            expect(rows, name).toEqual(wanted);

            const shares = all(tree, "region").map((node) => all(node, "owner").map(army).sort());
            const regions = view.map?.regions.map(({ territories }) =>
                territories.map((at) => view.territories[at]?.holder ?? "nobody").sort(),
            );
            expect(shares, name).toEqual(regions);
        }
    },
    SECONDS,
);

test(
    "the way of the Ring has its die spaces, what is passed and where it is",
    () => {
        for (const { name, view, tree } of SOME) {
            const [path] = all(tree, "panel", "path");
            const steps = path ? all(path, "item") : [];
            const states = steps.map((node) =>
                ["passed", "here", "ahead"].find((state) => classesOf(node).includes(state)),
            );
            const wanted = view.map?.path.map((_, at) =>
                at + 1 < view.ring ? "passed" : at + 1 === view.ring ? "here" : "ahead",
            );
            expect(states, name).toEqual(wanted);
            const square = steps.map((node) => Number(all(node, "stage")[0]?.attributes["rx"]) < 6);
            expect(square, name).toEqual(view.map?.path.map(({ die }) => die));
        }
    },
    SECONDS,
);

test(
    "the Ring's last roll lies beside its way",
    () => {
        let rolled = 0;
        for (const { name, told, tree } of SOME) {
            const rolls = told.filter(({ kind }) => /^(fellowship|doom)_rolled$/.test(kind));
            const dice = all(tree, "panel", "path").flatMap((panel) => all(panel, "die"));
            const faces = dice.map((node) => Number(node.attributes["data-face"]));
            expect(faces, name).toEqual(rolls.slice(-1).map(({ facts }) => facts?.["die"]));
            rolled += faces.length;
        }
        expect(rolled).toBeGreaterThan(5);
    },
    SECONDS,
);

test(
    "an invasion and a move point at where they go",
    () => {
        const aims = { invasion: 0, march: 0 };
        for (const { name, view, tree } of SOME)
            for (const look of ["invasion", "march"] as const) {
                const to = view[look]?.to;
                const aimed = all(tree, "aim", look).map(({ attributes }) =>
                    landAt(Number(attributes["cx"]), Number(attributes["cy"])),
                );
                expect(aimed, name).toEqual(to === undefined ? [] : [to]);
                expect(all(tree, "arrow", look), name).toHaveLength(aimed.length);
                aims[look] += aimed.length;
            }
        expect(aims.invasion).toBeGreaterThan(20);
        expect(aims.march).toBeGreaterThan(1);
    },
    SECONDS,
);

test(
    "the hand has each card of the viewer's own once, and nobody else's",
    () => {
        for (const { name, view, tree } of SOME) {
            const [hand] = all(tree, "panel", "hand");
            const own = view.players.find(({ seat }) => seat === view.seat);
            const held = [own?.territoryCards, own?.adventureCards, own?.secrets];
            expect(hand !== undefined, name).toBe(held.some((cards) => cards?.count));
            if (!hand || !own) continue;
            const labels = (look: string): string[] =>
                all(hand, "item", look).map(
                    (node) => all(node, "thing")[0]?.attributes["aria-label"] ?? "",
                );
            expect(labels("card"), name).toHaveLength(own.territoryCards?.count ?? 0);
            const worth = labels("set").map((label) =>
                Number(/for (\d+) battalions/.exec(label)?.[1]),
            );
            const sets = setsIn(own.territoryCards?.known ?? []);
            expect(worth, name).toEqual(sets.map(({ value }) => value));
            const titles = labels("adventure").map((label) =>
                label.replace(/, (mission|power card):.*/, ""),
            );
            const known = own.adventureCards?.known ?? [];
            expect(titles.sort(), name).toEqual(known.map(escapedTitle).sort());
        }
    },
    SECONDS,
);

const escapedTitle = (card: string): string => titleOf(card).replaceAll("&", "&amp;");

test(
    "the dice are those that fell last",
    () => {
        let fallen = 0;
        for (const { name, view, told, tree } of SOME) {
            const last = told.findLast(({ kind }) => kind === "battle_fought");
            const dice = all(tree, "panel", "battle").flatMap((panel) => all(panel, "die"));
            const faces = dice.map((node) => Number(node.attributes["data-face"]));
            const falling = (fact: unknown): number[] =>
                (fact as number[]).toSorted((a, b) => b - a);
            const isAnnounced =
                view.invasion && view.invasion.dice > 0 && view.invasion.to !== last?.facts?.["to"];
            if (!last?.facts || isAnnounced) {
                expect(faces, name).toEqual([]);
                continue;
            }
            fallen += 1;
            const { attack, defence, lost } = last.facts;
            expect(faces, name).toEqual([...falling(attack), ...falling(defence)]);
            const crossed = dice.map((node) => classesOf(node).includes("lost"));
            const count = (attack as number[]).length;
            expect(
                [crossed.slice(0, count), crossed.slice(count)].map(
                    (side) => side.filter(Boolean).length,
                ),
                name,
            ).toEqual(lost);
        }
        expect(fallen).toBeGreaterThan(40);
    },
    SECONDS,
);
