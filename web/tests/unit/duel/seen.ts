/** What is seen on Duel's table: read from the drawing alone, and from no code that made it but what its symbols are called. */
import { ICONS } from "../../../src/boards/duel/icons";
import { type Box, Places, type Point } from "../board/places";
import { all, classesOf, type Node, tagged, textOf, texts, treeOf } from "../board/tree";

/** Symbols by their shapes; some things have one symbol. */
const SHAPES = new Map<string, string>();
for (const [name, shape] of Object.entries(ICONS)) if (!SHAPES.has(shape)) SHAPES.set(shape, name);

/** What a symbol is called, where another may have the same. */
export const symbol = (name: string): string => {
    const shape = ICONS[name];
    if (shape === undefined) throw new Error(`there is no symbol ${name}`);
    return SHAPES.get(shape) ?? name;
};

export const attribute = (node: Node | undefined, name: string): string =>
    node?.attributes[name] ?? "";

const sideOf = (node: Node): string =>
    ["fellowship", "sauron"].filter((side) => classesOf(node).includes(side)).join("+");

/** Symbols, frames and words in the order in which they are drawn. */
function rowSeen(node: Node): string {
    const parts = node.children.map((child): string => {
        if (child.tag === "g") return rowSeen(child);
        if (child.tag === "text") return textOf(child);
        const classes = classesOf(child);
        if (classes.includes("lacking")) return "!";
        if (classes.includes("tag")) return isOnward(child) ? ">" : "<";
        if (!classes.includes("icon")) return "";
        const name = SHAPES.get(attribute(child, "d")) ?? "nothing";
        return classes.includes("faint") ? `(${name})` : name;
    });
    return parts.filter(Boolean).join(" ");
}

/** The tag of what is given points to the right; that of what is asked for is cut in from the left. */
const isOnward = (tag: Node): boolean => /h-[\d.]+z$/.test(attribute(tag, "d"));

const joined = (nodes: readonly Node[]): string => nodes.map(rowSeen).join(" ");

export interface Laid {
    slot: number;
    face: string;
    noun: string;
    box: Box;
    /** In which order it is drawn: later ones lie over earlier ones. */
    at: number;
}

interface Row {
    caption: string;
    chips: string[];
}

/** One drawing, read back. */
export class Seen {
    readonly root: Node;
    readonly #places: Places;

    constructor(html: string) {
        this.root = treeOf(html);
        this.#places = new Places(this.root);
    }

    /** The part of the table for one purpose: there once. */
    panel(kind: string): Node {
        const [found, ...more] = all(this.root, "panel", kind);
        if (!found || more.length) throw new Error(`${more.length} more of ${kind}`);
        return found;
    }

    has = (kind: string): boolean => all(this.root, "panel", kind).length > 0;

    title = (kind: string): string => all(this.panel(kind), "heading").map(textOf).join();

    status(): object {
        const [status] = all(this.root, "status");
        if (!status) throw new Error("no status");
        return {
            side: sideOf(status),
            pieces: all(status, "piece").map(sideOf),
            words: texts(status),
        };
    }

    /** Each card of the display with its face, and where it lies. */
    display(): Laid[] {
        return all(this.panel("display"), "place").map((place, at) => {
            const [shape] = [...all(place, "outline"), ...all(place, "back")];
            if (!shape) throw new Error("a place without a card");
            const [thing] = all(place, "thing");
            const [own] = all(place, "shown");
            return {
                slot: Number(attribute(place, "data-slot")),
                face:
                    own && thing
                        ? this.#face(place, own, thing)
                        : all(place, "back")
                              .map(() => "back")
                              .join("+"),
                noun: attribute(thing, "data-noun"),
                box: this.#places.box(shape),
                at,
            };
        });
    }

