/** What stands on the map, region by region: armies of each seat, those under siege, the Fellowship. */
import type { Army, NationFigures } from "$gen/bree/warofthering/v1/board_pb";
import type { Zoom } from "../../parts/map/camera";
import type { Disc } from "../../parts/map/geometry";
import { freePlaces, siteAt } from "../../parts/map/names";
import {
    type Board,
    codeOf,
    countOf,
    figureWords,
    KINDS,
    lettersOf,
    regionName,
    seatOfNation,
    seatTitle,
    SIDE_TITLES,
    type SideName,
    sideName,
} from "./facts";
import { iconOf } from "./figures";
import { names, SHAPES } from "./ground";
import { widthOf } from "./letters";

/** One line of a token: a nation's figures, or those of none. */
export interface Row {
    key: string;
    code: string;
    parts: readonly { figure: string; icon: string; text: string }[];
}

/** The figures of one seat in one place; of all seats, where team-mates have joined their armies. */
export interface Token {
    key: string;
    region: string;
    side: SideName;
    isGarrison: boolean;
    /** Which of those that stand in the region. */
    slot: number;
    units: number;
    /** Leaders, Nazgûl and characters together. */
    others: number;
    /** What stands for them where there are no units. */
    icon: string;
    rows: readonly Row[];
    label: string;
}

export function tokensOf(view: Board): Token[] {
    const slots = new Map<string, number>();
    return view.armies.flatMap((army) =>
        partsOf(view, army).map((part) => {
            const slot = army.garrison ? 0 : (slots.get(army.region) ?? 0);
            if (!army.garrison) slots.set(army.region, slot + 1);
            return tokenOf(view, army, part, slot);
        }),
    );
}

interface Part {
    seat: string;
    nations: readonly NationFigures[];
    nazgul: number;
    characters: readonly string[];
}

/** Team-mates' armies in one region stand apart, until they are joined into one. */
function partsOf(view: Board, army: Army): Part[] {
    const { figures, commander, mixed } = army;
    const nations = figures?.nations ?? [];
    const seats = mixed
        ? [commander]
        : [...new Set(nations.map(({ nation }) => seatOfNation(view, nation)))];
    if (!seats.includes(commander)) seats.push(commander);
    const parts = seats.map((seat) => ({
        seat,
        nations: mixed
            ? nations
            : nations.filter(({ nation }) => seatOfNation(view, nation) === seat),
        nazgul: seat === commander ? (figures?.nazgul ?? 0) : 0,
        characters: seat === commander ? (figures?.characters ?? []) : [],
    }));
    return parts.filter(
        ({ nations, nazgul, characters }) => nations.length + nazgul + characters.length,
    );
}

function tokenOf(view: Board, army: Army, part: Part, slot: number): Token {
    const { region, garrison, side } = army;
    const { seat, nations, nazgul, characters } = part;
    const units = nations.reduce((sum, { regulars, elites }) => sum + regulars + elites, 0);
    const leaders = nations.reduce((sum, { leaders }) => sum + leaders, 0);
    const rows = nations.map((of): Row => ({
        key: of.nation,
        code: codeOf(of.nation),
        parts: KINDS.filter((kind) => countOf(of, kind)).map((kind) => ({
            figure: `${of.nation}_${kind}`,
            icon: kind,
            text: String(countOf(of, kind)),
        })),
    }));
    const people = [
        ...(nazgul ? [{ figure: "nazgul", icon: "nazgul", text: String(nazgul) }] : []),
        ...characters.map((who) => ({ figure: who, icon: iconOf(who), text: lettersOf(who) })),
    ];
    if (people.length) rows.push({ key: "people", code: "", parts: people });
    const first = characters[0];
    const whose =
        view.seats.length > 2 ? ` of ${seatTitle(seat)}` : ` of the ${SIDE_TITLES[sideName(side)]}`;
    return {
        key: `${region}${garrison ? ".garrison" : ""}.${sideName(side)}.${seat}`,
        region,
        side: sideName(side),
        isGarrison: garrison,
        slot,
        units,
        others: leaders + nazgul + characters.length,
        icon: nazgul ? "nazgul" : first ? iconOf(first) : "leader",
        rows,
        label: `${garrison ? `Besieged in the Stronghold of ${regionName(region)}, army` : `Army`}${whose}: ${figureWords({ nations, nazgul, characters }).join(", ")}`,
    };
}

/** The nearest at which figures are drawn kind by kind, in pixels of a place's radius. */
export const CLOSE = 18;
const LEAST = 9.5;

/** Where a token stands at a zoom. */
export function placeOf(
    token: { region: string; slot: number; isGarrison?: boolean },
    zoom: Zoom,
): Disc {
    const region = SHAPES.regions.get(token.region);
    if (!region) return { x: 0, y: 0, r: 0 };
    const least = zoom.px(LEAST);
    const [first] = region.places;
    if (token.isGarrison && region.site) {
        const site = siteAt(region.site, zoom);
        const r = Math.max(site.r, first?.r ?? 0, least);
        return { x: site.x, y: site.y + site.r, r };
    }
    const free = freePlaces(region, names(zoom).get(region.id), zoom);
    // Rather over a name than beyond the border.
    const place = free[token.slot] ?? region.places[token.slot] ?? free[0] ?? first;
    const { x, y } = place ?? region.label;
    // All figures of a region are drawn from equally near.
    return { x, y, r: Math.max(first?.r ?? 0, least) };
}

/** A token's lines, in units in which letters are 13 high. */
export interface Sketch {
    width: number;
    height: number;
    rows: readonly {
        key: string;
        code: string;
        y: number;
        parts: readonly { figure: string; icon: string; text: string; x: number }[];
    }[];
}

export const ROW = 17;
export const TINY = 12;
const PAD = 4;

/** In as many parts to a line as make it as nearly square as may be. */
export function sketched(token: Token): Sketch {
    const ways = [3, 2, 1].map((most) => sketchedBy(token, most));
    const size = ({ width, height }: Sketch): number => Math.max(width, height);
    return ways.reduce((best, way) => (size(way) < size(best) ? way : best));
}

function sketchedBy({ rows }: Token, most: number): Sketch {
    const placed: Sketch["rows"][number][] = [];
    let width = 0;
    for (const { key, code, parts } of rows) {
        const margin = PAD + (code ? widthOf(code, 12, true) + 3 : 0);
        for (let first = 0; first < parts.length; first += most) {
            let x = margin;
            const here = parts.slice(first, first + most).map((part) => {
                const left = x;
                x += TINY + 1 + widthOf(part.text, 12, true) + 3;
                return { ...part, x: left };
            });
            width = Math.max(width, x + PAD - 3);
            const y = placed.length * ROW + PAD;
            placed.push({ key: `${key}${first}`, code: first ? "" : code, y, parts: here });
        }
    }
    return { width, height: placed.length * ROW + 2 * PAD - 3, rows: placed };
}
export const CODE_X = PAD;

/** How large a sketch is drawn: within some room around its place, and never larger than text. */
export const scaleOf = ({ width, height }: Sketch, r: number, zoom: Zoom): number =>
    Math.min((3.3 * r) / width, (3.3 * r) / height, zoom.px(1.05));
