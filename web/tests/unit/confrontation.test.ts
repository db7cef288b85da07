/** The board of The Confrontation: what may be touched is drawn, and what is not known is not. */
import { create, toJson, type JsonObject } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { BoardSchema, Side, Stage, type Board } from "$gen/bree/confrontation/v1/board_pb";
import { board } from "../../src/boards/confrontation/board";
import { CARDS, CHARACTERS, DECKS, REGIONS, TILES } from "../../src/boards/confrontation/facts";
import {
    boxOf,
    GROUND,
    labelOf,
    lastLine,
    LETTERS,
    PLATE,
    slotsOf,
    swordsOf,
} from "../../src/boards/confrontation/ground";
import { fallenRows } from "../../src/boards/confrontation/hand";
import { hintsOf } from "../../src/boards/confrontation/pieces";
import { broken, fitted, widthOf } from "../../src/boards/confrontation/letters";
import { changedRegions, heaps, standing, waiting } from "../../src/boards/confrontation/position";
import { explained } from "../../src/boards/confrontation/told";
import { doing } from "../../src/parts/touching";
import { ASKED, MOMENTS, nounsOf, thingsOn, viewOf } from "./confrontation.fixtures";

/** Hundreds of boards are drawn, and the machine has others to serve. */
const SECONDS = 60_000;

/** What speaks of nothing on the board: only the list of choices offers it. */
const ONLY_LISTED = ["fall", "keep", "pass", "reject", "stand", "waive"];

test(
    "every noun of every recorded question is drawn once as a button, and nothing else is",
    () => {
        expect(ASKED.length).toBeGreaterThan(150);
        for (const { name, question, view } of ASKED) {
            const lit = nounsOf(question);
            const buttons = thingsOn(view, lit).filter((thing) => thing.role === "button");
            const drawn = buttons.map((thing) => thing.noun).sort();

            expect(drawn, name).toEqual([...lit].sort());
        }
    },
    SECONDS,
);

test(
    "the choices that the board cannot offer are these",
    () => {
        const bare = ASKED.flatMap(({ question, view }) =>
            question.choices.flatMap(({ action }) =>
                action && !action.nouns.length ? [{ verb: action.verb, view }] : [],
            ),
        );
        const isDrawn = ({ verb, view }: (typeof bare)[number]): boolean =>
            thingsOn(view, new Set([doing(verb)])).some((thing) => thing.role === "button");
        const [drawn, listed] = [bare.filter(isDrawn), bare.filter((one) => !isDrawn(one))];

        expect([...new Set(listed.map(({ verb }) => verb))].sort()).toEqual(ONLY_LISTED);
        expect([...new Set(drawn.map(({ verb }) => verb))].sort()).toEqual(["gandalf_white"]);
    },
    SECONDS,
);

test("the recorded questions are of all kinds but those that ask for one of several by name", () => {
    const prompts = new Set(ASKED.map(({ question }) => question.prompt));

    expect([...prompts].sort()).toEqual([
        "battle.card",
        "battle.dark_text",
        "battle.escape",
        "battle.exchange",
        "battle.good_text",
        "battle.magic",
        "battle.retreat_to",
        "battle.support",
        "setup.draft",
        "setup.place",
        "setup.specials",
        "special.gwaihir",
        "special.palantir",
        "tunnel.ambush",
        "turn.move",
    ]);
});

test("a shown enemy can be attacked by name where he stands", () => {
    const view = middle();
    const region = view.regions.find((one) => one.dark?.count);
    region?.dark?.pieces.push({
        $typeName: "bree.confrontation.v1.Piece",
        character: "warg",
        shown: true,
    });
    const target = thingsOn(view, new Set(["warg"])).filter((thing) => thing.role === "button");

    expect(target.map((thing) => thing.noun)).toEqual(["warg"]);
    expect(target[0]?.label).toMatch(/^2 Warg, in .*seen by both sides$/);
});

