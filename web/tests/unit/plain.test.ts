/** The plain board tells all of every view, and what an action speaks of can be touched on it. */
import { clone, create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { NullValue, StructSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { Side } from "$gen/bree/warofthering/v1/board_pb";
import { boardOf } from "../../src/boards";
import { changes, found, nounsIn, saidIn } from "../../src/boards/plain/finding";
import { numbering } from "../../src/boards/plain/numbering";
import PlainBoard from "../../src/boards/plain/PlainBoard.svelte";
import { told, type Section, type Told } from "../../src/boards/plain/sections";
import { treeOf } from "../../src/boards/plain/tree";
import { games, questions, schemas, views, type Game } from "./recorded";

/** What is no part of a board of words: how the match was agreed, and where a drawing has things. */
const leftOut = new Set(["options", "charts", "x", "y", "point", "waypoints", "mordor_track"]);

function toldOf(game: Game, view: Message): Told {
    return told(treeOf(schemas[game], view));
}

type Leaf = (field: DescField, get: () => unknown, set: (value: unknown) => void) => void;

/** Calls with every single value that a message says. */
function leaves(message: ReflectMessage, leaf: Leaf): void {
    for (const field of message.fields.filter((field) => !leftOut.has(field.name))) {
        if (!message.isSet(field)) continue;
        if (field.fieldKind === "message") leaves(message.get(field), leaf);
        else if (field.fieldKind === "list") {
            const list = message.get(field);
            for (const [at, item] of [...list].entries()) {
                if (field.listKind === "message") leaves(item as ReflectMessage, leaf);
                else
                    leaf(
                        field,
                        () => list.get(at),
                        (value) => {
                            list.set(at, value);
                        },
                    );
            }
        } else if (field.fieldKind !== "map") {
            leaf(
                field,
                () => message.get(field),
                (value) => {
                    message.set(field, value);
                },
            );
        }
    }
}

function other(field: DescField, value: unknown): unknown {
    if (field.enum) return field.enum.values.find(({ number }) => number !== value)?.number;
    if (typeof value === "string") return "something_else";
    if (typeof value === "bigint") return value + 1n;
    return typeof value === "number" ? (value === 1 ? 2 : 1) : !value;
}

describe("boards on request", () => {
    test.each(games)("%s is drawn, or told in words of the same view", async (game) => {
        const [drawn, inWords] = await Promise.all([boardOf(game), boardOf(game, true)]);

        expect(drawn.picture).toBeDefined();
        expect(inWords).toMatchObject({ schema: drawn.schema, component: PlainBoard });
        expect(drawn.component).not.toBe(PlainBoard);
    });

    test("a game that nobody has drawn is told in words", async () => {
        expect((await boardOf("toy")).component).toBe(PlainBoard);
    });
});

function titles(sections: readonly Section[]): string[] {
    return sections.flatMap((section) => [section.title, ...titles(section.parts)]);
}

function section(all: Told, title: string): Section {
    const one = all.sections.find((section) => section.title === title);
    if (!one) throw new Error(`no ${title} among ${titles(all.sections).join(", ")}`);
    return one;
}

function wordsIn(items: readonly { words: readonly { text: string }[] }[] | undefined): string {
    return (items ?? []).map(({ words }) => words.map(({ text }) => text).join("")).join(" | ");
}

function row(of: Section, name: string): string[] {
    const row = of.table?.rows.find(({ key }) => key === name);
    return (row?.cells ?? []).map(wordsIn);
}

describe.each(games)("%s", { timeout: 60_000 }, (game) => {
    const seen = views(game);

    test("each kind of value that a view says is told: with another one, it tells otherwise", () => {
        const silent: string[] = [];
        const tried = new Set<string>();
        for (const { view } of seen) {
            const copy = clone(schemas[game] as DescMessage, view);
            const before = JSON.stringify(toldOf(game, copy).sections);
            leaves(reflect(schemas[game] as DescMessage, copy), (field, get, set) => {
                const path = `${field.parent.typeName}.${field.name}`;
                if (tried.has(path)) return;
                tried.add(path);
                const value = get();
                set(other(field, value));
                if (JSON.stringify(toldOf(game, copy).sections) === before) silent.push(path);
                set(value);
            });
        }

        expect(silent).toEqual([]);
        expect(tried.size).toBeGreaterThan(20);
    });

    test("what a question speaks of and the view says can be touched", () => {
        const missed: string[] = [];
        let count = 0;
        for (const { question, view } of questions(game)) {
            if (!view) continue;
            const words = new Set<string>();
            leaves(reflect(schemas[game] as DescMessage, view), (_, get) =>
                words.add(String(get())),
            );
            const all = toldOf(game, view);
            const nouns = nounsIn(all.sections, all.keys);
            for (const noun of question.choices.flatMap(({ action }) => action?.nouns ?? [])) {
                if (!words.has(noun) || /^\d+$/.test(noun)) continue;
                count += 1;
                if (!nouns.has(noun)) missed.push(`${question.prompt}: ${noun}`);
            }
        }

        expect(missed).toEqual([]);
        expect(count).toBeGreaterThan(20);
    });

    test("sections, facts and rows have places of their own", () => {
        for (const { view } of seen) {
            const { sections } = toldOf(game, view);
            const parts = (some: readonly Section[]): number =>
                some.reduce(
                    (count, { facts, table, parts: inner }) =>
                        count + facts.length + (table?.rows.length ?? 0) + parts(inner),
                    0,
                );
            expect(saidIn(sections).size).toBe(parts(sections));
        }
    });

    test("rows have a cell for each column, and no column is empty", () => {
        const each = (some: readonly Section[]): void => {
            for (const { title, table, parts } of some) {
                for (const [at, name] of table?.columns.entries() ?? []) {
                    const cells = table?.rows.map(({ cells }) => cells[at]);
                    expect(
                        cells?.some((cell) => cell?.length),
                        `${title} ${name}`,
                    ).toBe(true);
                }
                each(parts);
            }
        };
        for (const { view } of seen) each(toldOf(game, view).sections);
    });
});

test("every field that numbers things is one of a view", () => {
    const paths = new Set<string>();
    const visited = new Set<string>();
    const visit = (message: DescMessage): void => {
        if (visited.has(message.typeName)) return;
        visited.add(message.typeName);
        for (const field of message.fields) {
            paths.add(`${message.typeName}.${field.name}`);
            if (field.message) visit(field.message);
        }
    };
    for (const schema of Object.values(schemas)) visit(schema);

    expect([...numbering.keys()].filter((path) => !paths.has(path))).toEqual([]);
});

test("a territory of Risk has its name, its holder and what stands there in one row", () => {
    const all = told(
        treeOf(
            schemas.risk,
            create(schemas.risk, {
                territories: [{ holder: "red", battalions: 3n, leader: true }, { territory: 1 }],
                map: {
                    territories: [
                        { territory: "barad_dur", name: "Barad-dûr", symbol: "eagle" },
                        {
                            territory: "nurn",
                            name: "Nurn",
                            place: "thaurband",
                            placeName: "Thaurband",
                        },
                    ],
                    regions: [{ region: "mordor", name: "Mordor", territories: [0, 1] }],
                    roads: [{ a: 1, b: 0 }],
                },
            }),
        ),
    );

    expect(section(all, "Territories").table?.columns).toEqual([
        "Territory",
        "Holder",
        "Battalions",
        "Leader",
        "Region",
        "Symbol",
        "Place here",
    ]);
    expect(row(section(all, "Territories"), "barad_dur")).toEqual([
        "Barad-dûr",
        "Red",
        "3",
        "yes",
        "Mordor",
        "Eagle",
        "",
    ]);
    expect(row(section(all, "Territories"), "nurn").at(-1)).toBe("Thaurband");
    const roads = section(all, "Map").parts.find(({ title }) => title === "Roads");
    expect(roads?.table?.rows[0]?.cells.map(wordsIn)).toEqual(["Nurn", "Barad-dûr"]);
    expect(all.names.get("thaurband")).toBe("Thaurband");
});

test("lists that tell of the same places with the same words are told apart", () => {
    const all = told(
        treeOf(
            schemas.risk,
            create(schemas.risk, {
                territories: [{ holder: "red", battalions: 3n }],
                planned: [{ territory: "nurn", battalions: 2 }],
                map: { territories: [{ territory: "nurn", name: "Nurn" }] },
            }),
        ),
    );

    expect(section(all, "Territories").table?.columns.slice(2, 4)).toEqual([
        "Battalions",
        "Planned battalions",
    ]);
    expect(row(section(all, "Territories"), "nurn")).toEqual(["Nurn", "Red", "3", "2", "0"]);
});

test("a region of War of the Ring tells the armies in it", () => {
    const all = told(
        treeOf(
            schemas.warofthering,
            create(schemas.warofthering, {
                map: {
                    regions: [
                        { region: "edoras", name: "Edoras", nation: "rohan", borders: [1] },
                        { region: "folde", name: "Folde", borders: [0] },
                    ],
                },
                armies: [
                    {
                        region: "folde",
                        side: Side.FREE,
                        figures: { nations: [{ nation: "rohan", regulars: 2, elites: 1 }] },
                    },
                    { region: "folde", side: Side.SHADOW, figures: { nazgul: 1 } },
                ],
                nations: [{ nation: "rohan", name: "Rohan", side: Side.FREE, step: 2 }],
                fellowship: { region: "edoras", corruption: 0, guide: "strider" },
            }),
        ),
    );

    expect(row(section(all, "Regions"), "folde")[1]).toBe(
        "Free; Rohan, 2 regulars, 1 elite | Shadow; 1 nazgul",
    );
    expect(row(section(all, "Regions"), "edoras").at(-1)).toBe("Folde");
    expect(
        section(all, "Fellowship").facts.map(({ label, items }) => `${label}: ${wordsIn(items)}`),
    ).toEqual(["Region: Edoras", "Progress: 0", "Corruption: 0", "Guide: Strider"]);
    expect([...nounsIn(all.sections, all.keys)].sort()).toEqual(
        ["edoras", "folde", "rohan", "strider"].sort(),
    );
});

test("what is mentioned is touched where its own row is", () => {
    const { keys, sections } = told(
        treeOf(
            schemas.confrontation,
            create(schemas.confrontation, {
                regions: [
                    { region: "shire", good: { count: 1, pieces: [{ character: "frodo" }] } },
                ],
                battle: { region: "shire", attacker: "frodo" },
            }),
        ),
    );
    const battle = sections.filter(({ title }) => title === "Battle");

    expect(battle).toHaveLength(1);
    expect(nounsIn(battle, keys).size).toBe(0);
    expect([...nounsIn(sections, keys)].sort()).toEqual(["frodo", "shire"]);
});

test("a game without a message of its own sends a structure", () => {
    const view = create(StructSchema, {
        fields: {
            phase: { kind: { case: "stringValue", value: "dawn_watch" } },
            gold: { kind: { case: "numberValue", value: 3 } },
            nobody: { kind: { case: "nullValue", value: NullValue.NULL_VALUE } },
            tokens: {
                kind: {
                    case: "listValue",
                    value: {
                        values: ["ring", "key"].map((token) => ({
                            kind: {
                                case: "structValue" as const,
                                value: {
                                    fields: {
                                        token: {
                                            kind: { case: "stringValue" as const, value: token },
                                        },
                                        held: { kind: { case: "boolValue" as const, value: true } },
                                    },
                                },
                            },
                        })),
                    },
                },
            },
        },
    });
    const all = told(treeOf(StructSchema, view));

    expect(
        section(all, "Now").facts.map(({ label, items }) => `${label}: ${wordsIn(items)}`),
    ).toEqual(["Phase: Dawn Watch", "Gold: 3"]);
    expect(row(section(all, "Tokens"), "ring")).toEqual(["Ring", "yes"]);
    expect([...nounsIn(all.sections, all.keys)]).toEqual(["dawn_watch", "ring", "key"]);
});

describe("looking for something", () => {
    const [earlier, later] = views("risk")
        .filter(({ viewer }) => viewer === "yellow")
        .slice(3, 5);
    if (!earlier || !later) throw new Error("there are no views");
    const all = toldOf("risk", later.view);
    const anything = { typed: "", touchable: undefined, changed: undefined };
    const rows = (some: readonly Section[], title: string): string[] =>
        some.find((section) => section.title === title)?.table?.rows.map(({ key }) => key) ?? [];

    test("nothing sought finds everything", () => {
        expect(found(all.sections, anything, all.keys)).toEqual(all.sections);
    });

    test("words find rows and facts, without accents; a title finds all of its section", () => {
        const one = found(all.sections, { ...anything, typed: "barad" }, all.keys);
        expect(rows(one, "Territories")).toEqual(["barad_dur"]);
        const whole = found(all.sections, { ...anything, typed: "territories" }, all.keys);
        expect(rows(whole, "Territories")).toHaveLength(64);
        expect(found(all.sections, { ...anything, typed: "no such thing" }, all.keys)).toEqual([]);
    });

    test("what can be touched is found by its own row", () => {
        const touchable = new Set(["nurn", "moria"]);
        const lit = found(all.sections, { ...anything, touchable }, all.keys);

        expect(lit.map(({ title }) => title)).toEqual(["Territories"]);
        expect(rows(lit, "Territories").sort()).toEqual(["moria", "nurn"]);
    });

    test("what has changed is found", () => {
        const before = saidIn(toldOf("risk", earlier.view).sections);
        const changed = changes(before, saidIn(all.sections));
        const news = found(all.sections, { ...anything, changed }, all.keys);

        expect(changes(before, before).size).toBe(0);
        expect(rows(news, "Territories").length).toBeGreaterThan(0);
        expect(rows(news, "Territories").length).toBeLessThan(64);
        expect(news.map(({ title }) => title)).not.toContain("Map");
    });
});
