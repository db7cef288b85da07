/** Regions: who holds how much of each, and what he lacks for its bonus. */
import type { Explained } from "../../parts/touching";
import { type Board, capital, listed, many } from "./facts";
import { armyName } from "./owners";

export interface Share {
    /** A seat, "neutral", or "" for what nobody holds. */
    seat: string;
    count: number;
    lacks: readonly string[];
}

export interface RegionRow {
    id: string;
    name: string;
    bonus: number;
    size: number;

    /** Who holds all of it, if anybody does. */
    holder: string | undefined;

    /** The largest first. */
    shares: readonly Share[];

    /** Whose lack is told in a few words, and what it is. */
    lacking: string;
    about: Explained;
}

/** So many names of territories are told beside a region. */
const FEW = 3;

export function regionRows(view: Board): RegionRow[] {
    const lands = view.map?.territories ?? [];
    return (view.map?.regions ?? []).map((region) => {
        const inside = region.territories.map((at) => ({
            name: lands[at]?.name ?? "",
            holder: view.territories[at]?.holder ?? "",
        }));
        const seats = new Set([
            ...view.players.map(({ seat }) => seat),
            ...inside.map(({ holder }) => holder),
        ]);
        const shares = [...seats]
            .map((seat) => ({
                seat,
                count: inside.filter(({ holder }) => holder === seat).length,
                lacks: inside.filter(({ holder }) => holder !== seat).map(({ name }) => name),
            }))
            .filter(({ count }) => count > 0)
            .sort((a, b) => b.count - a.count);
        const size = inside.length;
        const holder = shares[0]?.count === size ? shares[0].seat || undefined : undefined;
        const row = { id: region.region, name: region.name, bonus: region.bonus, size, shares };
        return { ...row, holder, lacking: lackingOf(view, row), about: aboutRegion(row) };
    });
}

type Row = Pick<RegionRow, "name" | "bonus" | "size" | "shares">;

/** What the viewer lacks, or else whoever is nearest to the bonus. */
function lackingOf(view: Board, { shares, size }: Row): string {
    const armies = shares.filter(({ seat }) => seat !== "" && seat !== "neutral");
    const first = armies.find(({ count }) => count === size);
    if (first)
        return first.seat === view.seat
            ? "You hold it all"
            : `${armyName(first.seat)} holds it all`;
    const own = armies.find(({ seat }) => seat === view.seat && seat !== "");
    const who = own && own.lacks.length <= FEW ? own : armies[0];
    if (!who) return "";
    const name = who.seat === view.seat ? "You lack" : `${armyName(who.seat)} lacks`;
    if (who.lacks.length > FEW) return `${name} ${who.lacks.length} of ${size}`;
    return `${name} ${listed(who.lacks)}`;
}

function aboutRegion({ name, bonus, size, shares }: Row): Explained {
    return {
        title: `${name}: ${size} territories`,
        lines: [
            `All of it brings ${many(bonus, "battalion")} each turn and ${many(bonus, "point")} at the end.`,
            ...shares.map(({ seat, count, lacks }) => {
                if (seat === "") return `Nobody holds ${count}.`;
                const who = capital(armyName(seat));
                if (!lacks.length) return `${who} holds all.`;
                return `${who} holds ${count}${seat === "neutral" ? "" : `, lacks ${listed(lacks)}`}.`;
            }),
        ],
    };
}
