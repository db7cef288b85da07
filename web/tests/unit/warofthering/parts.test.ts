/** What the parts of the board that the rules guide names have to say, read from their panels. */
import { describe, expect, it } from "vitest";
import { BattleKind, type Board, Side } from "$gen/bree/warofthering/v1/board_pb";
import type { Told } from "../../../src/boards/contract";
import { aboutRegion } from "../../../src/boards/warofthering/abouts";
import { leadershipWords } from "../../../src/boards/warofthering/battle";
import { type Chip, chipsIn, laidOut, type Panel } from "../../../src/boards/warofthering/blocks";
import { SIDES, seatTitle, sideName, unitsBySeat } from "../../../src/boards/warofthering/facts";
import { panelsOf } from "../../../src/boards/warofthering/plan";
import { standing, tokensOf } from "../../../src/boards/warofthering/pieces";
import { taleOf } from "../../../src/boards/warofthering/told";
import { zoomOf } from "../../../src/parts/map/camera";
import { doing } from "../../../src/parts/touching";
import { sure } from "../board/files";
import { POSITIONS, QUESTIONS, VIEWS } from "./recorded";

const panelOf = (view: Board, key: string, lit: readonly string[] = []): Panel | undefined =>
    panelsOf(view, undefined, { lit: new Set(lit), picked: new Set() }).find(
        (panel) => panel.key === key,
    );
const linesIn = ({ blocks }: Panel): string[] =>
    blocks.flatMap((block) => (block.kind === "line" ? [block.text] : []));
const read = ({ bits, lines = [] }: Chip): string =>
    [...bits.flatMap(({ text }) => text ?? []), ...lines].join(" ");

describe("CasualtyPrompt", () => {
    const asked = QUESTIONS.filter(({ view }) => view.losses);

    it("tells of each unit what it costs", () => {
        expect(asked.length).toBeGreaterThan(4);
        for (const { view } of asked) {
            const chips = chipsIn(sure(panelOf(view, "losses")));
            for (const { figure, hits, replacedBy } of sure(view.losses).choices) {
                const chip = sure(chips.find(({ key }) => key === `losses.${figure}`));
                const does = replacedBy === undefined ? "Lost" : "Becomes a Regular";

                expect(read(chip)).toContain(`${does}: ${hits} hit`);
            }
        }
    });

    it("tells which Regulars can take an Elite's place", () => {
        for (const { view } of asked) {
            const [told = ""] = linesIn(sure(panelOf(view, "losses")));
            const side = sure(view.seats.find(({ seat }) => seat === view.losses?.seat)).side;
            const own = view.nations.filter((of) => of.side === side).map(({ nation }) => nation);
            const piles = [view.reserve, view.battle?.lost].flatMap((pile) => pile?.nations ?? []);
            const count = piles
                .filter(({ nation }) => own.includes(nation))
                .reduce((sum, { regulars }) => sum + regulars, 0);
            const numbers = [...told.matchAll(/ (\d+)/g)].map(([, number]) => Number(number));

            expect(numbers.reduce((sum, number) => sum + number, 0)).toBe(count);
        }
    });

    it("warns where none is left, and only there", () => {
        const { view } = sure(
            asked.find(({ view }) => view.losses?.choices.some(({ replacedBy }) => replacedBy)),
        );
        const losses = sure(view.losses);
        const elite = sure(losses.choices.find(({ replacedBy }) => replacedBy));
        const bare = { ...losses, choices: [{ ...elite, hits: 1, replacedBy: undefined }] };
        const warned = (of: Board): string => linesIn(sure(panelOf(of, "losses"))).join(" ");

        expect(warned(view)).not.toContain("No Regular is left");
        expect(warned({ ...view, losses: bare })).toContain("No Regular is left");
    });

    it("says that Merry and Pippin come back, unless they are in Mordor", () => {
        const { view } = sure(QUESTIONS.find(({ view }) => view.huntDamage));
        const fellowship = { ...sure(view.fellowship), company: ["meriadoc", "peregrin"] };
        const random = (of: Board): string =>
            read(
                sure(
                    chipsIn(sure(panelOf(of, "damage"))).find(({ key }) => key === "damage.random"),
                ),
            );

        expect(random({ ...view, fellowship })).toContain("Merry and Pippin would come back");
        const mordor = { ...fellowship, mordor: 2 };
        expect(random({ ...view, fellowship: mordor })).not.toContain("would come back");
        const published = [
            { ...sure(view.options[0]), name: "hobbit_elimination", value: "published" },
        ];
        expect(random({ ...view, fellowship, options: published })).not.toContain(
            "would come back",
        );
    });
});

