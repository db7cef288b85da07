/** Texts from people and from the platform are texts, whatever they look like; long logs are windows. */
import { create } from "@bufbuild/protobuf";
import { MatchSchema } from "$gen/bree/gateway/v1/gateway_pb";
import { render } from "svelte/server";
import { expect, test } from "vitest";
import { faces } from "../../../src/match/clocks";
import Players from "../../../src/match/Players.svelte";
import Verify from "../../../src/match/Verify.svelte";
import { clockFace, outcomeWords, refusalWords, waitingWords } from "../../../src/match/words";
import Explain from "../../../src/parts/Explain.svelte";
import Log from "../../../src/parts/Log.svelte";

const hostile = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    '" onclick="alert(1)',
    "{@html evil}",
    "\u202Eright to left \u05D0\u05D1",
    "👩‍👩‍👧‍👦".repeat(24),
    "x".repeat(3000),
];
const nothing = (): void => undefined;
const line = (sentence: string, at = 0): object => ({ at, sentence, nouns: [], revision: 1n });

/** The tags of a piece of markup, without what is between them. */
const tags = (html: string): string[] => html.match(/<\/?[a-z][^>]*>/gi) ?? [];

test.each(hostile)("%s is shown as it is written", (text) => {
    const match = create(MatchSchema, {
        game: "toy",
        seats: [
            { seat: "good", account: text },
            { seat: "dark", botLevel: "greedy" },
        ],
    });
    const shown = [
        render(Log, { props: { lines: [line(text)], point: nothing } as never }),
        render(Explain, { props: { what: { title: text, lines: [text] } } }),
        render(Verify, { props: { verdict: { holds: false, said: [text] }, name: text } }),
        render(Players, {
            props: { match, standing: undefined, cameAt: 0, mine: [], clients: {} as never },
        }),
    ];
    for (const { body } of shown) {
        expect(
            tags(body).some((tag) =>
                /script|img|onerror|onclick/i.test(tag.replace(/href="[^"]*"/, "")),
            ),
        ).toBe(false);
        expect(body).toContain("<bdi>");
    }
});

test("of ten thousand lines a part is drawn, the latest, and the others can be reached", () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => line(`line ${at}`, at));
    const now = render(Log, { props: { lines, point: nothing } as never }).body;

    expect((now.match(/data-at/g) ?? []).length).toBeLessThan(320);
    expect(now).toContain("line 9999");
    expect(now).toContain("Show earlier lines (9850)");
    expect((now.match(/tabindex="0"/g) ?? []).length).toBe(1);
});

test("an empty log says so", () => {
    const { body } = render(Log, { props: { lines: [], point: nothing } });

    expect(body).toContain("Nothing has happened yet");
});

test("clocks run for who is asked, from when the standing came, and stop at nothing", () => {
    const standing = {
        clocks: [
            { seat: "good", leftMs: 5_000n, expires: { seconds: 1n, nanos: 0 } },
            { seat: "dark", leftMs: 9_000n },
        ],
    } as never;

    expect(faces(standing, 1_000, 3_000).map(({ leftMs }) => leftMs)).toEqual([3_000, 9_000]);
    expect(faces(standing, 1_000, 99_000).map(({ leftMs }) => leftMs)).toEqual([0, 9_000]);
    expect([0, 999, 61_000, 3_723_000, 183_600_000].map(clockFace)).toEqual([
        "0:00",
        "0:01",
        "1:01",
        "1:02:03",
        "2 d 3 h",
    ]);
});

test("whose turn it is and how it ended is said for whoever looks", () => {
    const standing = { waiting: ["good", "free_peoples"] } as never;
    const outcome = {
        ending: 1,
        scores: [
            { seat: "good", score: -1 },
            { seat: "dark", score: 1 },
        ],
    } as never;

    expect(waitingWords(standing, ["good"])).toBe("It is your turn: Good.");
    expect(waitingWords(standing, [])).toBe("Good and Free Peoples are deciding.");
    expect(outcomeWords(outcome, ["good"])).toBe("You have lost (Good -1, Dark 1).");
    expect(outcomeWords(outcome, [])).toBe("Dark has won (Good -1, Dark 1).");
    expect(outcomeWords({ ending: 2, scores: [] } as never, ["good"])).toContain("aborted");
    expect(refusalWords({ reason: "BUG", message: "this is a bug in Bree", metadata: {} })).toBe(
        "This is a bug in Bree.",
    );
});
