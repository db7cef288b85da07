/** Drags, pinches, pulls and wheels over an element. A press that does not move is no gesture: it goes to the
 *  thing below, as if nobody listened. */
import type { Point } from "./geometry";

export interface Gestures {
    /** Dragged by so many pixels. False: it cannot go there, and the page may. */
    drag(by: Point): boolean;
    /** Closer by so much, about a pixel of the element. */
    zoom(by: number, at: Point): void;
    /** A drag or a pinch has begun, or is over. */
    holds(isHeld: boolean): void;
    /** Whether a press that begins here pulls something, rather than dragging the element. */
    pulls(on: Element): boolean;
    /** It is pulled to this point of the window. */
    pull(to: Point): void;
    /** It was let go; or it was not meant. */
    release(isMeant: boolean): void;
}

/** What moves less is a press. A finger is not as steady as a mouse. */
const STILL = { mouse: 4, pen: 6, touch: 9 };
const WHEEL_LINE = 16;
const WHEEL_PAGE = 400;
const WHEEL_ZOOM = 0.0045;
const LARGEST_WHEEL = 120;
/** Only the left button drags; a finger and a pen have that one, too. */
const LEFT = 0;

const stillness = (kind: string): number =>
    kind === "mouse" || kind === "pen" ? STILL[kind] : STILL.touch;

class Held {
    /** Where each finger is now. */
    readonly #fingers = new Map<number, Point>();
    #from: Point = [0, 0];
    #isMoving = false;
    #isPull = false;
    /** A press that follows a drag at once is the end of that drag. */
    #endsDrag = false;

    constructor(
        private readonly element: HTMLElement,
        private readonly gestures: Gestures,
    ) {}

    readonly down = (event: PointerEvent): void => {
        if (event.button !== LEFT) return;
        if (this.#fingers.size === 0) {
            this.#from = [event.clientX, event.clientY];
            this.#endsDrag = false;
            this.#isPull = event.target instanceof Element && this.gestures.pulls(event.target);
        }
        this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
        if (this.#fingers.size !== 2) return;
        this.#giveUp();
        this.#begin();
    };

    readonly move = (event: PointerEvent): void => {
        const before = this.#fingers.get(event.pointerId);
        if (!before) return;
        const now: Point = [event.clientX, event.clientY];
        if (this.#fingers.size === 1 && !this.#isMoving) {
            const far = Math.hypot(now[0] - this.#from[0], now[1] - this.#from[1]);
            if (far < stillness(event.pointerType)) return;
            this.#begin();
        }
        const others = [...this.#fingers].filter(([id]) => id !== event.pointerId);
        this.#fingers.set(event.pointerId, now);
        const [other] = others;
        if (other) this.#pinch(before, now, other[1]);
        else if (this.#isPull) this.gestures.pull(now);
        else this.gestures.drag([now[0] - before[0], now[1] - before[1]]);
    };

    readonly up = (event: PointerEvent): void => {
        if (!this.#fingers.delete(event.pointerId) || this.#fingers.size > 0) return;
        const isMeant = event.type === "pointerup";
        if (this.#isMoving && this.#isPull) this.gestures.release(isMeant);
        else if (this.#isMoving) this.gestures.holds(false);
        this.#endsDrag = this.#isMoving && isMeant;
        this.#isMoving = false;
    };

    /** The click that a browser makes of the end of a drag touches nothing. */
    readonly click = (event: MouseEvent): void => {
        if (!this.#endsDrag) return;
        this.#endsDrag = false;
        event.preventDefault();
        event.stopPropagation();
    };

    /** Two fingers are ours, and one that pulls, even where one alone moves the page. */
    readonly touch = (event: TouchEvent): void => {
        const isPulled = this.#isPull && event.type === "touchmove";
        if ((event.touches.length > 1 || isPulled) && event.cancelable) event.preventDefault();
    };

    #begin(): void {
        if (this.#isMoving) return;
        this.#isMoving = true;
        for (const finger of this.#fingers.keys()) this.element.setPointerCapture(finger);
        if (!this.#isPull) this.gestures.holds(true);
    }

    /** Another finger has come: they pinch. */
    #giveUp(): void {
        if (!this.#isPull) return;
        if (this.#isMoving) this.gestures.release(false);
        this.#isPull = this.#isMoving = false;
    }

    /** One finger has moved while another one stays. */
    #pinch(before: Point, now: Point, other: Point): void {
        const apart = (a: Point): number =>
            Math.max(20, Math.hypot(a[0] - other[0], a[1] - other[1]));
        const corner = this.element.getBoundingClientRect();
        const middle: Point = [
            (now[0] + other[0]) / 2 - corner.left,
            (now[1] + other[1]) / 2 - corner.top,
        ];
        this.gestures.drag([(now[0] - before[0]) / 2, (now[1] - before[1]) / 2]);
        this.gestures.zoom(apart(now) / apart(before), middle);
    }
}

/** A pinch on a trackpad comes as a wheel with Ctrl. Without it a wheel moves the map, and the page where
 *  the map ends. */
function wheeled(element: HTMLElement, gestures: Gestures, event: WheelEvent): void {
    const unit =
        event.deltaMode === WheelEvent.DOM_DELTA_LINE
            ? WHEEL_LINE
            : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
              ? WHEEL_PAGE
              : 1;
    const [right, down] = [event.deltaX * unit, event.deltaY * unit];
    if (event.ctrlKey || event.metaKey) {
        const corner = element.getBoundingClientRect();
        const far = Math.sign(down) * Math.min(LARGEST_WHEEL, Math.abs(down));
        gestures.zoom(Math.exp(-far * WHEEL_ZOOM), [
            event.clientX - corner.left,
            event.clientY - corner.top,
        ]);
        event.preventDefault();
    } else if (gestures.drag([-right, -down])) {
        event.preventDefault();
    }
}

/** Listens to an element until the answer is called. */
export function listen(element: HTMLElement, gestures: Gestures): () => void {
    const held = new Held(element, gestures);
    const wheel = (event: WheelEvent): void => {
        wheeled(element, gestures, event);
    };
    const ends = new AbortController();
    const { signal } = ends;
    element.addEventListener("pointerdown", held.down, { signal });
    element.addEventListener("pointermove", held.move, { signal });
    element.addEventListener("pointerup", held.up, { signal });
    element.addEventListener("pointercancel", held.up, { signal });
    element.addEventListener("click", held.click, { signal, capture: true });
    element.addEventListener("touchstart", held.touch, { signal, passive: false });
    element.addEventListener("touchmove", held.touch, { signal, passive: false });
    element.addEventListener("wheel", wheel, { signal, passive: false });
    return () => {
        ends.abort();
    };
}
