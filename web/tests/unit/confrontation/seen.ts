/** What is seen on The Confrontation's board: read from the drawing alone, and from no code that made it. */
import { inside } from "../board/inside";
import { Places, type Point } from "../board/places";
import { all, classesOf, type Node, tagged, texts, textOf, treeOf } from "../board/tree";

/** Letters without what depends on how lines are broken. */
export const bare = (text: string): string => text.replace(/[\s\u00ad]|-(?!\d)/g, "");

export const attribute = (node: Node | undefined, name: string): string =>
    node?.attributes[name] ?? "";

const sideOf = (node: Node): string =>
    ["good", "dark"].filter((side) => classesOf(node).includes(side)).join("+");

const wordsIn = (node: Node): string => bare(texts(node).join(""));

/** A card, as it lies there: whose, its face, and what is said in its corner. */
const cardSeen = (node: Node): string =>
    [
        sideOf(node),
        classesOf(node).includes("back") ? "back" : "",
        classesOf(node).includes("empty") ? "empty" : "",
        [...all(node, "number"), ...all(node, "name")].map(textOf).map(bare).join(""),
        classesOf(node).includes("used") ? "used" : "",
        ...all(node, "strike").map(() => "struck"),
        ...all(node, "tag").map(textOf),
    ]
        .filter(Boolean)
        .join(" ");

/** A piece by its face, or its back; good ones are round on the left, dark ones have cut corners. */
function plateSeen(node: Node): string {
    const [body] = all(node, "body");
    const isRound = attribute(body, "d").includes("A");
    return [
        isRound ? "good" : "dark",
        sideOf(node) === (isRound ? "good" : "dark") ? "" : "of two sides",
        classesOf(node).includes("back") ? "back" : "",
        ...all(node, "strength").map(textOf),
        all(node, "name").map(textOf).map(bare).join(""),
        classesOf(node).includes("gone") ? "gone" : "",
        ...all(node, "mark").map((mark) => (all(mark, "ring").length ? "ring" : "shown")),
    ]
        .filter(Boolean)
        .join(" ");
}

export interface Half {
    plate: string;
    card: string;
    words: string;
}

export interface Chosen {
    title: string;
    done: string;
    words: string;
    rows: string[][];
}

/** One drawing, read back. */
export class Seen {
    readonly root: Node;
    readonly #places: Places;
    readonly #lands: Map<string, Point[]>;