describe("StackingPrompt", () => {
    it("tells how many go, whose they are, and who removes first", () => {
        const asked = QUESTIONS.filter(({ prompt }) => prompt === "stacking.remove_excess");
        expect(asked.length).toBeGreaterThan(2);
        for (const { view } of asked) {
            const [told = ""] = linesIn(sure(panelOf(view, "stacking")));
            const army = sure(
                view.armies.find(({ figures, garrison }) => {
                    const units = unitsBySeat(view, figures).reduce((sum, [, n]) => sum + n, 0);
                    return units > (garrison ? 5 : 10);
                }),
            );
            const there = unitsBySeat(view, army.figures);
            const total = there.reduce((sum, [, n]) => sum + n, 0);

            expect(told).toContain(`${total} of at most ${army.garrison ? 5 : 10}`);
            expect(told).toContain(`: ${total - (army.garrison ? 5 : 10)} to go back`);
            if (there.length < 2) {
                expect(told).not.toContain("in turn");
                continue;
            }
            const leader = sure(
                view.seats.find(
                    ({ seat, leading }) => leading && there.some(([of]) => of === seat),
                ),
            );
            expect(told).toContain(`before ${seatTitle(leader.seat)}.`);
            for (const [seat, units] of there)
                expect(told).toContain(`${seatTitle(seat)} ${units}`);
        }
    });
});

describe("CombatPrompt", () => {
    it("tells total Leadership, and whose it is adds up to it", () => {
        const battles = VIEWS.filter(({ view }) => view.battle);
        for (const { view } of battles) {
            for (const side of SIDES) {
                const force = sure(view.battle?.[side]);
                const words = leadershipWords(view, force);
                const [, total = "", parts = ""] =
                    /^Leadership (\d+)(?: \((.*)\))?$/.exec(words) ?? [];
                const worth = parts.split(", ").map((part) => {
                    const number = Number(/\d+/.exec(part)?.[0] ?? 0);
                    return part.includes("do not count") ? -number : number;
                });

                expect([words, Number(total)]).toEqual([words, force.leadership]);
                expect([words, worth.reduce((sum, one) => sum + one, 0)]).toEqual([
                    words,
                    force.leadership,
                ]);
            }
        }
    });

    it("calls a siege and a sortie by their names", () => {
        const { view } = sure(VIEWS.find(({ view }) => view.battle?.kind === BattleKind.SIEGE));

        expect(linesIn(sure(panelOf(view, "battle")))[0]).toContain("An attack on the Stronghold");
    });
});

describe("EventCardPrompt", () => {
    it("tells of each card all that is printed on it, whether it can be played, and why not", () => {
        let cards = 0;
        for (const { view } of VIEWS.filter(({ view }) => view.seat !== undefined)) {
            const { hand } = sure(view.seats.find(({ seat }) => seat === view.seat));
            if (!hand?.cards.length) continue;
            const chips = chipsIn(sure(panelOf(view, `hand.${view.seat ?? ""}`)));
            for (const card of hand.cards) {
                const chip = sure(chips.find(({ key }) => key.endsWith(`.${card.card}`)));
                const play = sure(hand.plays.find((one) => one.card === card.card));
                const marks = chip.bits.flatMap(({ icon }) => icon ?? []);
                const told = read(chip);
                cards += 1;

                for (const text of [
                    card.name,
                    card.text,
                    card.combat,
                    card.combatText,
                    card.needs ?? "",
                ])
                    expect(told).toContain(text);
                expect(marks.includes("check")).toBe(play.dice.length > 0);
                expect(marks.includes("cross")).toBe(play.dice.length === 0);
                if (play.reason !== undefined) expect(told).toContain(play.reason);
                if (view.seats.length > 2)
                    for (const seat of card.players) expect(told).toContain(seatTitle(seat));
            }
        }
        expect(cards).toBeGreaterThan(100);
    });
});

