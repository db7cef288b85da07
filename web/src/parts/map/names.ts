/** Which names are shown on a map at a scale, how high, in which lines and where.
 *
 * Design. A name stands within its own area, never over another name, never over a settlement's symbol, and
 * never over a place of pieces that is said to be free. So nothing lies upon anything, whatever stands on the map.
 * Letters are at least 11 pixels high; a name that finds no room so is left out until one comes closer. Areas
 * come in the order of their importance; of each the way is taken that leaves most places free, then the
 * highest letters, then the fewest lines, then the place that is nearest to the one in the data.
 */
import type { Zoom } from "./camera";
import {
    between,
    type Box,
    common,
    type Disc,
    meet,
    overlaps,
    type Span,
    spansAt,
} from "./geometry";
import type { Area } from "./shapes";

export interface Named {
    id: string;
    lines: readonly string[];
    /** The height of its letters, in the map's units. */
    size: number;
    /** The middle of its box. */
    x: number;
    y: number;
    box: Box;
    /** How many of the places of its area it leaves free: so many of the first. */
    free: number;
}

/** In pixels on the screen. */
export const SMALLEST = 11;
const LARGEST = 17;
/** So far a name may reach over a border. */
const SLACK = 3;
/** What is drawn of pieces and symbols at the least, however far away one is. */
export const LEAST_PLACE = 8;
export const LEAST_SITE = 5;

/** The distance of lines of text, and of the rows in which room is looked for. */
export const LEADING = 1.12;
const ROW = 4;

/** In hundredths of the height of letters, as wide as those of the widest face that may be used. */
const BY_WIDTH: readonly (readonly [number, string])[] = [
    [34, " il’'.,íj-"],
    [40, "IJtf"],
    [51, "rs"],
    [56, "cvxyz"],
    [61, "aoeêéëóáâôk"],
    [66, "bdghnpquúûLYPT"],
    [73, "FSZXAVBEÉ"],
    [84, "KRCDGOQU"],
    [88, "wHN"],
    [103, "mMW"],
];
const WIDTHS = new Map(
    BY_WIDTH.flatMap(([width, all]) => Array.from(all, (one) => [one, width] as const)),
);
const UNKNOWN = 75;

export function widthOf(text: string): number {
    let sum = 0;
    for (const letter of text) sum += WIDTHS.get(letter) ?? UNKNOWN;
    return sum / 100;
}

interface Broken {
    lines: readonly string[];
    /** For letters that are 1 high. */
    width: number;
    height: number;
}

const MOST_LINES = 3;

/** A name in one line, in two, in three: of each the way that is narrowest. */
export function breaks(name: string): Broken[] {
    const found: Broken[] = [];
    for (const lines of waysOf(name.split(" "))) {
        const width = Math.max(...lines.map(widthOf));
        const way = { lines, width, height: lines.length * LEADING };
        const there = found[lines.length - 1];
        if (!there || width < there.width) found[lines.length - 1] = way;
    }
    return found.slice(0, MOST_LINES);
}

function waysOf(words: readonly string[]): string[][] {
    const [first, ...rest] = words;
    if (first === undefined) return [];
    if (rest.length === 0) return [[first]];
    return waysOf(rest).flatMap(([line = "", ...more]) => [
        [`${first} ${line}`, ...more],
        [first, line, ...more],
    ]);
}

/** Rows of an area, each with its parts within. */
class Room {
    readonly #rows: Span[][] = [];
    readonly #top: number;

    constructor(readonly area: Area) {
        const { y, height } = area.box;
        this.#top = y;
        for (let row = 0; row * ROW <= height; row++)
            this.#rows.push(spansAt(area.ring, y + row * ROW + 0.5));
    }

