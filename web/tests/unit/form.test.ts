import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { CreateMatchRequestSchema } from "$gen/bree/gateway/v1/gateway_pb";
import {
    clockProblem,
    NO_CLOCK,
    NUMBER,
    optionProblem,
    optionSaid,
    orderOf,
    presetOf,
    presetValues,
    problemsOf,
    valueChoices,
    type Form,
} from "../../src/pages/new/form";
import { BY_CHANCE, LATER } from "../../src/pages/play/opening";
import { catalogue } from "./catalogue";

function gameOf(name: string) {
    const game = catalogue.find((one) => one.game === name);
    if (!game) throw new Error(name);
    return game;
}
const optionOf = (game: string, name: string) => {
    const option = gameOf(game).options.find((one) => one.name === name);
    if (!option) throw new Error(name);
    return option;
};
const form = (game: string, change: Partial<Form> = {}): Form => ({
    game,
    values: presetValues(gameOf(game), gameOf(game).presets[0]),
    seat: BY_CHANCE,
    bots: "",
    clock: NO_CLOCK,
    ...change,
});
const requestOf = (game: string, change: Partial<Form> = {}) =>
    create(CreateMatchRequestSchema, orderOf(gameOf(game), form(game, change)).request);

describe("the form of a match", () => {
    test.each(
        catalogue.flatMap((game) =>
            game.presets.map((preset) => [game.game, preset.name] as const),
        ),
    )("the preset %s %s asks for its options, and is known again by its values", (name, preset) => {
        const game = gameOf(name);
        const its = game.presets.find((one) => one.name === preset);
        const values = presetValues(game, its);
        const usual = presetValues(game);
        const asked = its?.options.filter((option) => usual[option.name] !== option.value);

        expect(requestOf(game.game, { values }).options).toEqual(asked);
        expect(presetOf(game, values)?.name).toBe(preset);
    });

    test("only what differs from the defaults is asked for, in the game's own order", () => {
        const values = {
            ...form("confrontation").values,
            inference: "on",
            dark_eighth: BY_CHANCE,
            draw_ply_cap: "120",
        };

        expect(
            requestOf("confrontation", { values }).options.map(({ name, value }) => [name, value]),
        ).toEqual([
            ["dark_eighth", "random"],
            ["draw_ply_cap", "120"],
            ["inference", "on"],
        ]);
        expect(presetOf(gameOf("confrontation"), values)).toBeUndefined();
    });

    test.each(
        catalogue.flatMap((game) =>
            game.options.map((option) => [game.game, option.name] as const),
        ),
    )("every value that is offered for %s %s is one that is allowed", (game, name) => {
        const option = optionOf(game, name);
        const offered = valueChoices(option).map(({ value }) => value);

        expect(offered.filter((value) => value !== NUMBER && optionProblem(option, value))).toEqual(
            [],
        );
        expect(offered).toEqual(expect.arrayContaining([...option.values]));
        expect(optionProblem(option, option.defaultValue)).toBe("");
    });

    test("numbers are held to the span", () => {
        const cap = optionOf("confrontation", "draw_ply_cap");
        const problem = "A whole number from 1 to 9999, please.";

        expect(["1", "9999", "none"].map((value) => optionProblem(cap, value))).toEqual([
            "",
            "",
            "",
        ]);
        for (const value of ["0", "10000", "", "1.5", "01", "-1", "1e3", "٣", "#"]) {
            expect(optionProblem(cap, value)).toBe(problem);
        }
    });

    test("chance is not offered where there is nothing to choose", () => {
        expect(valueChoices(optionOf("duel", "expansions")).map(({ value }) => value)).toEqual([
            "none",
        ]);
    });

    test("without a clock none is asked for", () => {
        expect(requestOf("duel").clock).toBeUndefined();
    });

    test.each([
        ["bank", 1_200_000n, 0n],
        ["move", 0n, 15_000n],
        ["both", 1_200_000n, 15_000n],
    ] as const)("the clock %s is asked for in milliseconds", (kind, bankMs, moveMs) => {
        const { clock } = requestOf("duel", { clock: { ...NO_CLOCK, kind, bot: "adept" } });

        expect(clock).toMatchObject({ bankMs, moveMs, botLevel: "adept" });
    });

    test("half an hour may be written as people write it", () => {
        const clock = { ...NO_CLOCK, kind: "bank", bank: " 0,5 ", bankUnit: "hours" } as const;

        expect(requestOf("duel", { clock }).clock?.bankMs).toBe(1_800_000n);
    });

    test.each(["", "0", "-3", "soon", "366000", "Infinity", "1e999"])(
        "a bank of %s days is refused",
        (bank) => {
            const clock = { ...NO_CLOCK, kind: "both", bank, bankUnit: "days" } as const;

            expect(clockProblem(clock)).not.toBe("");
            expect(problemsOf(gameOf("duel"), form("duel", { clock }))).toHaveProperty("clock");
        },
    );

    test("what is not shown is no matter", () => {
        expect(clockProblem({ ...NO_CLOCK, kind: "move", bank: "soon" })).toBe("");
    });

    test("bots are sent for only where one's own seat is known", () => {
        expect(orderOf(gameOf("duel"), form("duel", { seat: LATER, bots: "novice" })).bots).toBe(
            "",
        );
        expect(
            orderOf(gameOf("duel"), form("duel", { seat: "sauron", bots: "novice" })),
        ).toMatchObject({
            seat: "sauron",
            bots: "novice",
        });
    });

    test("a refusal is said beside the option of which it speaks", () => {
        expect(optionSaid({ game: "confrontation", said: "special_count=3" })).toBe(
            "special_count",
        );
        expect(optionSaid({ option: "conceal", value: "maybe" })).toBe("conceal");
        expect(optionSaid({})).toBe("");
    });
});
