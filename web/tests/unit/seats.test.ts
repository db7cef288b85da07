/** Seats by their teams, and what stands for each of them. */
import { create } from "@bufbuild/protobuf";
import { readFileSync } from "node:fs";
import { MatchSchema } from "$gen/bree/gateway/v1/gateway_pb";
import { expect, test } from "vitest";
import { OWNERS } from "../../src/boards/risk/owners";
import { seatMark } from "../../src/parts/seatMarks";
import { byTeam, mates, teamOf } from "../../src/parts/teams";

const read = (path: string): string =>
    readFileSync(new URL(`../../src/boards/${path}`, import.meta.url), "utf8");

const seats = [
    { seat: "yellow", account: "rosie" },
    { seat: "red", account: "sam" },
    { seat: "green", account: "tom" },
    { seat: "black", botLevel: "adept" },
];
const teams = [
    { name: "good", seats: ["yellow", "green"] },
    { name: "evil", seats: ["red", "black"] },
];
const match = create(MatchSchema, { seats, teams });

test("every seat stands in its team; without teams all stand together", () => {
    const names = (found: ReturnType<typeof byTeam>): string[] =>
        found.map(({ name, seats }) => `${name}: ${seats.map(({ seat }) => seat).join(" ")}`);

    expect(names(byTeam(match))).toEqual(["good: yellow green", "evil: red black"]);
    expect(names(byTeam(create(MatchSchema, { seats })))).toEqual([": yellow red green black"]);
});

test("one can write to people on one's side, and to no bots", () => {
    const namesOf = (seat: string, mine: string[]): string[] =>
        mates(match, seat, mine).map(({ account }) => account);

    expect(namesOf("yellow", ["yellow"])).toEqual(["tom"]);
    expect(namesOf("red", ["red"])).toEqual([]);
    expect(namesOf("yellow", ["yellow", "green"])).toEqual([]);
    expect(teamOf(match, "green")).toBe("good");
    expect(teamOf(create(MatchSchema, { teams: [{ name: "one", seats: ["red"] }] }), "red")).toBe(
        undefined,
    );
});

test("a seat has the colour and the outline that its board gives it", () => {
    const risk = read("risk/risk.css");
    for (const { seat } of seats) {
        expect(seatMark(seat).shape).toBe(OWNERS.get(seat)?.shape);
        expect(risk).toContain(`--o-${seat}: ${seatMark(seat).fill};`);
    }
    const ground = read("warofthering/Ground.svelte");
    for (const seat of ["gondor", "rohan", "witch_king", "saruman"]) {
        expect(ground).toContain(`fill: ${seatMark(seat).fill};`);
    }
    expect(seatMark("sauron").letters).toBe("S");
});