/** All that a viewer may see with a face. */
function faces(view: Board): Set<string> {
    const placed = view.setup?.stage === Stage.PLACE || view.setup?.stage === Stage.DRAFT;
    const own = view.side === Side.GOOD ? "good" : "dark";
    return new Set([
        ...view.regions.flatMap(({ good, dark }) =>
            [...(good?.pieces ?? []), ...(dark?.pieces ?? [])].map((piece) => piece.character),
        ),
        ...(view.fallen?.good ?? []),
        ...(view.fallen?.dark ?? []),
        ...(placed && view.side ? (view.rosters?.[own]?.names ?? []) : []),
        ...(placed && view.side ? TILES[own].flat() : []),
    ]);
}

test(
    "no piece has a face that the view does not give it",
    () => {
        const views = [
            ...ASKED.flatMap(({ view, watched }) => [view, ...(watched ? [watched] : [])]),
            ...MOMENTS.map(([, told]) => viewOf(told)),
        ];
        for (const view of views) {
            const known = faces(view);
            const drawn = thingsOn(view).map((thing) => thing.noun);

            expect(drawn.filter((noun) => CHARACTERS.has(noun) && !known.has(noun))).toEqual([]);
        }
    },
    SECONDS,
);

test(
    "as many backs are drawn as there are hidden pieces, in the regions where they stand",
    () => {
        for (const { name, view } of ASKED) {
            const backs = thingsOn(view).filter((thing) =>
                thing.label.startsWith("A hidden piece of"),
            );
            const hidden = view.regions.flatMap(({ good, dark }) =>
                [good, dark].map((pieces) => (pieces?.count ?? 0) - (pieces?.pieces.length ?? 0)),
            );

            expect(backs.length, name).toBe(hidden.reduce((sum, one) => sum + one, 0));
        }
    },
    SECONDS,
);

test("a sealed card is known to its owner and to nobody else", () => {
    const told = (view: Board): string[] => thingsOn(view).map((thing) => thing.label);
    const sealed = ASKED.filter(({ watched }) => watched?.battle?.goodSealed);
    expect(sealed.length).toBeGreaterThan(5);
    for (const { view, watched, other } of sealed) {
        for (const one of [view, watched ?? view]) {
            expect(told(one)).toContain("A card is chosen, and not open yet");
            expect(told(one).filter((label) => label.includes(", chosen"))).toEqual([]);
        }
        const own = other?.battle?.yourCard ?? "";
        expect(told(other ?? view)).toContain(`${board.nameOf?.(own) ?? ""}, chosen`);
    }
});

test("every card lies in its place in every position after the setup", () => {
    for (const [, told] of MOMENTS) {
        const nouns = thingsOn(viewOf(told)).map((thing) => thing.noun);

        for (const card of [...DECKS.good, ...DECKS.dark])
            expect(nouns.filter((noun) => noun === card)).toHaveLength(1);
    }
});

test("the viewer's home is below, and Good's for who only watches", () => {
    const [good, dark] = ["good", "dark"].map((side) => boxOf(region("shire"), side as "good").y);

    expect(good).toBeGreaterThan(dark ?? 0);
    expect(slotsOf(region("mordor"), "dark", 0)).toHaveLength(4);
});

test("pieces stand in their regions for either viewer, as many as there is room for", () => {
    for (const one of REGIONS.values())
        for (const lower of ["good", "dark"] as const) {
            const box = boxOf(one, lower);
            for (const { x, y } of slotsOf(one, lower, 0)) {
                expect(x).toBeGreaterThanOrEqual(box.x);
                expect(x + PLATE.width).toBeLessThanOrEqual(box.x + box.width + 1);
                expect(y).toBeGreaterThanOrEqual(box.y);
                expect(y + PLATE.height).toBeLessThanOrEqual(box.y + box.height + 4);
            }
        }
});

