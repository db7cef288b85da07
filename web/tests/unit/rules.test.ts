import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { rendered, slug } from "../../rulesPages";
import { SECTIONS, rulesOf } from "../../src/pages/rules/sections";
import { catalogue } from "./catalogue";

const textOf = (game: string): string =>
    readFileSync(new URL(`../../../docs/rules/${game}.md`, import.meta.url), "utf8");

function idsOf(game: string): Set<string> {
    return new Set(
        [...rendered(textOf(game)).html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? ""),
    );
}

function recordedPrompts(game: string): Set<string> {
    const packed = readFileSync(new URL(`../recorded/${game}.json.gz`, import.meta.url));
    const recorded = JSON.parse(gunzipSync(packed).toString()) as {
        presets: Record<string, { questions: { question: { prompt: string } }[] }>;
    };
    const presets = Object.values(recorded.presets);
    return new Set(
        presets.flatMap((preset) => preset.questions.map(({ question }) => question.prompt)),
    );
}

describe("the rules", () => {
    test.each(Object.keys(SECTIONS))(
        "every link of %s leads somewhere, and nothing is raw HTML",
        (game) => {
            const page = rendered(textOf(game));

            expect(page.title).not.toBe("");
            expect(page.contents.length).toBeGreaterThan(10);
            expect(page.html).not.toMatch(/<script|style=|onerror|javascript:/i);
        },
    );

    test("raw HTML is refused when the page is built", () => {
        expect(() => rendered("# A\n\n<img src=x onerror=y>\n")).toThrow("raw HTML");
        expect(() => rendered("# A\n\ntext <b>bold</b>\n")).toThrow("raw HTML");
    });

    test("a link to nowhere is refused when the page is built", () => {
        expect(() => rendered("# A\n\n[there](#nowhere)\n")).toThrow("#nowhere");
    });

    test("a link to another file is text", () => {
        expect(rendered("# A\n\n[Ruling 1](../../services/x/RULINGS.md)\n").html).toBe(
            '<p><span class="cited">Ruling 1</span></p>\n',
        );
    });

    test("anchors are those of the sites that show these files", () => {
        expect(slug("9. The characters of `manual` and of the classic set")).toBe(
            "9-the-characters-of-manual-and-of-the-classic-set",
        );
    });

    test("numbered items can be linked to", () => {
        expect(rendered("# A\n\n* **D1.** *The choice*: play.\n").html).toContain('<li id="d1">');
    });
});

describe("where the rules speak of a question", () => {
    test.each(Object.keys(SECTIONS))("every prompt of %s has a section that is there", (game) => {
        const ids = idsOf(game);
        const prompts = new Set([
            ...(catalogue.find((one) => one.game === game)?.prompts ?? []),
            ...recordedPrompts(game),
        ]);
        const missing = [...prompts].filter(
            (prompt) => !ids.has(SECTIONS[game]?.[prompt]?.id ?? ""),
        );

        expect(missing).toEqual([]);
    });

    test.each(Object.keys(SECTIONS))(
        "no section of %s is for a prompt that there is not",
        (game) => {
            const prompts = new Set(catalogue.find((one) => one.game === game)?.prompts ?? []);

            expect(
                Object.keys(SECTIONS[game] ?? {}).filter((prompt) => !prompts.has(prompt)),
            ).toEqual([]);
        },
    );

    test("a link to it can be followed", () => {
        expect(rulesOf("confrontation", "battle.card")).toEqual({
            href: "/rules/confrontation#6-cards",
            title: "Rules: Cards",
        });
    });

    test("there is none for a game or a question that the page does not know", () => {
        expect(rulesOf("toy", "turn.move")).toBeUndefined();
        expect(rulesOf("confrontation", "toString")).toBeUndefined();
    });
});