    #face(place: Node, own: Node, thing: Node): string {
        const colour =
            all(place, "card").length === 1
                ? place.children
                      .flatMap(classesOf)
                      .filter((name) => name.startsWith("c-"))
                      .join("+")
                      .slice(2)
                : "";
        return [
            `${colour} by ${joined(all(own, "on-band"))}`,
            `price ${joined(all(own, "price-text"))}${all(own, "price", "dear").length ? " dear" : ""}`,
            `brings ${all(own, "brings")
                .flatMap((brings) => all(brings, "bits"))
                .map(rowSeen)
                .join(" ")}`,
            `in ${all(own, "where").map(textOf).join(" ")}`,
            `asks ${joined(all(own, "asks"))}`,
            `named ${all(own, "name").map(textOf).join(" ")}`,
            attribute(thing, "aria-label"),
            classesOf(place).includes("available") ? "available" : "",
            all(own, "free").length ? "free" : "",
        ].join(" | ");
    }

    /** Tiles of a panel: symbol, title, price, row of symbols, words. */
    tiles(kind: string): string[] {
        return all(this.panel(kind), "tile").map((tile) => {
            const [shown] = all(tile, "shown");
            const [thing] = all(tile, "thing");
            const rows = shown?.children.filter((child) => classesOf(child).includes("bits")) ?? [];
            const words =
                shown?.children.filter(
                    (child) => child.tag === "text" && !classesOf(child).includes("title"),
                ) ?? [];
            return [
                joined(all(tile, "emblem")),
                all(tile, "title").map(textOf).join(" "),
                joined(all(tile, "price-text")) +
                    (all(tile, "price", "dear").length ? " dear" : ""),
                joined(rows),
                words.map(textOf).join(" "),
                `<${attribute(thing, "data-noun")}>`,
                classesOf(tile).includes("spent") ? "spent" : "",
            ].join(" | ");
        });
    }

    /** The outlines of the map's regions as they lie, by what they are touched by. */
    lands(): Map<string, Point[]> {
        const found = new Map<string, Point[]>();
        for (const thing of all(this.panel("map"), "thing")) {
            const noun = attribute(thing, "data-noun");
            if (found.has(noun)) throw new Error(`${noun} is drawn twice`);
            found.set(
                noun,
                all(thing, "soil").flatMap((soil) => this.#places.of(soil)),
            );
        }
        return found;
    }

    /** What regions are said to have. */
    landLabels = (): string[] =>
        all(this.panel("map"), "thing").map((thing) => attribute(thing, "aria-label"));

    /** What lies over the map, each with its place. */
    onMap(): { what: string; at: Point }[] {
        const map = this.panel("map");
        const over = all(map, "over");
        const found = (name: string, what: (node: Node) => string): { what: string; at: Point }[] =>
            over.flatMap((group) =>
                all(group, name).map((node) => ({ what: what(node), at: this.#middle(node) })),
            );
        return [
            ...found("piece", (node) => `${this.#shapeOf(node)} ${texts(node).join()}`),
            ...found("fort", (node) => `fort of ${sideOf(node)} ${rowSeen(node)}`),
            ...found("site", (node) => (classesOf(node).includes("offered") ? "offered" : "site")),
            ...found("label", (node) => `name ${textOf(node)}`),
        ];
    }

    #middle(node: Node): Point {
        const [circle] = classesOf(node).includes("fort") ? tagged(node, "circle") : [];
        return this.#places.middle(circle ?? node);
    }

    /** Units of the Fellowship are round, those of Sauron pointed. */
    #shapeOf(piece: Node): string {
        const [body] = all(piece, "body");
        const shape = body?.tag === "circle" ? "fellowship" : "sauron";
        return sideOf(piece) === shape ? shape : `${shape}, said to be of ${sideOf(piece)}`;
    }

    /** The chase: where hobbits and Nazgûl are between the ends of the way, from 0 to 1, and its words. */
    chase(): {
        hobbits: number;
        nazgul: number;
        gap: number[];
        ticks: number;
        words: string[];
        said: string;
    } {
        const [chase] = all(this.root, "chase");
        const [way] = chase ? all(chase, "way") : [];
        if (!chase || !way) throw new Error("no chase");
        const { left, right } = this.#places.box(way);
        const along = (x: number): number => (x - left) / (right - left);
        const runner = (name: string): number => {
            const found = all(chase, "runner").filter((runner) => all(runner, name).length);
            const [x] = found.map((node) => this.#moved(node));
            if (found.length !== 1 || x === undefined)
                throw new Error(`${found.length} of ${name}`);
            return along(x);
        };
        return {
            hobbits: runner("walker"),
            nazgul: runner("rider"),
            gap: all(chase, "gap").flatMap((gap) => this.#places.of(gap).map(([x]) => along(x))),
            ticks: all(chase, "tick").length,
            words: texts(chase),
            said: attribute(chase, "aria-label"),
        };
    }

    /** How far to the right a thing has been moved; its style, which a browser obeys, says the same as its attribute. */
    #moved(node: Node): number {
        const [[x] = [NaN]] = this.#places.of(node);
        const [, across = "", down = ""] =
            /translate\(([-\d.]+)px, ([-\d.]+)px\)/.exec(attribute(node, "style")) ?? [];
        if (attribute(node, "transform") !== `translate(${across} ${down})`)
            throw new Error(`in two places: ${JSON.stringify(node.attributes)}`);
        return x;
    }

    lanes(): object[] {
        return all(this.root, "lane").map((lane) => {
            const stops = all(lane, "stop");
            const xs = stops.map((stop) => this.#places.middle(stop)[0]);
            const [runner] = all(lane, "runner");
            const [piece] = runner ? all(runner, "piece") : [];
            if (!runner || !piece) throw new Error("nobody on the way");
            const x = this.#moved(runner);
            const near = xs.findIndex((stop) => Math.abs(stop - x) < 0.5);
            return {
                side: sideOf(lane),
                words: lane.children
                    .filter(({ tag }) => tag === "text")
                    .map(textOf)
                    .join(),
                made: stops.map((stop) => classesOf(stop).includes("made")),
                inOrder: xs.every((x, at) => at === 0 || x > (xs[at - 1] ?? 0)),
                pays: stops.map((stop) => this.#paidAt(lane, stop)),
                piece: `${this.#shapeOf(piece)} ${texts(piece).join()}`,
                at: x < (xs[0] ?? 0) - 1 ? 0 : near + 1,
            };
        });
    }

    /** The symbol on a step of the way. */
    #paidAt(lane: Node, stop: Node): string {
        const parents = [lane, ...tagged(lane, "g")].filter(({ children }) =>
            children.includes(stop),
        );
        return parents
            .flatMap((parent) => all(parent, "pay"))
            .map(rowSeen)
            .join("+");
    }

    /** The lines before a side: each caption with the chips that begin at its height or below, before the next. */
    player(kind: string): {
        title: string;
        coins: string;
        said: string;
        piece: string;
        rows: Row[];
    } {
        const panel = this.panel(kind);
        const top = (node: Node): number => this.#places.of(node)[0]?.[1] ?? NaN;
        const captions = all(panel, "caption").sort((a, b) => top(a) - top(b));
        const rows = captions.map((node): Row & { y: number } => ({
            caption: textOf(node),
            chips: [],
            y: top(node) - 15.5,
        }));
        for (const chip of all(panel, "chip")) {
            const row = rows.findLast(({ y }) => y <= top(chip));
            if (!row) throw new Error("a chip before all lines");
            row.chips.push(chipSeen(chip));
        }
        const coins = panelCoins(panel);
        return {
            title: all(panel, "title").map(textOf).join(),
            coins: all(panel, "coins").map(textOf).join(),
            said: coins,
            piece: all(panel, "piece")
                .map((piece) => this.#shapeOf(piece))
                .join(),
            rows: rows.map(({ caption, chips }) => ({ caption, chips })),
        };
    }

    discard(): { words: string[]; chips: string[] } {
        const panel = this.panel("discard");
        const chips = all(panel, "chip");
        const covered = new Set(
            [...chips, ...all(panel, "heading")].flatMap((node) => [node, ...tagged(node, "text")]),
        );
        return {
            words: tagged(panel, "text")
                .filter((text) => !covered.has(text))
                .map(textOf),
            chips: chips.map(chipSeen),
        };
    }

    /** Words of panels that are of nothing that is read here; and marks of what has changed. */
    loose(): string[] {
        const known = [
            ...["heading", "legend", "place", "tile", "over", "chase", "lane", "chip", "caption"],
            ...["title", "coins"],
        ];
        const read = new Set(
            known
                .flatMap((name) => all(this.root, name))
                .flatMap((node) => [node, ...tagged(node, "text")]),
        );
        const panels = all(this.root, "panel").filter(
            (panel) => !classesOf(panel).includes("discard"),
        );
        const words = panels
            .flatMap((panel) => tagged(panel, "text"))
            .filter((text) => !read.has(text));
        return [...words.map(textOf), ...all(this.root, "mark").map(() => "a mark")];
    }
}

const panelCoins = (panel: Node): string => {
    const group = tagged(panel, "g").filter(
        (node) =>
            attribute(node, "role") === "img" &&
            node.children.some((child) => classesOf(child).includes("coins")),
    );
    return group.map((node) => attribute(node, "aria-label")).join();
};

/** A chip is drawn twice, for eyes and for who touches it: the same both times. */
function chipSeen(chip: Node): string {
    const [eyes, touched] = all(chip, "bits").map(rowSeen);
    const [thing] = all(chip, "thing");
    if (eyes !== touched) throw new Error(`two faces: ${eyes ?? ""} and ${touched ?? ""}`);
    const noun = attribute(thing, "data-noun");
    const none = classesOf(chip).includes("none") ? " none" : "";
    return `${eyes ?? ""}${none}${noun ? ` <${noun}>` : ""}`;
}
