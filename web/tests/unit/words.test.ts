import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { RatingSchema } from "$gen/bree/gateway/v1/gateway_pb";
import { shortTitle } from "../../src/frame/catalogue.svelte";
import { oneOf, randomId } from "../../src/frame/chance";
import { certaintyWords, ratingFigures } from "../../src/frame/ratings";
import { listed, optionTitle, seatTitle, sentence, valueWords } from "../../src/frame/words";
import { codeInGroups, codeOf, isToken, nameProblem } from "../../src/pages/own/names";
import { matchIn } from "../../src/pages/texts/matchIn";
import { catalogue } from "./catalogue";

describe("words", () => {
    test("seats, options and values are written as people write them", () => {
        expect(["good", "free_peoples", "witch_king"].map(seatTitle)).toEqual([
            "Good",
            "Free Peoples",
            "Witch-king",
        ]);
        expect(optionTitle("draw_ply_cap")).toBe("Draw ply cap");
        expect(["true", "false", "after_each_battle"].map(valueWords)).toEqual([
            "yes",
            "no",
            "after each battle",
        ]);
        expect(["", "a thing", "So it is!"].map(sentence)).toEqual(["", "A thing.", "So it is!"]);
        expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map((one) => listed(one))).toEqual([
            "",
            "a",
            "a and b",
            "a, b and c",
        ]);
    });

    test("titles are short in lists, and all different", () => {
        expect(catalogue.map(({ title }) => shortTitle(title))).toEqual([
            "The Confrontation",
            "Duel for Middle-earth",
            "Risk",
            "War of the Ring",
        ]);
    });

    test("how sure a rating is", () => {
        const words = (sigma: number, matches: bigint) =>
            certaintyWords(create(RatingSchema, { sigma, matches }));

        expect(words(8.33, 0n)).toBe("nothing has counted yet");
        expect(words(7.9, 1n)).toBe("hardly known, after 1 match");
        expect(words(5, 8n)).toBe("a rough guess, after 8 matches");
        expect(words(4, 20n)).toBe("fairly sure, after 20 matches");
        expect(words(1.2, 200n)).toBe("well known, after 200 matches");
        expect(ratingFigures({ mu: 27.33, sigma: 4.06 })).toBe("27.3 ± 4.1");
    });
});

describe("what is typed", () => {
    test.each(["ab", "rosie", "Sam_Gamgee-1", "a".repeat(24), " rosie "])(
        "%s may be a name",
        (name) => {
            expect(nameProblem(name)).toBe("");
        },
    );

    test.each(["", "a", "a".repeat(25), "two words", "<b>", "zoë", "👑👑", "\u202Eab"])(
        "%s may not",
        (name) => {
            expect(nameProblem(name)).not.toBe("");
        },
    );

    test("of a code only its letters and digits count", () => {
        expect(codeOf(" KMQ4-7xw2 \n")).toBe("kmq47xw2");
        expect([codeInGroups("kmq47xw2"), codeInGroups("kmq4-7xw2")]).toEqual([
            "kmq4-7xw2",
            "kmq4-7xw2",
        ]);
    });

    test("a token is told from a code", () => {
        expect(isToken(" k7mq2v9x3hd4nwpe.8Jx2PzQv0sRk1yTn5mWb7cLd ")).toBe(true);
        expect([isToken("kmq4-7xw2"), isToken("kmq4.7xw2"), isToken("")]).toEqual([
            false,
            false,
            false,
        ]);
    });

    test("a match is found by its name and by a link to it", () => {
        expect(matchIn(" c-7f3k2m9pqa ")).toBe("c-7f3k2m9pqa");
        expect(matchIn("https://bree.example/m/c-7f3k2m9pqa?seat=dark#x")).toBe("c-7f3k2m9pqa");
        expect([
            matchIn(""),
            matchIn("abc"),
            matchIn("https://bree.example/m/<b>"),
            matchIn("two words"),
        ]).toEqual([undefined, undefined, undefined, undefined]);
    });
});

describe("chance", () => {
    test("each of some things comes, and no other", () => {
        const drawn = new Set(Array.from({ length: 300 }, () => oneOf(["a", "b", "c"])));

        expect(drawn).toEqual(new Set(["a", "b", "c"]));
        expect(oneOf<string>([])).toBeUndefined();
    });

    test("an id fits the platform and comes once", () => {
        const ids: string[] = [];
        for (let drawn = 0; drawn < 50; drawn += 1) ids.push(randomId());

        expect(new Set(ids).size).toBe(50);
        expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
    });
});
