/** What stands on the map, region by region: armies of each seat, those under siege, the Fellowship. */
import type { Army, NationFigures } from "$gen/bree/warofthering/v1/board_pb";
import type { Zoom } from "../../parts/map/camera";
import { between, type Box, type Disc, type Point, spansAt } from "../../parts/map/geometry";
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
    seatsOf,
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
    /** Whether it is of the second seat of its side: such an army has a bar. */
    isSecond: boolean;
    units: number;
    /** Leaders, Nazgûl and characters together. */
    others: number;
    /** What stands for them where there are no units. */
    icon: string;
    rows: readonly Row[];
    label: string;
}

export function tokensOf(view: Board): Token[] {
    return view.armies.flatMap((army) =>
        partsOf(view, army).map((part) => tokenOf(view, army, part)),
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

function tokenOf(view: Board, army: Army, part: Part): Token {
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
        isSecond: seatsOf(view, sideName(side)).indexOf(seat) > 0,
        units,
        others: leaders + nazgul + characters.length,
        icon: nazgul ? "nazgul" : first ? iconOf(first) : "leader",
        rows,
        label: `${garrison ? `Besieged in the Stronghold of ${regionName(region)}, army` : `Army`}${whose}: ${figureWords({ nations, nazgul, characters }).join(", ")}`,
    };
}

/** The nearest at which figures are drawn kind by kind, in pixels of a place's radius. */
export const CLOSE = 18;
const LEAST = 8.6;
/** How far apart those are that share a place, in their radii. */
const APART = 2;
/** How wide and high a plate is at most, in radii of its place. */
const PLATE = 3.3;

/** Where something stands, and how wide it may be drawn. */
export interface Spot extends Disc {
    room: number;
}

/** Where so many things stand in a region at a zoom: each in a place of its own, or side by side. */
function spotsIn(id: string, count: number, zoom: Zoom): Spot[] {
    const region = SHAPES.regions.get(id);
    if (!region) return [];
    const [first] = region.places;
    // All figures of a region are drawn from equally near.
    const r = Math.max(first?.r ?? 0, zoom.px(LEAST));
    const free = freePlaces(region, names(zoom).get(id), zoom);
    const places = free.length ? free : [first ?? { ...region.label, r }];
    const own = places.slice(0, count);
    const name = names(zoom).get(id)?.box;
    return own.flatMap((place, at) => {
        const sharing = Math.ceil((count - at) / own.length);
        return sharing === 1
            ? [{ x: place.x, y: place.y, r, room: PLATE * r }]
            : inRow(place, sharing, r, region.ring, name);
    });
}

/** Side by side about a place: within the border, and beside the name, as far as there is room. */
function inRow(
    { x, y }: Disc,
    count: number,
    r: number,
    ring: readonly Point[],
    name: Box | undefined,
): Spot[] {
    const [left, right] = spansAt(ring, y).find(([from, to]) => from <= x && x <= to) ?? [x, x];
    const each = Math.min(APART * r, Math.max(0, right - left - r) / (count - 1));
    const half = (each * (count - 1)) / 2;
    const isLevel = name && name.y < y + r && y - r < name.y + name.height;
    const hidden = (middle: number): number =>
        isLevel
            ? Math.min(middle + half + r, name.x + name.width) - Math.max(middle - half - r, name.x)
            : 0;
    const [middle = x] = [x, x - half, x + half]
        .map((wanted) => between(left + half + r / 2, wanted, right - half - r / 2))
        .sort((a, b) => Math.max(0, hidden(a)) - Math.max(0, hidden(b)));
    return Array.from({ length: count }, (_, n) => ({
        x: middle - half + n * each,
        y,
        r,
        room: Math.max(each, r),
    }));
}

/** Where an army under siege stands: at its Stronghold. */
function garrisonSpot(id: string, zoom: Zoom): Spot | undefined {
    const region = SHAPES.regions.get(id);
    if (!region?.site) return undefined;
    const { x, y, r } = siteAt(region.site, zoom);
    const size = Math.max(r, region.places[0]?.r ?? 0, zoom.px(LEAST));
    return { x, y: y + r, r: size, room: PLATE * size };
}

export const FELLOWSHIP = "fellowship";

/** Where everything stands at a zoom, by its key. The Fellowship comes last in its region. */
export function standing(
    tokens: readonly Token[],
    fellowship: string | undefined,
    zoom: Zoom,
): Record<string, Spot> {
    const found: Record<string, Spot> = {};
    const regions = new Map<string, string[]>();
    for (const { key, region, isGarrison } of tokens) {
        const spot = isGarrison ? garrisonSpot(region, zoom) : undefined;
        if (spot) found[key] = spot;
        else regions.set(region, [...(regions.get(region) ?? []), key]);
    }
    if (fellowship !== undefined)
        regions.set(fellowship, [...(regions.get(fellowship) ?? []), FELLOWSHIP]);
    for (const [region, keys] of regions) {
        const spots = spotsIn(region, keys.length, zoom);
        keys.forEach((key, at) => {
            const spot = spots[at];
            if (spot) found[key] = spot;
        });
    }
    return found;
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
export const scaleOf = ({ width, height }: Sketch, { r, room }: Spot, zoom: Zoom): number =>
    Math.min(room / width, (PLATE * r) / height, zoom.px(1.05));

/** How far a plate is moved from its spot, so that it hides as little as may be of a settlement and a name. */
export function shiftOf(
    { width, height }: Sketch,
    scale: number,
    id: string,
    { x, y, r }: Spot,
    zoom: Zoom,
): Point {
    const [halfWidth, halfHeight] = [(width * scale) / 2, (height * scale) / 2];
    const site = SHAPES.regions.get(id)?.site;
    const at = site && siteAt(site, zoom);
    const name = names(zoom).get(id)?.box;
    const blocks = [
        ...(at ? [{ x: at.x - at.r, y: at.y - at.r, width: 2 * at.r, height: 2 * at.r }] : []),
        ...(name ? [name] : []),
    ];
    let [dx, dy] = [0, 0];
    for (const box of blocks) {
        const [middle, centre] = [box.x + box.width / 2, box.y + box.height / 2];
        const across = halfWidth + box.width / 2 - Math.abs(x + dx - middle);
        const down = halfHeight + box.height / 2 - Math.abs(y + dy - centre);
        if (across <= 0 || down <= 0) continue;
        if (across < down) dx += Math.sign(x + dx - middle) * across;
        else dy += Math.sign(y + dy - centre) * down;
    }
    const most = ASIDE * r;
    return [between(-most, dx, most), between(-most, dy, most)];
}
const ASIDE = 0.9;
