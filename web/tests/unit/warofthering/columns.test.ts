/** In which columns panels stand from one position to the next. */
import { describe, expect, it } from "vitest";
import { chipsIn, laidOut, type Panel } from "../../../src/boards/warofthering/blocks";
import { columnsOf, type Columns, panelsOf, settler } from "../../../src/boards/warofthering/plan";
import { sure } from "../board/files";
import { QUESTIONS } from "./recorded";

const WIDTH = 1264;
const lines = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ kind: "line", text: String(n) }) as const);
const panel = (key: string, height: number, isAsked = false): Panel => ({
    key,
    title: key,
    blocks: lines(height),
    ...(isAsked && { isAsked }),
});
const keysOf = ({ first, below }: Columns): string[][] =>
    [first, ...below].map((column) => column.map(({ key }) => key));

/** As many as fill the place beside the map and the columns below it. */
const some = (grown: Record<string, number> = {}): Panel[] =>
    Array.from({ length: 9 }, (_, n) => panel(`p${n}`, grown[`p${n}`] ?? 12 + n));

describe("The columns of panels", () => {
    it("stay when a panel grows a little, though another order would be shorter", () => {
        const grown = some({ p0: 24 });
        const settle = settler();
        const before = keysOf(settle(some(), WIDTH));

        expect(keysOf(columnsOf(grown, WIDTH))).not.toEqual(before);
        expect(keysOf(settle(grown, WIDTH))).toEqual(before);
    });

    it("are found anew when the page has become much longer", () => {
        const grown = some({ p8: 90 });
        const settle = settler();
        settle(some(), WIDTH);

        expect(keysOf(settle(grown, WIDTH))).toEqual(keysOf(columnsOf(grown, WIDTH)));
    });

    it("are found anew where there is another width", () => {
        const settle = settler();
        settle(some(), WIDTH);

        expect(keysOf(settle(some(), 360))).toEqual(keysOf(columnsOf(some(), 360)));
    });

    it("take back a panel that was asked about or gone", () => {
        const settle = settler();
        const before = keysOf(settle(some(), WIDTH));
        const asked = some().map((one) => (one.key === "p4" ? { ...one, isAsked: true } : one));

        expect(keysOf(settle(asked, WIDTH))[0]?.[0]).toBe("p4");
        settle(
            some().filter(({ key }) => key !== "p6"),
            WIDTH,
        );
        expect(keysOf(settle(some(), WIDTH))).toEqual(before);
    });

    it("have every panel once, whatever comes after whatever", () => {
        const settle = settler();
        for (const { view } of QUESTIONS) {
            const panels = panelsOf(view);
            const found = keysOf(settle(panels, WIDTH)).flat();

            expect(found.toSorted()).toEqual(panels.map(({ key }) => key).toSorted());
        }
    });
});

describe("The phases of a turn", () => {
    it("stand in one line on a phone, whichever is played", () => {
        const turns = QUESTIONS.map(({ view }) =>
            sure(panelsOf(view).find(({ key }) => key === "turn")),
        );
        for (const turn of turns.filter((one) =>
            chipsIn(one).some(({ key }) => key.startsWith("phase")),
        )) {
            const phases = laidOut(turn, 324).chips.filter(({ key }) => key.startsWith("phase."));

            expect(new Set(phases.map(({ y }) => y)).size).toBe(1);
        }
    });
});
