/** Risk's board: all that can be spoken of can be touched, and nothing is drawn that is not known. */
import { expect, test } from "vitest";
import { board } from "../../../src/boards/risk/board";
import { cardsMeant } from "../../../src/boards/risk/hand";
import { pressed } from "../board/drawing";
import { sure } from "../board/files";
import { ASKED, doingsOf, drawn, nounsOf, POSITIONS } from "./recorded";

/** Hundreds of boards are drawn, and the machine has others to serve. */
const SECONDS = 120_000;

/** What is done without a thing of the board: the list of choices offers it. */
const ONLY_LISTED = [
    "back",
    "confirm",
    "defend",
    "fight",
    "move",
    "never",
    "pass",
    "pass_turn",
    "press",
    "stop",
];

test(
    "every noun of every recorded question is drawn once as a button, and nothing else is",
    () => {
        expect(ASKED.length).toBeGreaterThan(250);
        for (const { name, question, view, told } of ASKED) {
            const nouns = nounsOf(question);
            const lit = new Set([...nouns, ...doingsOf(question)]);
            const found = pressed(drawn(view, { lit, told })).filter((noun) => noun[0] !== ":");

            expect(found.sort(), name).toEqual([...nouns].sort());
        }
    },
    SECONDS,
);

test(
    "the verbs that the board cannot offer are these",
    () => {
        const verbs = new Set<string>();
        const offered = new Set<string>();
        for (const { question, view } of ASKED) {
            const doings = doingsOf(question);
            const bare = doings.filter((doing) => !nounsOf(question, doing.slice(1)).size);
            for (const doing of bare) verbs.add(doing.slice(1));
            const found = pressed(drawn(view, { lit: new Set(doings) }));
            for (const noun of found) offered.add(noun.slice(1));
        }
        const listed = [...verbs].filter((verb) => !offered.has(verb));

        expect(listed.sort()).toEqual(ONLY_LISTED);
        expect([...offered].sort()).toEqual([
            "below",
            "complete_missions",
            "end_combat",
            "hold",
            "keep_missions",
            "release",
            "stay",
            "turn_in",
        ]);
    },
    SECONDS,
);

test("a name means the territory while battalions are placed, and the card once a set is turned in", () => {
    const both = ASKED.filter(({ question, view }) => {
        const cards = nounsOf(question, "turn_in");
        return [...nounsOf(question, "place")].some((noun) => cards.has(noun)) && view.toPlace;
    });
    expect(both.length).toBeGreaterThan(0);
    for (const { question, view } of both) {
        const lit = new Set([...nounsOf(question), ...doingsOf(question)]);
        const lands = nounsOf(question, "place");
        const cards = nounsOf(question, "turn_in");
        const inHand = (html: string): string[] =>
            [...html.matchAll(/data-noun="([^"]+)" role="button" aria-label="Territory card/g)].map(
                ([, noun]) => noun ?? "",
            );

        expect(inHand(drawn(view, { lit })).filter((noun) => lands.has(noun))).toEqual([]);
        const turned = drawn(view, { lit: cards, picked: new Set([":turn_in"]) });
        expect(inHand(turned).sort()).toEqual([...cards].sort());
    }
});

test("whoever has to turn in a set touches cards, though their names are those of territories", () => {
    const asked = ASKED.filter(({ question }) => question.prompt === "reinforce.set");
    expect(asked.length).toBeGreaterThan(3);
    for (const { question, view } of asked) {
        const lit = nounsOf(question);
        const [first, ...rest] = [...lit];

        expect(cardsMeant(view, lit, new Set())).toEqual(
            new Set(view.players.find(({ seat }) => seat === view.seat)?.territoryCards?.known),
        );
        const next = cardsMeant(view, new Set(rest), new Set([sure(first)]));
        expect([...lit].filter((noun) => !next.has(noun))).toEqual([]);
    }
});

test(
    "nothing can be pressed while nothing is lit",
    () => {
        for (const { view } of POSITIONS.filter((_, at) => at % 10 === 0))
            expect(pressed(drawn(view))).toEqual([]);
    },
    SECONDS,
);

test("every noun has a name of its own", () => {
    const nouns = [...new Set(ASKED.flatMap(({ question }) => [...nounsOf(question)]))];
    const unnamed = nouns.filter((noun) => board.nameOf?.(noun) === undefined);

    expect(unnamed).toEqual([]);
    expect(nouns.length).toBeGreaterThan(100);
    expect(board.nameOf?.("bridge_02")).toBe("The Shire–Buckland");
    expect(board.nameOf?.("power_ambush")).toBe("Ambush!");
    expect(board.nameOf?.("wild_2")).toBe("Wild card 2");
    expect(board.nameOf?.("rivendell")).toBeUndefined();
});