test("no piece covers the name of its region, however many fight there, and none is off the page", () => {
    for (const one of REGIONS.values())
        for (const lower of ["good", "dark"] as const) {
            const name = labelOf(one, lower);
            const below = lastLine(name) + 3;
            for (const { y } of slotsOf(one, lower, one.capacity + 1)) {
                expect(y, one.name).toBeGreaterThanOrEqual(below);
                expect(y + PLATE.height, one.name).toBeLessThan(GROUND.height + 14);
            }
            const swords = swordsOf(one, lower);
            const halfName = widthOf(name.lines[0] ?? "", { size: LETTERS, bold: true }) / 2;
            const isBeside = Math.abs(swords.x - name.x) > halfName + 8;

            expect(isBeside || swords.y + 8 <= name.y - 8, one.name).toBe(true);
        }
});

test("all of a side's fallen have room in its corner, long names on two lines", () => {
    const box = { x: 0, y: 0, width: 84, height: 168 };
    for (const tiles of Object.values(TILES)) {
        const fallen = tiles.map(([classic = "", variant = ""]) =>
            (CHARACTERS.get(variant)?.short.length ?? 0) > 10 ? variant : classic,
        );
        const { rows, height } = fallenRows(fallen, box);

        expect(rows.map(({ character }) => character)).toEqual(fallen);
        expect(height).toBeLessThan(box.height - 15);
        expect(Math.min(...rows.map((row) => row.height))).toBeGreaterThan(LETTERS);
    }
});

test("a battle's plates are no lower than what a finger needs", () => {
    const [first, second] = slotsOf(region("rohan"), "good", 3);

    expect((second?.y ?? 0) - (first?.y ?? 0)).toBeGreaterThanOrEqual(24);
});

test("while pieces are placed they stand where the viewer has put them", () => {
    const view = create(BoardSchema, {
        side: Side.GOOD,
        regions: ["shire", "arthedain", "cardolan"].map((id) => ({
            region: id,
            good: {},
            dark: {},
        })),
        rosters: { good: { names: ["frodo", "gandalf", "merry"] } },
        setup: { stage: Stage.PLACE, yours: ["nobody arthedain", "merry cardolan"] },
    });
    const names = (region: string): unknown[] | undefined =>
        standing(view)
            .get(region)
            ?.map((piece) => piece.character);

    expect([names("shire"), names("arthedain"), names("cardolan")]).toEqual([[], [], ["merry"]]);
    expect(waiting(view)).toEqual(["frodo", "gandalf"]);

    view.setup?.yours.push("nobody rhudaur", "nobody eregion", "nobody enedwaith");
    expect(names("shire")).toEqual(["frodo", "gandalf"]);
    expect(waiting(view)).toEqual([]);
});

test("behind backs may be whom the view's inference allows, but for those who are seen there", () => {
    const view = create(BoardSchema, {
        side: Side.GOOD,
        regions: [
            { region: "rohan", dark: { count: 2, pieces: [{ character: "warg", shown: true }] } },
            { region: "gondor", dark: { count: 1 } },
        ],
        inference: {
            worlds: 2n,
            couldBe: [
                { character: "warg", regions: ["rohan"] },
                { character: "orcs", regions: ["rohan", "gondor"] },
                { character: "balrog", regions: ["gondor", "rohan"] },
                { character: "shelob", regions: ["gondor"] },
            ],
        },
    });

    expect(heaps(view).get("rohan")).toEqual({ certain: [], perhaps: ["orcs", "balrog"] });
    expect(heaps(view).get("gondor")?.certain).toEqual(["shelob"]);
});

test("whoever is behind a back for certain has his name on it, whole", () => {
    for (const character of CHARACTERS.keys()) {
        const view = create(BoardSchema, {
            side: Side.GOOD,
            regions: [{ region: "rohan", dark: { count: 1 } }],
            inference: { worlds: 1n, couldBe: [{ character, regions: ["rohan"] }] },
        });
        const [lines = []] = hintsOf(view, standing(view), heaps(view)).values();
        const widest = Math.max(...lines.map((line) => widthOf(line, { size: LETTERS })));

        expect(lines.length, character).toBeLessThanOrEqual(2);
        expect((PLATE.width - 8) / widest, character).toBeGreaterThan(0.8);
    }
});

