/** Which names are shown on a map at a scale, how high, in which lines and where.
 *
 * Design. A name stands within its own area, never over another name, never over a settlement's symbol, and
 * never over a place of pieces that is said to be free. So nothing lies upon anything, whatever stands on the map.
 * Letters are at least 11 pixels high; a name that finds no room so is left out until one comes closer. Areas
 * come in the order of their importance; of each the way is taken that leaves most places free, then the
 * highest letters, then the fewest lines, then the place that is nearest to the one in the data.
 */
import type { Size, Zoom } from "./camera";
import {
    between,
    type Box,
    common,
    type Disc,
    isIn,
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
    /** The places of its area that it leaves free. */
    free: readonly Disc[];
}

/** In pixels on the screen. */
export const SMALLEST = 11;
const LARGEST = 17;
/** So far a name may reach over a border, and so far if it finds no room otherwise. */
const SLACK = { little: 3, much: 11 };
/** What names keep from the edge of the map. */
const EDGE = 2;
/** The radius with which a first place and a symbol are drawn at the least, however far away one is. */
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
    /** What several rows have in common, by the first and the last. */
    readonly #common = new Map<number, readonly Span[]>();
    readonly #top: number;

    constructor(readonly area: Area) {
        const { y, height } = area.box;
        this.#top = y;
        for (let row = 0; row * ROW <= height; row++)
            this.#rows.push(spansAt(area.ring, y + row * ROW + 0.5));
    }

    /** Between which points the middle of a box may lie that is here from top to bottom. */
    spans(top: number, bottom: number, width: number, slack: number): Span[] {
        // Upward and downward a name reaches less far: else lines would lie in two areas.
        const high = Math.min(slack, (bottom - top) / 4);
        const first = Math.floor((top + high - this.#top) / ROW);
        const last = Math.ceil((bottom - high - this.#top) / ROW);
        if (first < 0 || last >= this.#rows.length) return [];
        return this.#within(first, last)
            .map(([from, to]) => [from - slack + width / 2, to + slack - width / 2] as const)
            .filter(([from, to]) => from <= to);
    }

    #within(first: number, last: number): readonly Span[] {
        const key = first * this.#rows.length + last;
        const there = this.#common.get(key);
        if (there) return there;
        const own = this.#rows[last] ?? [];
        const spans = first === last ? own : common(this.#within(first, last - 1), own);
        this.#common.set(key, spans);
        return spans;
    }
}

/** A symbol's and a place's disc as they are drawn at this zoom. */
export const siteAt = (site: Disc, zoom: Zoom): Disc => ({
    ...site,
    r: Math.max(site.r, zoom.px(LEAST_SITE)),
});

/** Only the first place of an area grows when one goes far away: there is no room for more. */
const placesAt = ({ places }: Area, zoom: Zoom): Disc[] =>
    places.map((place, n) =>
        n === 0 ? { ...place, r: Math.max(place.r, zoom.px(LEAST_PLACE)) } : place,
    );

const discsOf = (area: Area, zoom: Zoom): Disc[] => [
    ...(area.site ? [siteAt(area.site, zoom)] : []),
    ...placesAt(area, zoom),
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
    /** And beyond this it may not be. */
    within: Box;
}

const isFree = (box: Box, { discs, boxes, within }: Taken): boolean =>
    isIn(box, within) &&
    !discs.some((disc) => overlaps(disc, box)) &&
    !boxes.some((other) => meet(other, box));

/** The free place for a box that is nearest to where the data would have it. */
function nearest(room: Room, size: Size, taken: Taken, slack: number): Found | undefined {
    const { label, box } = room.area;
    if (size.width > box.width + 2 * slack || size.height > box.height + 2 * slack)
        return undefined;
    let best: Found | undefined;
    let far = Infinity;
    for (let down = 0; down <= box.height && down < far; down += ROW) {
        for (const y of down ? [label.y - down, label.y + down] : [label.y]) {
            const found = nearestAt(room, y, size, taken, slack, far);
            if (!found) continue;
            best = found;
            far = Math.hypot(found.x - label.x, y - label.y);
        }
    }
    return best;
}

/** The same at one height, nearer than what was found before. */
function nearestAt(
    room: Room,
    y: number,
    { width, height }: Size,
    taken: Taken,
    slack: number,
    far: number,
): Found | undefined {
    const top = y - height / 2;
    const { label } = room.area;
    const spans = room.spans(top, top + height, width, slack);
    if (spans.length === 0) return undefined;
    const discs = taken.discs.filter(
        (disc) => disc.y + disc.r > top && disc.y - disc.r < top + height,
    );
    const beside = discs.flatMap(({ x, r }) => [x - r - width / 2, x + r + width / 2]);
    const wanted = spans
        .flatMap(([from, to]) => [
            between(from, label.x, to),
            ...beside.filter((x) => x >= from && x <= to),
        ])
        .filter((x) => Math.hypot(x - label.x, y - label.y) < far)
        .sort((a, b) => Math.abs(a - label.x) - Math.abs(b - label.x));
    for (const x of wanted) {
        const box = { x: x - width / 2, y: top, width, height };
        if (isFree(box, { ...taken, discs })) return { x, y, box };
    }
    return undefined;
}

/** How high letters may be in pixels, the best first. */
function sizesOf(label: { size: number }, zoom: Zoom): number[] {
    const ideal = between(SMALLEST, label.size * zoom.level, LARGEST);
    return [...new Set([ideal, Math.min(ideal, 13), SMALLEST])];
}

/** What is left of an area's places, and how far its name may reach over its border. */
interface Way {
    free: readonly Disc[];
    slack: number;
}

/** The best first: all places, then fewer, then as small as they may be, then a name that reaches far. */
function waysFor(places: readonly Disc[], zoom: Zoom): Way[] {
    const least = zoom.px(LEAST_PLACE);
    const slack = zoom.px(SLACK.little);
    const small = places.map((place) => ({ ...place, r: Math.min(place.r, least) }));
    const fewer = [...new Set([places.length, 3, 2, 1])].filter((n) => n <= places.length);
    return [
        ...fewer.map((n) => ({ free: places.slice(0, n), slack })),
        { free: small.slice(0, 2), slack },
        { free: small.slice(0, 1), slack },
        { free: small.slice(0, 1), slack: zoom.px(SLACK.much) },
    ];
}

function named(room: Room, zoom: Zoom, around: Taken): Named | undefined {
    const ways = waysFor(placesAt(room.area, zoom), zoom);
    const [last] = ways.slice(-1);
    // Where there is no room at the worst, there is none: that is soon found out.
    if (!last || !namedSo(room, zoom, around, last)) return undefined;
    for (const way of ways) {
        const name = namedSo(room, zoom, around, way);
        if (name) return name;
    }
    return undefined;
}

function namedSo(room: Room, zoom: Zoom, around: Taken, { free, slack }: Way): Named | undefined {
    const { area } = room;
    const sites = area.site ? [siteAt(area.site, zoom)] : [];
    const taken = { ...around, discs: [...sites, ...free, ...around.discs] };
    for (const pixels of sizesOf(area.label, zoom)) {
        const size = zoom.px(pixels);
        for (const { lines, width, height } of breaks(area.name)) {
            const found = nearest(
                room,
                { width: width * size, height: height * size },
                taken,
                slack,
            );
            if (found) return { id: area.id, lines, size, ...found, free };
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

export interface Naming {
    /** The most important first. */
    areas: readonly Area[];
    /** The map, beyond which nothing is seen. */
    map: Size;
    /** What else nothing may lie upon. */
    blocks?: readonly Disc[];
}

/** The names of areas at a zoom. */
export function namesOf(naming: Naming, zoom: Zoom): Map<string, Named> {
    return namesIn(roomsOf(naming), naming, zoom);
}

const roomsOf = ({ areas }: Naming): Room[] => areas.map((area) => new Room(area));

function namesIn(
    rooms: readonly Room[],
    { map, blocks = [] }: Naming,
    zoom: Zoom,
): Map<string, Named> {
    const chosen = new Map<string, Named>();
    const boxes: Box[] = [];
    const edge = zoom.px(EDGE);
    const within = grown({ x: 0, y: 0, ...sizeOf(map) }, -edge);
    const all = rooms.map(({ area }) => discsOf(area, zoom));
    for (const [n, room] of rooms.entries()) {
        const reach = grown(room.area.box, zoom.px(SLACK.much));
        const others = all.flatMap((discs, of) => (of === n ? [] : discs));
        const discs = [...blocks, ...others].filter((disc) => overlaps(disc, reach));
        const name = named(room, zoom, { discs, boxes, within });
        if (!name) continue;
        chosen.set(name.id, name);
        boxes.push(name.box);
    }
    return chosen;
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

/** The same, reckoned once for each zoom. */
export function namer(naming: Naming): (zoom: Zoom) => ReadonlyMap<string, Named> {
    let rooms: readonly Room[] | undefined;
    const known = new Map<number, ReadonlyMap<string, Named>>();
    return (zoom) => {
        const there = known.get(zoom.level);
        if (there) return there;
        rooms ??= roomsOf(naming);
        const names = namesIn(rooms, naming, zoom);
        known.set(zoom.level, names);
        return names;
    };
}

/** The places of an area that are free at a zoom, as they may be drawn there. */
export const freePlaces = (area: Area, name: Named | undefined, zoom: Zoom): readonly Disc[] =>
    name?.free ?? placesAt(area, zoom);
