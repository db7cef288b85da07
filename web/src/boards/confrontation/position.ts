/** What follows from a view for whoever draws it; nothing that is not in it. */
import type { Board, Pieces, Piece } from "$gen/bree/confrontation/v1/board_pb";
import { Stage } from "$gen/bree/confrontation/v1/board_pb";
import { CHARACTERS, REGIONS, SIDES, START, otherSide, sideNamed, type SideName } from "./facts";

export interface Standing {
    /** Stays the same while the piece moves, as long as the viewer can tell which it is. */
    key: string;
    side: SideName;
    region: string;
    /** Absent on a piece of which only the back is seen. */
    character?: string;
    /** Both sides see it. */
    shown: boolean;
    ring: boolean;
}

export interface Heap {
    /** Characters that stand here for certain, by all that has been seen, among the backs. */
    certain: readonly string[];
    /** All that may be behind the backs. */
    perhaps: readonly string[];
}

export const ownSide = (view: Board): SideName | undefined => sideNamed(view.side);

/** The side whose home is at the bottom. */
export const lowerSide = (view: Board): SideName => ownSide(view) ?? "good";

export const homeOf = (side: SideName): string => (side === "good" ? "shire" : "mordor");

/** The pieces of each region, Good's before Dark's; while they are placed, as the viewer plans. */
export function standing(view: Board): ReadonlyMap<string, readonly Standing[]> {
    const planned = plannedBy(view);
    return new Map(
        view.regions.map((region) => {
            const all = SIDES.flatMap((side) => {
                const pieces = planned.get(side)?.get(region.region) ?? region[side];
                return pieces ? piecesOf(view, region.region, side, pieces) : [];
            });
            return [region.region, all];
        }),
    );
}

type Few = Pick<Pieces, "count"> & { pieces: Pick<Piece, "character" | "shown">[] };

function piecesOf(view: Board, region: string, side: SideName, pieces: Few): Standing[] {
    const known = pieces.pieces.map(({ character, shown }) => ({
        key: character,
        side,
        region,
        character,
        shown,
        ring: view.ringBearer === character,
    }));
    const backs = Array.from({ length: pieces.count - known.length }, (_, n) => ({
        key: `${side}:${region}:${n}`,
        side,
        region,
        shown: false,
        ring: false,
    }));
    return [...known, ...backs];
}

/** Who stands where by the viewer's own choices, while the pieces are placed. */
function plannedBy(view: Board): Map<SideName, Map<string, Few>> {
    const side = ownSide(view);
    if (!side || view.setup?.stage !== Stage.PLACE) return new Map();
    const places = new Map(view.setup.yours.map((text) => text.split(" ") as [string, string]));
    const plan = new Map<string, Few>();
    const others = waiting(view);
    for (const character of view.rosters?.[side]?.names ?? []) {
        if (others.includes(character)) continue;
        const region = places.get(character) ?? homeOf(side);
        const few = plan.get(region) ?? { count: 0, pieces: [] };
        few.count += 1;
        few.pieces.push({ character, shown: false });
        plan.set(region, few);
    }
    return new Map([[side, plan]]);
}

/** Whom the viewer may still place; those who are left at the end stay at home. */
export function waiting(view: Board): string[] {
    const side = ownSide(view);
    if (!side || view.setup?.stage !== Stage.PLACE) return [];
    if (view.setup.yours.length >= START[side].length) return [];
    const placed = new Set(view.setup.yours.map((text) => text.split(" ")[0]));
    return (view.rosters?.[side]?.names ?? []).filter((name) => !placed.has(name));
}

/** What may be behind the backs of a side in each region, if the view says what follows. */
export function heaps(view: Board): ReadonlyMap<string, Heap> {
    const side = ownSide(view);
    const found = new Map<string, Heap>();
    if (!side || !view.inference) return found;
    const enemy = otherSide(side);
    for (const region of view.regions) {
        const pieces = region[enemy];
        if (!pieces || pieces.count === pieces.pieces.length) continue;
        const seen = new Set(pieces.pieces.map((piece) => piece.character));
        const here = view.inference.couldBe.filter(
            (one) => one.regions.includes(region.region) && !seen.has(one.character),
        );
        found.set(region.region, {
            certain: here.filter((one) => one.regions.length === 1).map((one) => one.character),
            perhaps: here.map((one) => one.character),
        });
    }
    return found;
}

/** The regions in which not the same is seen as before. */
export function changedRegions(before: Board | undefined, view: Board): ReadonlySet<string> {
    if (!before || before.game !== view.game || before.setup || before.side !== view.side)
        return new Set();
    const was = seenIn(before);
    return new Set(
        [...seenIn(view)].filter(([id, told]) => was.get(id) !== told).map(([id]) => id),
    );
}

function seenIn(view: Board): Map<string, string> {
    const told = (pieces: Pieces | undefined): string =>
        `${pieces?.count ?? 0} ${(pieces?.pieces ?? []).map((p) => `${p.character}${p.shown}`).join(" ")}`;
    return new Map(view.regions.map((r) => [r.region, `${told(r.good)}|${told(r.dark)}`]));
}

/** A list of names as people write it. */
export function listed(names: readonly string[]): string {
    if (names.length < 2) return names[0] ?? "nobody";
    return `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

/** A name without its article that no other face has. */
export function shortName(id: string): string {
    const character = CHARACTERS.get(id);
    return character ? character.short + (character.isOther ? " (variant)" : "") : id;
}

export const regionName = (id: string): string => REGIONS.get(id)?.name ?? id;