test("regions are marked in which another number, face or mark is seen than before", () => {
    const before = create(BoardSchema, {
        game: 1,
        regions: [
            { region: "rohan", dark: { count: 1 } },
            { region: "gondor", dark: { count: 1, pieces: [{ character: "orcs" }] } },
            { region: "moria", good: { count: 1 } },
        ],
    });
    const now = structuredClone(before);
    if (now.regions[0]?.dark) now.regions[0].dark.count = 2;
    if (now.regions[1]?.dark?.pieces[0]) now.regions[1].dark.pieces[0].shown = true;

    expect([...changedRegions(before, now)]).toEqual(["rohan", "gondor"]);
    expect(changedRegions(undefined, now).size).toBe(0);
});

test("a text is told whole, with what the options of the match say", () => {
    const asked = (value: string): string[] => {
        const options = [{ name: "both_retreat", value }];
        return [...(explained(create(BoardSchema, { options }), "good_retreat")?.lines ?? [])];
    };
    const notes = CARDS.get("good_retreat")?.optionNotes.map((note) => note.note) ?? [];

    expect(notes.length).toBeGreaterThan(1);
    expect(asked("dark_only")).not.toEqual(asked("both_leave"));
    expect(notes.filter((note) => asked("dark_only").includes(note))).toHaveLength(1);
    expect(explained(create(BoardSchema), "frodo")?.lines[0]).toBe(CHARACTERS.get("frodo")?.text);
    expect(explained(create(BoardSchema), "nobody")).toBeUndefined();
});

test("a chart that the view has is told instead", () => {
    const entry = { name: "frodo", title: "Frodo", text: "As agreed.", exceptions: ["Not so."] };
    const view = create(BoardSchema, { charts: { good: [{ ...entry, inGame: true }] } });

    expect(explained(view, "frodo")?.lines).toEqual(["As agreed.", "Not so."]);
});

test("every noun has a name, and the two faces of a tile have different ones", () => {
    const nouns = [...CHARACTERS.keys(), ...CARDS.keys(), ...REGIONS.keys(), "nobody"];
    const names = nouns.map((noun) => board.nameOf?.(noun));

    expect(names).not.toContain(undefined);
    expect(new Set(names).size).toBe(nouns.length);
    expect(board.nameOf?.("saruman_variant")).toBe("Saruman (variant)");
    expect(board.nameOf?.("rivendell")).toBeUndefined();
});

test("every name fits on a piece in letters of the map, squeezed by a fifth at most", () => {
    const room = PLATE.width - 21 - 7.5;
    for (const { plate } of CHARACTERS.values()) {
        const { lines, size } = fitted(plate, room, LETTERS, true);
        const widest = Math.max(...lines.map((line) => widthOf(line, { size, bold: true })));

        expect(size).toBe(LETTERS);
        expect(lines.length).toBeLessThanOrEqual(2);
        expect(room / widest, plate).toBeGreaterThan(0.8);
    }
});

test("words are broken where a line is full, and no word is lost", () => {
    const text = "The Ring-bearer slips away sideways before any card is chosen";
    const lines = broken(text, 120, { size: 12 });

    expect(lines.join(" ")).toBe(text);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(widthOf(line, { size: 12 })).toBeLessThanOrEqual(120);
});

const region = (id: string): NonNullable<ReturnType<typeof REGIONS.get>> => {
    const found = REGIONS.get(id);
    if (!found) throw new Error(id);
    return found;
};

/** A position in which Good is to move. */
function middle(): Board {
    const asked = ASKED.find(
        ({ view, question }) => question.prompt === "turn.move" && view.side === Side.GOOD,
    );
    if (!asked) throw new Error("no such position is recorded");
    return viewOf(toJson(BoardSchema, asked.view) as JsonObject);
}
