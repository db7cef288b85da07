/** Which part of a map is seen. Pure: what is asked for and what there is give what is seen. */
import { between, boxAround, cornersOf, type Box, type Point } from "./geometry";

export interface Size {
    width: number;
    height: number;
}

/** The point of the map in the middle of what is seen, and how many CSS pixels a unit takes. */
export interface Camera {
    readonly x: number;
    readonly y: number;
    readonly scale: number;
}

/** A map, the place on the page through which it is seen, and the greatest scale. */
export interface Limits {
    map: Size;
    frame: Size;
    closest: number;
}

/** How much closer one comes with a press. */
export const STEP = 1.4;
/** What is fitted keeps so much of the frame free on all sides. */
const MARGIN = 0.06;
const NO_CLOSER = 1;

export const isSame = (a: Camera, b: Camera): boolean =>
    a.x === b.x && a.y === b.y && a.scale === b.scale;

/** The scale at which all is seen. */
export const wholeScale = ({ map, frame }: Limits): number =>
    Math.min(frame.width / map.width, frame.height / map.height);

/** The nearest that keeps to the limits: never farther than all of the map, nothing beside it where it
 *  fills the frame, and in the middle where it does not. */
export function kept({ x, y, scale }: Camera, limits: Limits): Camera {
    const { map, frame, closest } = limits;
    const far = wholeScale(limits);
    const held = between(far, scale, Math.max(far, closest));
    const middle = (at: number, all: number, room: number): number => {
        const half = room / held / 2;
        return half * 2 >= all ? all / 2 : between(half, at, all - half);
    };
    return {
        x: middle(x, map.width, frame.width),
        y: middle(y, map.height, frame.height),
        scale: held,
    };
}

export const whole = (limits: Limits): Camera => kept({ x: 0, y: 0, scale: 0 }, limits);

/** All of a box, as large as it can be, though not so close that nothing around it is seen. */
export function fitted(box: Box, limits: Limits): Camera {
    const { frame, closest } = limits;
    const room = 1 - 2 * MARGIN;
    const scale = Math.min(
        (frame.width * room) / Math.max(1, box.width),
        (frame.height * room) / Math.max(1, box.height),
        Math.min(NO_CLOSER, closest),
    );
    return kept({ x: box.x + box.width / 2, y: box.y + box.height / 2, scale }, limits);
}

/** Dragged by so many pixels. */
export const dragged = (camera: Camera, [dx, dy]: Point, limits: Limits): Camera =>
    kept({ ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale }, limits);

/** Closer or farther, while what is at this pixel of the frame stays there. */
export function zoomed(camera: Camera, by: number, [px, py]: Point, limits: Limits): Camera {
    const { scale } = kept({ ...camera, scale: camera.scale * by }, limits);
    const { width, height } = limits.frame;
    const [right, down] = [px - width / 2, py - height / 2];
    return kept(
        {
            x: camera.x + right / camera.scale - right / scale,
            y: camera.y + down / camera.scale - down / scale,
            scale,
        },
        limits,
    );
}

/** Moved as little as is needed for a box, in pixels of the frame, to be seen; its middle, if it is larger. */
export function showing(camera: Camera, box: Box, limits: Limits): Camera {
    const { width, height } = limits.frame;
    const along = (from: number, size: number, room: number): number => {
        if (size > room) return room / 2 - (from + size / 2);
        return from < 0 ? -from : Math.min(0, room - from - size);
    };
    return dragged(
        camera,
        [along(box.x, box.width, width), along(box.y, box.height, height)],
        limits,
    );
}

/** The part of the map that is seen. */
export function seen({ x, y, scale }: Camera, { map, frame }: Limits): Box {
    const width = Math.min(map.width, frame.width / scale);
    const height = Math.min(map.height, frame.height / scale);
    return { x: x - width / 2, y: y - height / 2, width, height };
}

/** One box around several. */
export const together = (boxes: readonly Box[]): Box => boxAround(boxes.flatMap(cornersOf));

/** What is drawn for a scale. Names and thin lines are laid out for some scales only, each good up to the
 *  next one, so that they stay while one comes a little closer. */
export interface Zoom {
    /** The least scale at which this is shown: CSS pixels to a unit of the map. */
    readonly level: number;
    /** How many units of the map so many pixels are, at the least. */
    px(pixels: number): number;
}

const LEVELS_APART = 1.06;

export function zoomAt(scale: number): Zoom {
    const level =
        LEVELS_APART ** Math.floor(Math.log(scale) / Math.log(LEVELS_APART) + Number.EPSILON * 8);
    return zoomOf(level);
}

/** For exactly this scale. */
export const zoomOf = (level: number): Zoom => ({
    level,
    px: (pixels) => Math.round((pixels / level) * 100) / 100,
});

/** The box around some regions, with some room; nothing, if there are none. */
export function boxOf(
    { regions }: { regions: ReadonlyMap<string, { box: Box }> },
    ids: Iterable<string>,
): Box | null {
    const boxes = [...ids].flatMap((id) => regions.get(id)?.box ?? []);
    return boxes.length ? together(boxes) : null;
}
