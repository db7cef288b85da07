/** What a position of Risk is made into: turns, players, regions, sets, dice, panels. */
import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { BoardSchema, MapSchema } from "$gen/bree/risk/v1/board_pb";
import { setValue } from "../../../src/boards/risk/facts";
import { cardsMeant, setsIn } from "../../../src/boards/risk/hand";
import type { Item } from "../../../src/boards/risk/items";
import { laidOut } from "../../../src/boards/risk/layout";
import { rollLine } from "../../../src/boards/risk/path";
import { FIRST, planned, positioned, REST } from "../../../src/boards/risk/plan";
import { income, playerRows } from "../../../src/boards/risk/players";
import { regionRows } from "../../../src/boards/risk/regions";
import { lastBattles, lastRing, losers } from "../../../src/boards/risk/told";
import { turnTold } from "../../../src/boards/risk/turn";
import { sure } from "../board/files";
import { ASKED, nounsOf, POSITIONS } from "./recorded";

const NONE: ReadonlySet<string> = new Set();

describe("sets of cards", () => {
    test.each([
        [["forlindon", "mithlond", "angmar"], 8],
        [["lune_valley", "harlindon", "borderlands"], 4],
        [["the_shire", "forodwaith", "buckland"], 6],
        [["the_shire", "forlindon", "harlindon"], 10],
        [["the_shire", "forodwaith", "forlindon"], 0],
        [["the_shire", "forodwaith", "wild_1"], 6],
        [["the_shire", "forlindon", "wild_1"], 10],
        [["the_shire", "wild_2", "wild_1"], 10],
    ])("%j bring %i", (cards, value) => {
        expect(setValue(cards)).toBe(value);
    });

    test("are worth what the question says they bring", () => {
        const choices = ASKED.flatMap(({ question }) => question.choices).filter(
            ({ action }) => action?.verb === "turn_in",
        );
        expect(choices.length).toBeGreaterThan(10);
        for (const { action, sentence } of choices)
            expect(sentence).toContain(`for ${setValue(action?.nouns ?? [])} battalions`);
    });

    test("are told once for each kind, the best first", () => {
        const sets = setsIn(["forlindon", "mithlond", "angmar", "the_shire", "harlindon"]);

        expect(sets.map(({ value }) => value)).toEqual([10, 8]);
    });

    test("no hand that must turn one in lacks one", () => {
        for (const { question, view } of ASKED.filter(
            ({ question }) => question.prompt === "reinforce.set",
        )) {
            const own = view.players.find(({ seat }) => seat === view.seat);
            const values = setsIn(own?.territoryCards?.known ?? []).map(({ value }) => value);

            expect(values.length, question.sentence).toBeGreaterThan(0);
        }
    });
});

describe("the names of cards that are territories", () => {
    test("mean territories while nothing is said of a set", () => {
        for (const { name, question, view } of ASKED) {
            const verbs = new Set(question.choices.map(({ action }) => action?.verb));
            if (verbs.has("turn_in")) continue;

            expect([...cardsMeant(view, nounsOf(question), NONE)], name).toEqual([]);
        }
    });
});

describe("players", () => {
    test("the points of each kind make the whole", () => {
        for (const { name, view } of POSITIONS)
            for (const row of playerRows(view)) {
                const sum = row.scores.reduce((all, { points }) => all + points, 0);

                expect(sum, `${name}: ${row.seat}`).toBe(row.total);
            }
    });

    test("what cards score is the sum of those that lie open", () => {
        for (const { name, view } of POSITIONS)
            for (const row of playerRows(view)) {
                const sum = row.played.reduce((all, { points }) => all + points, 0);
                const cards = row.scores.find(({ kind }) => kind === "cards")?.points;

                expect(sum, `${name}: ${row.seat}`).toBe(cards);
            }
    });

    test("what a turn brings is what was received when one began", () => {
        let found = 0;
        for (const { question, view, told } of ASKED) {
            const received = told.find(({ kind }) => kind === "reinforced")?.facts;
            const changes = ["battle_fought", "set_turned_in", "card_played", "conquered"];
            if (!received || told.some(({ kind }) => changes.includes(kind))) continue;
            const player = sure(view.players.find(({ seat }) => seat === received["seat"]));
            const { lands, regions, walls } = income(player);
            found += 1;

            expect([lands, regions, walls], question.sentence).toEqual([
                received["territories"],
                received["regions"],
                (received["strongholds"] as unknown[]).length,
            ]);
        }
        expect(found).toBeGreaterThan(10);
    });
});

describe("regions", () => {
    test("are whole for those who have their bonus", () => {
        for (const { name, view } of POSITIONS)
            for (const { seat, scores } of playerRows(view)) {
                const whole = regionRows(view).filter(({ holder }) => holder === seat);
                const bonus = whole.reduce((sum, region) => sum + region.bonus, 0);

                expect(bonus, `${name}: ${seat}`).toBe(
                    scores.find(({ kind }) => kind === "regions")?.points,
                );
            }
    });

    test("tell what the viewer lacks, if it is little", () => {
        const view = create(BoardSchema, {
            seat: "red",
            players: [{ seat: "red" }, { seat: "green" }],
            territories: ["red", "red", "green"].map((holder, territory) => ({
                holder,
                territory,
            })),
            map: create(MapSchema, {
                territories: ["A", "B", "C"].map((name) => ({ territory: name, name })),
                regions: [{ region: "x", name: "X", bonus: 3, territories: [0, 1, 2] }],
            }),
        });

        expect(regionRows(view)[0]?.lacking).toBe("You lack C");
        view.seat = "green";
        expect(regionRows(view)[0]?.lacking).toBe("You lack A and B");
        if (view.territories[2]) view.territories[2].holder = "red";
        expect(regionRows(view)[0]?.lacking).toBe("Red holds it all");
        expect(regionRows(view)[0]?.holder).toBe("red");
    });
});

