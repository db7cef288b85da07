/** Where the figures of a territory stand at a zoom, and the arrows between territories. */
import type { Zoom } from "../../parts/map/camera";
import { freePlaces } from "../../parts/map/names";
import type { Pulled } from "../../parts/map/pull";
import type { Board } from "./facts";
import { names, PATH, SHAPES, STEP_RADIUS } from "./ground";
import type { Stand } from "./lands";

export interface Figure {
    stand: Stand;
    x: number;
    y: number;
    r: number;
}

/** In CSS pixels: no figure need be larger. */
const LARGEST = 17;
/** With less a number cannot be read. */
const LEAST = 8.8;
/** What is drawn keeps within its place. */
const WITHIN = 0.86;

export interface Spot {
    x: number;
    y: number;
    r: number;
}

/** For each territory, where its battalions stand. */
export function spots(zoom: Zoom): ReadonlyMap<string, Spot> {
    const named = names(zoom);
    const found = [...SHAPES.regions.values()].map((region) => {
        const [place = { ...region.label, r: 0 }] = freePlaces(region, named.get(region.id), zoom);
        const r = Math.max(zoom.px(LEAST), Math.min(place.r, zoom.px(LARGEST)) * WITHIN);
        return [region.id, { x: place.x, y: place.y, r }] as const;
    });
    return new Map(found);
}

export interface Arrow {
    key: string;
    look: "invasion" | "march" | "picked";
    path: string;
    /** Whom it means: what stands close by leaves no room for an arrow. */
    aim: Spot;
}

/** From figure to figure, below both; where they stand close by, its head is as small as the room that is left. */
export function arrowBetween(from: Spot, to: Spot): string {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const far = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / far, dy / far];
    const head = Math.max(from.r, to.r) * 0.9;
    const room = far - from.r - to.r * 1.3;
    const [reach, h] =
        room > head ? [to.r * 1.3, head] : [to.r, Math.max(head * 0.6, Math.min(head, room))];
    const start = { x: from.x + ux * from.r * 0.8, y: from.y + uy * from.r * 0.8 };
    const tip = { x: to.x - ux * reach, y: to.y - uy * reach };
    const base = { x: tip.x - ux * h, y: tip.y - uy * h };
    const at = ({ x, y }: { x: number; y: number }): string => `${Math.round(x)} ${Math.round(y)}`;
    const left = { x: base.x - uy * h * 0.6, y: base.y + ux * h * 0.6 };
    const right = { x: base.x + uy * h * 0.6, y: base.y - ux * h * 0.6 };
    return `M${at(start)}L${at(base)}M${at(left)}L${at(tip)}L${at(right)}z`;
}

/** What goes from where to where: an invasion, a move, or what has been touched so far. */
export function ways(view: Board, picked: readonly string[]): [Arrow["look"], string, string][] {
    const { invasion, march } = view;
    const found: [Arrow["look"], string, string][] = [];
    if (invasion?.to !== undefined) found.push(["invasion", invasion.from, invasion.to]);
    if (march?.to !== undefined) found.push(["march", march.from, march.to]);
    const [from, to, ...more] = picked;
    if (from !== undefined && to !== undefined && !more.length) found.push(["picked", from, to]);
    return found;
}

export function arrows(
    found: readonly (readonly [Arrow["look"], string, string])[],
    at: ReadonlyMap<string, Spot>,
): Arrow[] {
    return found.flatMap(([look, from, to]) => {
        const [start, end] = [at.get(from), at.get(to)];
        if (!start || !end) return [];
        return [{ key: `${look} ${from} ${to}`, look, path: arrowBetween(start, end), aim: end }];
    });
}

/** From a territory to another one, or to where the pointer is. */
export function pulledArrow(
    { from, to, x, y }: Pulled,
    at: ReadonlyMap<string, Spot>,
): string | undefined {
    const start = at.get(from);
    const end = at.get(to ?? "") ?? { x, y, r: 0 };
    return start && arrowBetween(start, end);
}

/** Where the Ring stands. */
export function ringSpot(view: Board, zoom: Zoom): Spot | undefined {
    const step = PATH[view.ring - 1];
    return step && { x: step.x, y: step.y, r: Math.max(STEP_RADIUS * 1.5, zoom.px(7)) };
}