describe("BoardMap", () => {
    it("tells whose the units are where team-mates stand together", () => {
        const shared = POSITIONS.flatMap(({ view }) =>
            view.armies
                .filter(({ figures }) => unitsBySeat(view, figures).length > 1)
                .map((army) => ({ view, army })),
        );
        expect(shared.length).toBeGreaterThan(3);
        for (const { view, army } of shared) {
            if (view.seats.length < 3) continue;
            const at = sure(view.map).regions.findIndex(({ region }) => region === army.region);
            const [[one, mine], [other, theirs]] = unitsBySeat(view, army.figures) as [
                [string, number],
                [string, number],
            ];

            expect(aboutRegion(view, at).lines.join(" ")).toContain(
                `${seatTitle(one)} ${mine}, ${seatTitle(other)} ${theirs}`,
            );
        }
    });

    it("has no two things in one place", () => {
        for (const { view } of VIEWS) {
            for (const level of [0.2, 0.42, 1]) {
                const spots = standing(tokensOf(view), view.fellowship?.region, zoomOf(level));
                const places = Object.values(spots).map(
                    ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`,
                );

                expect(new Set(places).size).toBe(places.length);
            }
        }
    });

    it("marks the armies of the second of two team-mates", () => {
        for (const { view } of POSITIONS) {
            for (const { isSecond, side, key } of tokensOf(view)) {
                const team = view.seats.filter((seat) => sideName(seat.side) === side);
                const seat = key.split(".").at(-1);

                expect(isSecond).toBe(team.length > 1 && seat === team[1]?.seat);
            }
        }
    });
});

describe("three and four seats", () => {
    it("have their order told, with the leaders and who is asked", () => {
        const asked = QUESTIONS.filter(
            ({ view, prompt }) => view.seats.length > 2 && prompt === "turn.action",
        );
        expect(asked.length).toBeGreaterThan(2);
        for (const { view, told } of asked) {
            const panel = sure(panelsOf(view, taleOf(told)).find(({ key }) => key === "turn"));
            const order = chipsIn(panel).filter(({ key }) => key.startsWith("order."));
            const now = order.filter(({ bits }) => bits.some(({ icon }) => icon === "arrow"));

            expect(order).toHaveLength(4);
            expect(now).toHaveLength(1);
            expect(read(sure(now[0]))).toBe(seatTitle(view.acting[0] ?? ""));
            for (const { seat, leading, side } of view.seats) {
                const isTeam = view.seats.filter((one) => one.side === side).length > 1;
                const crowned = order
                    .filter((chip) => read(chip) === seatTitle(seat))
                    .every(({ bits }) => bits.some(({ icon }) => icon === "crown"));
                expect(crowned).toBe(leading && isTeam);
            }
        }
    });

    it("with the free player of three where he follows whoever acted before", () => {
        const { view } = sure(
            QUESTIONS.find(
                ({ view, prompt }) => view.seats.length === 3 && prompt === "turn.action",
            ),
        );
        const free = { ...view, acting: ["free_peoples"] };
        const leader = sure(
            view.seats.find(({ leading, side }) => leading && side === Side.SHADOW),
        );
        const other = sure(
            view.seats.find(({ leading, side }) => !leading && side === Side.SHADOW),
        );
        const place = (before: string): number => {
            const told: Told[] = [
                { kind: "turn_began", facts: { turn: 1 } },
                { kind: "action_taken", facts: { seat: before, face: "army", deed: "attack" } },
            ];
            const panel = sure(panelsOf(free, taleOf(told)).find(({ key }) => key === "turn"));
            const order = chipsIn(panel).filter(({ key }) => key.startsWith("order."));
            return order.findIndex(({ bits }) => bits.some(({ icon }) => icon === "arrow"));
        };

        expect([place(other.seat), place(leader.seat)]).toEqual([1, 3]);
    });

    it("are told how the swap of cards goes, while it is asked", () => {
        const { view, nouns } = sure(QUESTIONS.find(({ prompt }) => prompt === "hand.swap"));
        const hand = `hand.${view.seat ?? ""}`;
        const lit = [...nouns, doing("swap"), doing("keep")];

        expect(linesIn(sure(panelOf(view, hand, lit))).join()).toContain("change hands");
        expect(linesIn(sure(panelOf(view, hand))).join()).not.toContain("change hands");
    });
});

describe("what is asked about", () => {
    it("is never cut off: what is read of it is what is said", () => {
        const cut = new Set<string>();
        for (const { view } of QUESTIONS) {
            for (const panel of panelsOf(view)) {
                for (const width of [322, 330, 388, 825]) {
                    for (const { noun, key, bits } of laidOut({ ...panel }, width).chips)
                        if (noun && bits.some(({ text }) => text?.endsWith("…")))
                            cut.add(`${width} ${key.replace(/^hand\.\w+\./, "hand ")}`);
                }
            }
        }

        expect([...cut]).toEqual([]);
    });

    it("stands first where there is little room", () => {
        const { view, nouns } = sure(QUESTIONS.find(({ prompt }) => prompt === "muster.recruit"));

        expect(panelOf(view, "units", [...nouns])?.isAsked).toBe(true);
        expect(panelOf(view, "units")?.isAsked).toBeUndefined();
    });
});