describe("dice", () => {
    const round = (
        attack: number[],
        defence: number[],
        bonus: [number, number] = [0, 0],
    ): Parameters<typeof losers>[0] => ({
        from: "",
        to: "",
        attack,
        defence,
        bonus,
        lost: [0, 0],
        nth: 0,
    });

    test("of equal dice the attacker's loses, and a bonus is the highest die's", () => {
        expect(losers(round([6, 5, 1], [6, 4]))).toEqual(["ours", "theirs"]);
        expect(losers(round([6, 5, 1], [6, 4], [1, 0]))).toEqual(["theirs", "theirs"]);
        expect(losers(round([6, 5, 1], [6, 4], [1, 2]))).toEqual(["ours", "theirs"]);
        expect(losers(round([6, 6, 6], [6]))).toEqual(["ours"]);
        expect(losers(round([6], [6, 5], [1, 1]), 6)).toEqual(["ours"]);
    });

    test("each recorded battle cost what its dice say", () => {
        const battles = ASKED.flatMap(({ told }) => lastBattles(told)?.rounds ?? []);
        expect(battles.length).toBeGreaterThan(100);
        for (const battle of battles) {
            const lost = losers(battle);
            const count = (side: string): number => lost.filter((one) => one === side).length;

            expect([count("ours"), count("theirs")]).toEqual(battle.lost);
        }
    });

    test("stay when the next invasion begins, until others fall", () => {
        const declared = (
            from: string,
        ): { kind: string; facts: { from: string; seat: string } } => ({
            kind: "invasion_declared",
            facts: { from, seat: "red" },
        });
        const fought = { kind: "battle_fought", facts: { attack: [1, 3], defence: [2] } };
        const told = [declared("a"), fought, { kind: "conquered", facts: {} }, declared("b")];

        expect(lastBattles(told)?.rounds).toMatchObject([{ attack: [3, 1], defence: [2] }]);
        expect(lastBattles(told)?.conquered).toBe(true);
        expect(lastBattles(told.slice(0, 3))?.conquered).toBe(true);
        expect(lastBattles([...told, fought])?.rounds).toHaveLength(1);
        expect(lastBattles([declared("a")])).toBeUndefined();
    });

    test("those of another throw fall anew, and the same ones lie where they are", () => {
        const { view } = sure(ASKED.find(({ view }) => !view.invasion && view.turn));
        const fought = {
            kind: "battle_fought",
            facts: { from: "harad", to: "umbar", attack: [4, 3], defence: [2], lost: [0, 1] },
        };
        const declared = { kind: "invasion_declared", facts: { seat: "red", against: "green" } };
        const dice = (fights: (typeof fought)[]): string[] => {
            const position = positioned(view, [declared, ...fights]);
            const { panels } = planned(["battle"], position, NONE, 400, 1);
            return panels.flatMap(({ items }) =>
                items.flatMap(({ kind, key }) => (kind === "die" ? [key] : [])),
            );
        };
        const [once, again] = [dice([fought]), dice([fought, fought])];

        expect(once).toHaveLength(3);
        expect(dice([fought])).toEqual(once);
        expect(again.filter((key) => once.includes(key))).toEqual([]);
    });

    test("the Ring's last roll is told where it was rolled", () => {
        const [{ view }] = POSITIONS as [(typeof POSITIONS)[number]];
        const roll = lastRing([
            { kind: "fellowship_rolled", facts: { territory: "moria", die: 3 } },
        ]);

        expect(roll && rollLine(view, roll)).toBe("Last roll, to leave Moria: 3.");
    });
});

describe("the turn", () => {
    test("says how many battalions are left to place", () => {
        const placing = ASKED.filter(({ view }) => view.toPlace);
        expect(placing.length).toBeGreaterThan(20);
        for (const { view } of placing)
            expect(turnTold(view).lines.join(" ")).toMatch(new RegExp(`${view.toPlace} battalion`));
    });

    test("says who has won", () => {
        const over = POSITIONS.filter(({ view }) => view.result);
        expect(over.length).toBeGreaterThan(10);
        for (const { view } of over)
            for (const seat of view.result?.winners ?? [])
                expect(turnTold(view).title.toLowerCase()).toContain(seat);
    });
});

describe("panels", () => {
    const keys = (items: readonly Item[]): string[] => {
        const own = items.map(({ key }) => key);
        const double = own.filter((key, at) => own.indexOf(key) !== at);
        return [
            ...double,
            ...items.flatMap((one) => (one.kind === "thing" ? keys(one.items) : [])),
        ];
    };

    test.each([300, 344, 560, 688, 850, 1490])("fit a width of %i", (width) => {
        const lay = laidOut(width);
        for (const { name, view, told } of POSITIONS.filter((_, at) => at % 5 === 0)) {
            const position = positioned(view, told);
            const plan = planned([...FIRST, ...REST], position, NONE, lay.panels, lay.columns);
            for (const panel of plan.panels) {
                expect(keys(panel.items), name).toEqual([]);
                for (const item of panel.items) {
                    const right =
                        item.x + (item.kind === "thing" || item.kind === "box" ? item.w : 0);
                    expect(item.x, `${name} ${panel.kind} ${item.key}`).toBeGreaterThanOrEqual(0);
                    expect(right, `${name} ${panel.kind} ${item.key}`).toBeLessThanOrEqual(
                        panel.w - 19,
                    );
                }
            }
        }
    });
});
