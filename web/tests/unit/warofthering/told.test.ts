/** What the log tells of battles, of the Hunt and of dice, as the board reads it and as it is drawn. */
import { describe, expect, it } from "vitest";
import type { Told } from "../../../src/boards/contract";
import { chipsIn } from "../../../src/boards/warofthering/blocks";
import { CARDS, COMBATS, sideName, SIDES } from "../../../src/boards/warofthering/facts";
import { panelsOf } from "../../../src/boards/warofthering/plan";
import { taleOf } from "../../../src/boards/warofthering/told";
import { sure } from "../board/files";
import { groups, icons, words } from "./read";
import { drawn, POSITIONS, QUESTIONS, VIEWS } from "./recorded";

const line = (kind: string, facts: Told["facts"] = {}): Told => ({ kind, facts });
const rolled = (what: string, ...dice: number[]): Told => line("rolled", { what, dice });

const BATTLE: readonly Told[] = [
    line("turn_began", { turn: 3 }),
    line("action_dice_rolled", { side: "free", faces: ["army"] }),
    line("action_taken", { seat: "shadow", face: "army", deed: "attack" }),
    line("battle_began", { attacker: "shadow", region: "edoras", kind: "field" }),
    line("combat_card_chosen", { side: "shadow", deck: "strategy" }),
    line("combat_card_chosen", { side: "free", deck: null }),
    line("combat_card_revealed", { side: "shadow", card: "corsairs_of_umbar" }),
    rolled("combat_shadow", 5, 1),
    rolled("combat_free", 6),
    rolled("reroll_shadow", 6),
    line("hits_scored", { side: "free", hits: 1 }),
    line("unit_lost", { figure: "sauron_regular", place: "folde" }),
    line("hits_scored", { side: "shadow", hits: 2 }),
    line("unit_reduced", { figure: "rohan_elite", place: "edoras" }),
    rolled("volley_shadow", 3),
    line("card_spent", { card: "corsairs_of_umbar", side: "shadow" }),
    line("chosen", { seat: "shadow", what: "go_on", choice: "go_on" }),
    rolled("combat_shadow", 2),
    rolled("combat_free", 3, 4),
    line("hits_scored", { side: "free", hits: 0 }),
    line("hits_scored", { side: "shadow", hits: 0 }),
];