    constructor(html: string) {
        this.root = treeOf(html);
        this.#places = new Places(this.root);
        const lands = all(this.root, "thing").filter((thing) => all(thing, "reach").length);
        this.#lands = new Map(
            lands.map((thing) => [
                attribute(thing, "data-noun"),
                all(thing, "reach").flatMap((reach) => this.#places.of(reach)),
            ]),
        );
        if (lands.length !== this.#lands.size) throw new Error("a region is drawn twice");
    }

    /** The outlines of regions as they lie. */
    get lands(): ReadonlyMap<string, Point[]> {
        return this.#lands;
    }

    /** All regions in which a point lies: one. */
    landAt(point: Point): string {
        const found = [...this.#lands].filter(([, ring]) => inside(point, ring));
        return found.map(([id]) => id).join("+");
    }

    /** What stands as a region's name, and in which region that is. */
    names(): string[] {
        return all(this.root, "region").map((region) => {
            const lines = all(region, "region-name");
            const lands = lines.map((line) => this.landAt(this.#places.middle(line)));
            return `${[...new Set(lands)].join("+")} ${lines.map(textOf).join(" ")}`;
        });
    }

    /** Each piece: where, what, and what it is said to be. */
    pieces(): string[] {
        return all(this.root, "glide").map((glide) => {
            const [thing] = all(glide, "thing");
            const plates = all(glide, "plate");
            const said = attribute(thing, "aria-label");
            return `${plates.map((plate) => `${this.#standsIn(plate)} ${plateSeen(plate)}`).join("+")} <${attribute(thing, "data-noun")}> ${said}`;
        });
    }

    #standsIn(plate: Node): string {
        return all(plate, "outline")
            .map((body) => this.landAt(this.#places.middle(body)))
            .join("+");
    }

    /** How many places for pieces are left bare in each region that has some. */
    bare(): Record<string, number> {
        const found: Record<string, number> = {};
        for (const slot of all(this.root, "slot")) {
            const land = this.landAt(this.#places.middle(slot));
            found[land] = (found[land] ?? 0) + 1;
        }
        return found;
    }

    /** Pieces and bare places that lie over each other by more than a line. */
    overlaps(): string[] {
        const plates = all(this.root, "glide").flatMap((glide) => all(glide, "outline"));
        const boxes = [...plates, ...all(this.root, "slot")].map((node) => this.#places.box(node));
        return boxes.flatMap((a, at) =>
            boxes
                .slice(at + 1)
                .filter(
                    (b) =>
                        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
                        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2,
                )
                .map((b) => JSON.stringify([a, b])),
        );
    }

    /** Where a battle is marked: the region with a frame, and the one whose name the swords are nearest to. */
    fights(): string[] {
        const framed = all(this.root, "fought").map((ring) =>
            [...this.#lands.keys()].find((id) =>
                all(this.root, "thing").some(
                    (thing) =>
                        attribute(thing, "data-noun") === id &&
                        tagged(thing, "polygon").includes(ring),
                ),
            ),
        );
        const swords = all(this.root, "swords").map((node) => {
            const [x, y] = this.#places.of(node)[0] ?? [0, 0];
            const away = (name: Node): number => {
                const [nameX, nameY] = this.#places.middle(name);
                return Math.hypot(nameX - x, nameY - y);
            };
            const [nearest] = all(this.root, "region-name").sort((a, b) => away(a) - away(b));
            return nearest ? this.landAt(this.#places.middle(nearest)) : "";
        });
        return [...framed.map((id) => `framed ${id ?? ""}`), ...swords.map((id) => `swords ${id}`)];
    }

    /** Who is on his way, and on which way: one that is drawn there. */
    travellers(): string[] {
        return all(this.root, "traveller").map((node) => {
            const outlines = all(node, "outline").map((outline) => this.#places.box(outline));
            const isOn = (way: Node): boolean =>
                this.#places
                    .of(way)
                    .some(([x, y]) =>
                        outlines.some(
                            ({ left, right, top, bottom }) =>
                                x > left && x < right && y > top && y < bottom,
                        ),
                    );
            const ways = ["river", "tunnel"].filter((way) => this.#lines(way).some(isOn));
            return `${all(node, "plate").map(plateSeen).join("+")} in ${ways.join("+")}`;
        });
    }

    #lines(kind: string): Node[] {
        return all(this.root, kind).filter(({ tag }) => tag === "polyline");
    }

    /** The lines of a kind as they lie: barriers, rivers, tunnels. */
    ways(kind: string): Point[][] {
        return this.#lines(kind).map((line) => this.#places.of(line));
    }

    corners(): object[] {
        const middle = this.#middleOfMap();
        return all(this.root, "corner").map((corner) => {
            const [emblem] = all(corner, "emblem");
            const [, y] = (emblem && this.#places.of(emblem)[0]) ?? [0, 0];
            const fallen = all(corner, "plate");
            return {
                side: sideOf(corner),
                emblem: emblem && tagged(emblem, "polygon").length ? "star" : "eye",
                isBelow: y > middle,
                title: all(corner, "side-name").map(textOf).join(),
                said: all(corner, "quiet").map(textOf),
                moves: all(corner, "turn").length,
                specials: all(corner, "card").map(cardSeen),
                fallen: fallen.map(plateSeen),
                told: all(corner, "thing").map((thing) => attribute(thing, "data-noun")),
            };
        });
    }

    #middleOfMap(): number {
        const ys = [...this.#lands.values()].flatMap((ring) => ring.map(([, y]) => y));
        return (Math.min(...ys) + Math.max(...ys)) / 2;
    }

    hands(): object[] {
        return all(this.root, "hand").map((hand) => {
            const [emblem] = all(hand, "emblem");
            return {
                emblem: emblem && tagged(emblem, "polygon").length ? "star" : "eye",
                title: all(hand, "title").map(textOf).join(),
                said: all(hand, "quiet").map(textOf).join(),
                cards: all(hand, "card").map(cardSeen),
                nouns: all(hand, "thing").map((thing) => attribute(thing, "data-noun")),
            };
        });
    }

    stage(): { title: string; halves: Half[] }[] {
        return all(this.root, "stage").map((stage) => {
            const [frame] = all(stage, "frame");
            const middle = frame ? this.#places.middle(frame)[0] : 0;
            const inner = [...all(stage, "plate"), ...all(stage, "card"), ...all(stage, "title")];
            const covered = new Set(inner.flatMap((node) => [node, ...tagged(node, "text")]));
            const loose = tagged(stage, "text").filter((text) => !covered.has(text));
            const half = (isLeft: boolean): Half => {
                const isHere = (node: Node): boolean =>
                    this.#places.middle(node)[0] < middle === isLeft;
                const within = (name: string): Node[] =>
                    all(stage, name).filter((node) => all(node, "outline").some(isHere));
                return {
                    plate: within("plate").map(plateSeen).join("+"),
                    card: within("card").map(cardSeen).join("+"),
                    words: bare(loose.filter(isHere).map(textOf).join("")),
                };
            };
            return {
                title: all(stage, "title").map(textOf).join(),
                halves: [half(true), half(false)],
            };
        });
    }

    choosing(): Chosen[] {
        return all(this.root, "choosing").map((panel) => {
            const covered = new Set(
                [
                    ...all(panel, "plate"),
                    ...all(panel, "card"),
                    ...all(panel, "title"),
                    ...all(panel, "quiet"),
                ].flatMap((node) => [node, ...tagged(node, "text")]),
            );
            const rows = panel.children.filter((row) => all(row, "thing").length);
            return {
                title: all(panel, "title").map(textOf).join(),
                done: all(panel, "quiet").map(textOf).join(" | "),
                words: bare(
                    tagged(panel, "text")
                        .filter((text) => !covered.has(text))
                        .map(textOf)
                        .join(""),
                ),
                rows: rows.map((row) => [
                    ...all(row, "turn").map(() => "now"),
                    ...row.children
                        .filter((option) => all(option, "thing").length)
                        .map((option) => optionSeen(option)),
                ]),
            };
        });
    }

    /** What is read in panels of words: first whose turn it is. */
    readings(): string[] {
        return all(this.root, "reading").map(wordsIn);
    }

    /** What stands on backs: who may be behind them. */
    hints(): Record<string, string[]> {
        const found: Record<string, string[]> = {};
        for (const plate of all(this.root, "glide").filter((glide) => all(glide, "hint").length)) {
            const land = this.#standsIn(plate);
            (found[land] ??= []).push(bare(all(plate, "hint").map(textOf).join("")));
        }
        return found;
    }
}

function optionSeen(option: Node): string {
    const faces = [...all(option, "plate").map(plateSeen), ...all(option, "card").map(cardSeen)];
    const [thing] = all(option, "thing");
    const isChosen = all(option, "tick").length ? " chosen" : "";
    return `${faces.join("+")} <${attribute(thing, "data-noun")}>${isChosen}`;
}
