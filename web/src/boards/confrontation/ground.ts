/** Where things stand on the map, in the units of a map that is 360 wide: a phone's.
 *
 * Design. The data has Good's home below. For Dark the whole map makes half a turn, and names and
 * pieces stand upright again in the boxes that the regions keep free for them.
 */
import { MAP, REGIONS, type Region, type SideName } from "./facts";
import { fitted, type Fitted } from "./letters";

const SCALE = 360 / MAP.width;
export const GROUND = { width: 360, height: MAP.height * SCALE };

export const PLATE = { width: 80, height: 25 };
/** Of all letters on the map: a phone's page leaves it 340 of its 360, and 11 of these. */
export const LETTERS = 11.7;
/** Names of two lines begin higher, where a region's outline rises: below them there is a battle's room.
 * A home's is higher by what the mark of a shown piece needs. */
const NAME = { line: 12.5, base: 10, gap: 3.5, raised: 5, homes: 2.5 };

export interface Place {
    x: number;
    y: number;
}

/** What turns the data's outlines into the map's, for whoever's home is below. */
export const turned = (lower: SideName): string =>
    lower === "good"
        ? `scale(${SCALE})`
        : `translate(${GROUND.width} ${GROUND.height}) rotate(180) scale(${SCALE})`;

/** A point of the data as it lies on the map. */
export function onGround(x: number, y: number, lower: SideName): Place {
    const [left, top] = [x * SCALE, y * SCALE];
    return lower === "good"
        ? { x: left, y: top }
        : { x: GROUND.width - left, y: GROUND.height - top };
}

export interface Box extends Place {
    width: number;
    height: number;
}

export function boxOf(region: Region, lower: SideName): Box {
    const [x, y, w, h] = region.box;
    const corner = lower === "good" ? onGround(x, y, lower) : onGround(x + w, y + h, lower);
    return { ...corner, width: w * SCALE, height: h * SCALE };
}

export interface Label extends Fitted {
    x: number;
    /** The base line of its first line. */
    y: number;
}

export function labelOf(region: Region, lower: SideName): Label {
    const box = boxOf(region, lower);
    const name = fitted(region.name, box.width + 2, LETTERS, true, region.mountain ? 2 : 1);
    const raised = region.home ? NAME.homes : name.lines.length > 1 ? NAME.raised : 0;
    return { ...name, x: box.x + box.width / 2, y: box.y + NAME.base - raised };
}

/** The base line of a name's last line. */
export const lastLine = ({ y, lines }: Label): number => y + (lines.length - 1) * NAME.line;

/** Where crossed swords stand: above the name, or beside it in a home, which has room there. */
export function swordsOf(region: Region, lower: SideName): Place {
    const { x, y } = labelOf(region, lower);
    return region.home ? { x: x - 56, y: y - 3 } : { x, y: boxOf(region, lower).y - 12 };
}

/** As many places for plates as there are pieces, and as many more as the region has room for. */
export function slotsOf(region: Region, lower: SideName, pieces: number): Place[] {
    const box = boxOf(region, lower);
    const columns = region.home ? 2 : 1;
    const rows = Math.ceil(Math.max(pieces, region.capacity) / columns);
    // A name is never covered: where a battle fills a region, its plates reach a little over the lower border.
    const start = lastLine(labelOf(region, lower)) + NAME.gap + (region.home ? NAME.homes : 0);
    const free = box.y + box.height - start;
    const pitch = Math.min(PLATE.height + 1, Math.max(PLATE.height - 0.5, free / rows));
    const column = box.width / columns;
    return Array.from({ length: Math.max(pieces, region.capacity) }, (_, n) => ({
        x: box.x + (n % columns) * column + (column - PLATE.width) / 2,
        y: start + Math.floor(n / columns) * pitch,
    }));
}

/** The corners that the map leaves free beside a side's home. */
export function cornersOf(isUpper: boolean): { left: Box; right: Box } {
    const height = 168;
    const y = isUpper ? 4 : GROUND.height - height - 4;
    return {
        left: { x: 2, y, width: 84, height },
        right: { x: GROUND.width - 86, y, width: 84, height },
    };
}

export const outline = (region: Region): string =>
    region.polygon.map((point) => point.join(",")).join(" ");

/** The middle of a region's box, in the data's units. */
export function middleOf(region: Region): Place {
    const [x, y, w, h] = region.box;
    return { x: x + w / 2, y: y + h / 2 };
}

export const regionOf = (id: string): Region => {
    const region = REGIONS.get(id);
    if (!region) throw new Error(`there is no region ${id}`);
    return region;
};