describe("a battle is read from the log", () => {
    it("round by round, with cards, dice, re-rolls, hits and losses", () => {
        const { fought } = taleOf(BATTLE);
        const { rounds, ...rest } = sure(fought);

        expect(rest).toMatchObject({ region: "edoras", attacker: "shadow", isOver: false, at: 3 });
        expect(rounds).toEqual([
            {
                shadow: {
                    card: "corsairs_of_umbar",
                    dice: [5, 1],
                    again: [6],
                    hits: 2,
                    lost: [{ figure: "sauron_regular", isReduced: false }],
                },
                free: {
                    dice: [6],
                    again: [],
                    hits: 1,
                    lost: [{ figure: "rohan_elite", isReduced: true }],
                },
                more: [{ what: "volley_shadow", dice: [3] }],
                at: 4,
            },
            {
                shadow: { dice: [2], again: [], hits: 0, lost: [] },
                free: { dice: [3, 4], again: [], hits: 0, lost: [] },
                more: [],
                at: 17,
            },
        ]);
    });

    it("with its end, until somebody does something else", () => {
        const over = [
            ...BATTLE,
            line("army_retreated", { side: "free", to: "westemnet" }),
            line("settlement_captured", { region: "edoras", side: "shadow" }),
            line("battle_ended"),
        ];
        const end = { left: { side: "free", to: "westemnet" }, isOver: true };
        const taken = [{ region: "edoras", by: "shadow" }];

        expect(taleOf(over).fought).toMatchObject({ ...end, taken, isNow: true });
        const later = [...over, line("passed", { seat: "free_peoples" })];
        expect(taleOf(later).fought).toMatchObject({ ...end, taken, isNow: false });
        expect(taleOf([...later, line("turn_began", { turn: 4 })]).fought).toBeUndefined();
    });

    it("and leaders who roll again after the losses belong to the same round", () => {
        const late = [
            ...BATTLE,
            rolled("reroll_free", 5),
            line("hits_scored", { side: "free", hits: 1 }),
        ];
        const { rounds } = sure(taleOf(late).fought);

        expect(rounds).toHaveLength(2);
        expect(rounds[1]?.free).toMatchObject({ again: [5], hits: 1 });
    });

    it("as the views of recorded battles have it", () => {
        const battles = VIEWS.filter(({ view, told }) => view.battle && told.length);
        expect(battles.length).toBeGreaterThan(20);
        expect(Math.max(...battles.map(({ view }) => view.battle?.round ?? 0))).toBeGreaterThan(3);
        for (const { name, view, told } of battles) {
            const battle = sure(view.battle);
            const { rounds, region, attacker } = sure(taleOf(told).fought);
            const now = rounds[battle.round - 1];

            expect([name, region, attacker]).toEqual([
                name,
                battle.region,
                sideName(battle.attacker),
            ]);
            // Where nobody holds a card, a round has not begun before its dice fall.
            expect([battle.round - 1, battle.round]).toContain(rounds.length);
            for (const side of SIDES) {
                expect(now?.[side].card ?? "").toBe(battle[side]?.card?.card ?? "");
                if (now?.[side].hits === undefined) continue;
                expect([name, side, now[side].hits]).toEqual([name, side, battle[side]?.hits]);
            }
        }
    });

    it("and each round is drawn with its dice, after a reload as before", () => {
        const battles = VIEWS.filter(({ view, told }) => view.battle && told.length);
        for (const { view, told } of battles) {
            const boxes = groups(drawn(view, view.seat ?? "", new Set(), told), "data-chip");
            for (const [at, round] of sure(taleOf(told).fought).rounds.entries()) {
                for (const side of SIDES) {
                    const key = `round.${at + 1}.${side}`;
                    const { dice, again } = round[side];
                    const seen = ["dice", "again"].map((row) =>
                        icons(boxes.get(`${key}.${row}`) ?? ""),
                    );

                    expect(seen[0]).toEqual(dice.map((die) => `die${die}`));
                    expect(seen[1]).toEqual(again.map((die) => `die${die}`));
                }
            }
        }
    });

    it("and told with the title of its card and what was lost", () => {
        const { view } = sure(VIEWS.find(({ view }) => !view.battle && !view.result));
        const over = [...BATTLE, line("battle_ended")];
        const panel = panelsOf(view, taleOf(over)).find(({ key }) => key === "battle");
        const told = JSON.stringify(sure(panel));

        expect(panel?.title).toBe("The battle is over: Edoras");
        expect(told).toContain(sure(COMBATS.get(sure(CARDS.get("corsairs_of_umbar")).combat)).name);
        expect(told).toContain("Lost: 1 Sauron Regular.");
        expect(told).toContain("Become Regulars: 1 Rohan Elite.");
    });
});

const HUNT: readonly Told[] = [
    line("turn_began", { turn: 3 }),
    line("action_taken", { seat: "free_peoples", face: "character", deed: "move_fellowship" }),
    line("fellowship_moved", { progress: 2 }),
    rolled("hunt", 1, 4, 6),
    rolled("hunt_reroll", 5),
    line("hunt_rolled", { successes: 2 }),
    line("tile_drawn", { tile: "give_it_to_uss" }),
    line("tile_drawn", { tile: "2r" }),
    line("companion_lost", { companion: "boromir" }),
    line("corruption_changed", { corruption: 4 }),
    line("fellowship_revealed"),
];

