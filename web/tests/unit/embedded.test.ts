/** What the gateway's engine is given draws what Node draws, with nothing of Node or a browser. */
import { expect, test } from "vitest";
import { drawn } from "../../src/pictures/drawing";
import { Refused } from "../../src/pictures/picture";

type Codec = {
    TextEncoder: new () => { encode(text: string): Uint8Array };
    TextDecoder: new () => { decode(bytes: Uint8Array): string };
};

test("text becomes UTF-8 and text again as it does in a browser", async () => {
    const here = globalThis as Record<string, unknown>;
    const { TextEncoder: theirs, TextDecoder: theirReader } = globalThis;
    delete here["TextEncoder"];
    delete here["TextDecoder"];
    await import("../../src/pictures/encoding");
    const ours = here as unknown as Codec;
    const encoder = new ours.TextEncoder();
    const decoder = new ours.TextDecoder();
    here["TextEncoder"] = theirs;
    here["TextDecoder"] = theirReader;
    for (const text of [
        "",
        "Lothlórien",
        "Nazgûl – 50 €",
        "𐌰🜚",
        "\u007f\u0080\u07ff\u0800\uffff",
    ]) {
        const bytes = encoder.encode(text);

        expect([...bytes]).toEqual([...new theirs().encode(text)]);
        expect(decoder.decode(bytes)).toBe(text);
    }
});

test("what is refused says so in its first word, which is all that comes out of an engine", () => {
    const of = { view: {}, viewer: "", width: 720, theme: "light" } as const;

    expect(() => drawn({ ...of, game: "toy" })).toThrow(Refused);
    expect(String(new Refused("why"))).toBe("Refused: why");
    expect(() => drawn({ ...of, game: "duel", view: { nothing: 1 } })).toThrow(/no view of duel/);
});
