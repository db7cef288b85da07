/** Which part of a map is seen. */
import { describe, expect, it } from "vitest";
import {
    dragged,
    fitted,
    kept,
    type Limits,
    seen,
    showing,
    together,
    whole,
    zoomAt,
    zoomed,
} from "../../../src/parts/map/camera";

const WIDE: Limits = {
    map: { width: 2000, height: 1600 },
    frame: { width: 1000, height: 600 },
    closest: 2,
};
const NARROW: Limits = { ...WIDE, frame: { width: 360, height: 480 } };

describe("a camera", () => {
    it.each([WIDE, NARROW])("begins with all of the map, in the middle", (limits) => {
        const camera = whole(limits);

        expect(seen(camera, limits)).toEqual({ x: 0, y: 0, width: 2000, height: 1600 });
        expect(camera.scale).toBe(limits === WIDE ? 600 / 1600 : 360 / 2000);
    });

    it("shows nothing beside the map where the map fills the frame", () => {
        const camera = kept({ x: -500, y: 9000, scale: 1 }, WIDE);

        expect(seen(camera, WIDE)).toEqual({ x: 0, y: 1000, width: 1000, height: 600 });
    });

    it("comes no closer and goes no farther than it may", () => {
        expect(kept({ x: 0, y: 0, scale: 50 }, WIDE).scale).toBe(2);
        expect(kept({ x: 0, y: 0, scale: 0.01 }, WIDE).scale).toBe(0.375);
    });

    it("shows all of a frame that is larger than what its closest scale fills", () => {
        const small = { ...WIDE, map: { width: 100, height: 100 } };

        expect(whole(small).scale).toBe(6);
    });

    it("keeps what is under the finger there", () => {
        const before = kept({ x: 900, y: 700, scale: 0.8 }, WIDE);
        const after = zoomed(before, 1.7, [130, 410], WIDE);
        const under = ({ x, y, scale }: typeof before): number[] => [
            x + (130 - 500) / scale,
            y + (410 - 300) / scale,
        ];

        expect(after.scale).toBeCloseTo(1.36);
        expect(under(after)[0]).toBeCloseTo(under(before)[0] ?? 0);
        expect(under(after)[1]).toBeCloseTo(under(before)[1] ?? 0);
    });

    it("moves what is dragged by as much as the finger", () => {
        const before = kept({ x: 900, y: 700, scale: 0.8 }, WIDE);

        expect(dragged(before, [80, -40], WIDE)).toEqual({ x: 800, y: 750, scale: 0.8 });
    });

    it.each([WIDE, NARROW])("fits a box with something around it", (limits) => {
        const box = { x: 300, y: 900, width: 700, height: 200 };
        const part = seen(fitted(box, limits), limits);

        expect(part.x).toBeLessThan(300);
        expect(part.y).toBeLessThan(900);
        expect(part.x + part.width).toBeGreaterThan(1000);
        expect(part.y + part.height).toBeGreaterThan(1100);
    });

    it("fits a single point not closer than one may read around it", () => {
        expect(fitted({ x: 900, y: 900, width: 0, height: 0 }, WIDE).scale).toBe(1);
    });

    it("moves only as far as is needed to show a box", () => {
        const camera = kept({ x: 1000, y: 800, scale: 1 }, WIDE);
        const box = (x: number, y: number): Parameters<typeof showing>[1] => ({
            x,
            y,
            width: 50,
            height: 50,
        });

        expect(showing(camera, box(10, 10), WIDE)).toEqual(camera);
        expect(showing(camera, box(-120, 10), WIDE).x).toBe(880);
        expect(showing(camera, box(990, 10), WIDE).x).toBe(1040);
        expect(showing(camera, box(10, 700), WIDE).y).toBe(950);
        expect(showing(camera, { x: -500, y: 0, width: 2000, height: 10 }, WIDE).x).toBe(1000);
    });

    it("puts one box around several", () => {
        const boxes = [
            { x: 5, y: 40, width: 10, height: 10 },
            { x: 20, y: 0, width: 5, height: 5 },
        ];

        expect(together(boxes)).toEqual({ x: 5, y: 0, width: 20, height: 50 });
    });
});

describe("a zoom", () => {
    it("is for a scale that is no greater, and little smaller", () => {
        for (let scale = 0.1; scale < 3; scale *= 1.013) {
            const { level } = zoomAt(scale);

            expect(level).toBeLessThanOrEqual(scale * 1.000001);
            expect(level).toBeGreaterThan(scale * 0.94);
        }
    });

    it("says how many units so many pixels are", () => {
        expect(zoomAt(1).px(11)).toBe(11);
        expect(zoomAt(0.5).px(11) * zoomAt(0.5).level).toBeCloseTo(11, 1);
    });

    it("is the same for its own level", () => {
        for (const scale of [0.17, 0.334, 0.42, 1, 1.9])
            expect(zoomAt(zoomAt(scale).level).level).toBe(zoomAt(scale).level);
    });
});