describe("the Hunt is read from the log", () => {
    it("with what was rolled, drawn, and what came of it", () => {
        expect(taleOf(HUNT).hunted).toEqual({
            dice: [1, 4, 6],
            again: [5],
            successes: 2,
            tiles: [
                { tile: "give_it_to_uss", isVoid: false },
                { tile: "2r", isVoid: false },
            ],
            came: [
                { kind: "companion_lost", about: "boromir" },
                { kind: "corruption_changed", about: "4" },
                { kind: "fellowship_revealed", about: "" },
            ],
            isNow: true,
            at: 3,
        });
        const later = [
            ...HUNT,
            line("action_taken", { seat: "shadow", face: "army", deed: "attack" }),
        ];
        expect(taleOf(later).hunted?.isNow).toBe(false);
        expect(taleOf([...later, line("turn_began", { turn: 4 })]).hunted).toBeUndefined();
    });

    it("with a tile that did nothing, and one whose damage is a die", () => {
        const more = [
            ...HUNT,
            line("tile_drawn", { tile: "eye" }),
            line("tile_without_effect", { tile: "eye" }),
            line("tile_drawn", { tile: "shelobs_lair" }),
            rolled("tile", 3),
        ];

        expect(sure(taleOf(more).hunted).tiles.slice(2)).toEqual([
            { tile: "eye", isVoid: true },
            { tile: "shelobs_lair", isVoid: false, die: 3 },
        ]);
    });

    it("and drawn where it is met", () => {
        const { view } = sure(QUESTIONS.find(({ view }) => view.huntDamage));
        const boxes = groups(drawn(view, view.seat ?? "", new Set(), HUNT), "data-chip");

        expect(icons(sure(boxes.get("hunted.dice.3")))).toEqual([
            ...["die1", "die4", "die6", "again", "die5"],
        ]);
        expect(words(sure(boxes.get("hunted.tile.3.1")))).toEqual(["2"]);
        expect(icons(sure(boxes.get("hunted.tile.3.1")))).toEqual(["reveal"]);
    });

    it("and the tiles drawn are among those that the view has drawn", () => {
        const hunts = POSITIONS.filter(({ told }) => taleOf(told).hunted);
        expect(hunts.length).toBeGreaterThan(5);
        for (const { view, told } of hunts) {
            const hunt = sure(view.hunt);
            const out = [...hunt.drawn, ...hunt.removed].map(({ tile }) => tile);
            for (const { tile } of sure(taleOf(told).hunted).tiles)
                expect(view.result ? tile : out).toContain(tile);
        }
    });
});

describe("dice", () => {
    const looks = (told: readonly Told[], since: number): string[] => {
        const { view } = sure(VIEWS.find(({ view }) => view.free?.dice.length && !view.battle));
        const panels = panelsOf(view, taleOf(told, since));
        return panels
            .flatMap(chipsIn)
            .flatMap(({ look = "" }) => look.match(/fell\d|tumbling/) ?? []);
    };

    it("move when they fall before somebody's eyes, and lie still when a page is loaded", () => {
        expect(looks(BATTLE, BATTLE.length)).toEqual([]);
        expect(looks(BATTLE, 1).length).toBeGreaterThan(0);
        // A page that is loaded in a battle: the dice of the next round fall.
        const over = [...BATTLE, line("battle_ended")];
        const fallen = (since: number): number =>
            looks(over, since).filter((look) => look === "tumbling").length;
        expect([fallen(over.length), fallen(9), fallen(4)]).toEqual([0, 4, 9]);
        expect(looks(HUNT, HUNT.length)).toEqual([]);
        expect(looks(HUNT, 3)).toEqual(["tumbling"]);
    });

    it("fall again each turn: the motion has another name", () => {
        const { view } = sure(VIEWS.find(({ view }) => view.free?.dice.length));
        const names = [4, 5].map((turn) => {
            const panels = panelsOf({ ...view, turn }, taleOf(BATTLE, 0)).flatMap(chipsIn);
            return panels.flatMap(({ look = "" }) => look.match(/fell\d/) ?? [])[0];
        });

        expect(names).toEqual(["fell0", "fell1"]);
    });
});

describe("who does what", () => {
    it("is told in the panel of the turn, until it is taken back", () => {
        const { view } = sure(VIEWS.find(({ view }) => !view.result));
        const told = (lines: readonly Told[]): string =>
            JSON.stringify(panelsOf(view, taleOf(lines)).find(({ key }) => key === "turn"));

        expect(told(HUNT)).toContain("Free Peoples (Character): Move the Fellowship.");
        expect(told([...HUNT, line("taken_back", { seat: "free_peoples" })])).not.toContain(
            "Move the Fellowship",
        );
    });

    it("and which cards team-mates exchanged, to them alone", () => {
        const { view, told } = sure(
            QUESTIONS.find(({ told }) => told.some(({ facts }) => Array.isArray(facts?.["cards"]))),
        );
        const { cards } = sure(told.find(({ facts }) => Array.isArray(facts?.["cards"]))?.facts);
        const hand = JSON.stringify(panelsOf(view, taleOf(told)));

        for (const card of cards as string[]) expect(hand).toContain(sure(CARDS.get(card)).name);
        expect(hand).toContain("Exchanged this turn with your team-mate");
        expect(taleOf([line("cards_swapped", { side: "free" })]).swaps).toEqual({ free: [] });
    });
});