    /** Between which points the middle of a box may lie that is here from top to bottom. */
    spans(top: number, bottom: number, width: number, slack: number): Span[] {
        const first = Math.floor((top + slack - this.#top) / ROW);
        const last = Math.ceil((bottom - slack - this.#top) / ROW);
        if (first < 0 || last >= this.#rows.length || first > last) return [];
        let spans = this.#rows[first] ?? [];
        for (let row = first + 1; row <= last && spans.length; row++)
            spans = common(spans, this.#rows[row] ?? []);
        return spans
            .map(([from, to]) => [from - slack + width / 2, to + slack - width / 2] as const)
            .filter(([from, to]) => from <= to);
    }
}

/** A symbol's and a place's disc as they are drawn at this zoom. */
export const siteAt = (site: Disc, zoom: Zoom): Disc => ({
    ...site,
    r: Math.max(site.r, zoom.px(LEAST_SITE)),
});

/** Only the first place of an area grows when one goes far away: there is no room for more. */
export const placeAt = (place: Disc, n: number, zoom: Zoom): Disc =>
    n === 0 ? { ...place, r: Math.max(place.r, zoom.px(LEAST_PLACE)) } : place;

const discsOf = (area: Area, zoom: Zoom): Disc[] => [
    ...(area.site ? [siteAt(area.site, zoom)] : []),
    ...area.places.map((place, n) => placeAt(place, n, zoom)),
];

interface Found {
    x: number;
    y: number;
    box: Box;
}

/** What a name may not lie upon. */
interface Taken {
    discs: readonly Disc[];
    boxes: readonly Box[];
}

const isFree = (box: Box, { discs, boxes }: Taken): boolean =>
    !discs.some((disc) => overlaps(disc, box)) && !boxes.some((other) => meet(other, box));

/** The free place for a box that is nearest to where the data would have it. */
function nearest(
    room: Room,
    size: readonly [number, number],
    taken: Taken,
    slack: number,
): Found | undefined {
    const { label, box } = room.area;
    const [width, height] = size;
    if (width > box.width + 2 * slack || height > box.height + 2 * slack) return undefined;
    let best: Found | undefined;
    let far = Infinity;
    for (let step = 0; step * ROW <= box.height && step * ROW < far; step++) {
        for (const y of step ? [label.y - step * ROW, label.y + step * ROW] : [label.y]) {
            const top = y - height / 2;
            for (const [from, to] of room.spans(top, top + height, width, slack)) {
                for (const x of tried(label.x, [from, to], top, size, taken.discs)) {
                    const away = Math.hypot(x - label.x, y - label.y);
                    if (away >= far) break;
                    const found = { x: x - width / 2, y: top, width, height };
                    if (!isFree(found, taken)) continue;
                    best = { x, y, box: found };
                    far = away;
                    break;
                }
            }
        }
    }
    return best;
}

/** Where the middle of a box may stand in a row: at the wanted place, or just beside a disc. */
function tried(
    wanted: number,
    [from, to]: Span,
    top: number,
    [width, height]: readonly [number, number],
    discs: readonly Disc[],
): number[] {
    const all = [between(from, wanted, to)];
    for (const { x, y, r } of discs) {
        if (y + r <= top || y - r >= top + height) continue;
        for (const beside of [x - r - width / 2, x + r + width / 2])
            if (beside >= from && beside <= to) all.push(beside);
    }
    return all.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
}

/** How high letters may be in pixels, the best first. */
function sizesOf(label: { size: number }, zoom: Zoom): number[] {
    const ideal = between(SMALLEST, label.size * zoom.level, LARGEST);
    return [...new Set([ideal, Math.min(ideal, 13), SMALLEST])];
}

/** How many of the first places may be kept free, the best first: all, then fewer. */
const keeps = (places: number): number[] =>
    [...new Set([places, 3, 2, 1])].filter((n) => n <= places && (n > 0 || places === 0));

function named(room: Room, zoom: Zoom, around: Taken): Named | undefined {
    const { area } = room;
    const own = discsOf(area, zoom);
    const sites = own.length - area.places.length;
    for (const free of keeps(area.places.length)) {
        const taken = {
            discs: [...own.slice(0, sites + free), ...around.discs],
            boxes: around.boxes,
        };
        for (const pixels of sizesOf(area.label, zoom)) {
            const size = zoom.px(pixels);
            for (const { lines, width, height } of breaks(area.name)) {
                const box = [width * size, height * size] as const;
                const found = nearest(room, box, taken, zoom.px(SLACK));
                if (found) return { id: area.id, lines, size, ...found, free };
            }
        }
    }
    return undefined;
}

const grown = ({ x, y, width, height }: Box, by: number): Box => ({
    x: x - by,
    y: y - by,
    width: width + 2 * by,
    height: height + 2 * by,
});

/** The names of areas at a zoom, the most important first; `blocks` is what else nothing may lie upon. */
export function namesOf(
    areas: readonly Area[],
    zoom: Zoom,
    blocks: readonly Disc[] = [],
): Map<string, Named> {
    return namesIn(
        areas.map((area) => new Room(area)),
        zoom,
        blocks,
    );
}

function namesIn(rooms: readonly Room[], zoom: Zoom, blocks: readonly Disc[]): Map<string, Named> {
    const chosen = new Map<string, Named>();
    const boxes: Box[] = [];
    const others = rooms.map(({ area }) => discsOf(area, zoom));
    for (const [n, room] of rooms.entries()) {
        const reach = grown(room.area.box, zoom.px(SLACK));
        const near = [...blocks, ...others.flatMap((discs, of) => (of === n ? [] : discs))];
        const name = named(room, zoom, { discs: near.filter((d) => overlaps(d, reach)), boxes });
        if (!name) continue;
        chosen.set(name.id, name);
        boxes.push(name.box);
    }
    return chosen;
}

/** The same, reckoned once for each zoom. */
export function namer(
    areas: readonly Area[],
    blocks: readonly Disc[] = [],
): (zoom: Zoom) => ReadonlyMap<string, Named> {
    let rooms: readonly Room[] | undefined;
    const known = new Map<number, ReadonlyMap<string, Named>>();
    return (zoom) => {
        const there = known.get(zoom.level);
        if (there) return there;
        rooms ??= areas.map((area) => new Room(area));
        const names = namesIn(rooms, zoom, blocks);
        known.set(zoom.level, names);
        return names;
    };
}

/** The places of an area that are free at a zoom, as they may be drawn there. */
export const freePlaces = (area: Area, name: Named | undefined, zoom: Zoom): Disc[] =>
    area.places.slice(0, name?.free ?? area.places.length).map((disc, n) => placeAt(disc, n, zoom));
