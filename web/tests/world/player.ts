/** Somebody who plays a match through its page: looks at it, touches what is lit, and confirms.
 *
 * Design. A player knows no rule and reads no message. All that it does follows from what can be seen,
 * and from chance, whose seed stands in every failure.
 */
import type { Page } from "playwright-core";
import { Chance } from "./chance";
import type { Hand } from "./hands";
import { isAsked, isSettled, look, type Sight } from "./sight";

/** More touches than the longest answer has, or it leads nowhere. */
const MOST_TOUCHES = 60;

/** So many decisions may be made beside the board before the first on it. */
const MOST_BESIDE = 4;

/** How often it is looked whether a press has come to something. */
const MOST_LOOKS = 100;

/** After so many decisions of a long match it is told how far it has come. */
const STRIDE = 250;

export interface Ways {
    /** How often something lit is touched where the panel could be used instead. */
    board: number;

    /** How often a sentence is typed where it can be. */
    typing: number;

    /** How often the last touch is taken back. */
    doubt: number;
}

export const POINTING: Ways = { board: 1, typing: 0, doubt: 0.03 };
export const TYPING: Ways = { board: 0.5, typing: 0.5, doubt: 0.03 };

export class Player {
    decisions = 0;

    /** How far the page has ever been wider than its window. */
    overflow = 0;

    /** How many of the answers were made by touching the board. */
    onBoard = 0;
    private log = 0;

    constructor(
        readonly page: Page,
        readonly hand: Hand,
        readonly ways = POINTING,
        readonly chance = new Chance(),
        private readonly patience = 90_000,
    ) {}

    /** Plays until so many decisions are made, or the match has ended; returns what is seen then. */
    async play(most: number): Promise<Sight> {
        const until = this.decisions + most;
        for (;;) {
            const sight = await this.awaited();
            if (sight.ended !== "" || this.decisions >= until) return sight;
            await this.decide();
        }
    }

    /** Plays to the end, and tells now and then how far it has come; a match that takes more decisions
     * fails.
     */
    async playOut(most: number, tell: (sight: Sight) => void = () => undefined): Promise<Sight> {
        const until = this.decisions + most;
        for (;;) {
            const sight = await this.play(Math.min(STRIDE, until - this.decisions));
            tell(sight);
            if (sight.ended !== "") return sight;
            if (this.decisions >= until) {
                this.fail(`the match goes on after ${most} decisions`, sight);
            }
        }
    }

    /** What is seen as soon as something is asked, or the match has ended. */
    async awaited(): Promise<Sight> {
        await this.wait(isAsked);
        if (await this.catchUp()) return this.awaited();
        const sight = await look(this.page);
        if (sight.refusal !== "") this.fail("an answer was refused", sight);
        if (sight.log < this.log) this.fail(`the log had ${this.log} lines`, sight);
        this.log = sight.log;
        this.overflow = Math.max(this.overflow, sight.overflow);
        return sight;
    }

    /** Leaves what has happened since one looked, if the page shows it; returns whether it did. */
    async catchUp(): Promise<boolean> {
        const skip = this.page.locator("[aria-label='Since you looked'] button").last();
        if (!(await skip.isVisible())) return false;
        await skip.click();
        return true;
    }

    /** A decision has been taken back, so the log may be shorter than it was. */
    forget(): void {
        this.log = 0;
    }

    /** Answers the question that stands. */
    async decide(): Promise<void> {
        let wasOnBoard = false;
        for (let touches = 0; touches < MOST_TOUCHES; touches++) {
            const sight = await look(this.page);
            if (sight.question === "" || sight.isSending) {
                this.fail("the question has gone while it was answered", sight);
            }
            if (sight.answer !== "") {
                await this.setAmount(sight);
                await this.wait(isSettled);
                await this.tried(sight, () => this.hand.confirm());
                this.decisions += 1;
                if (wasOnBoard) this.onBoard += 1;
                return;
            }
            wasOnBoard = (await this.tried(sight, () => this.narrow(sight))) || wasOnBoard;
        }
        this.fail(`${MOST_TOUCHES} touches have led to no answer`, await look(this.page));
    }

    /** One touch more; returns whether it was on the board. */
    private async narrow(sight: Sight): Promise<boolean> {
        const { chance, hand, ways } = this;
        const mayGoBack = await this.page.locator(".ask .crumbs").isVisible();
        if (mayGoBack && chance.isUnder(ways.doubt)) {
            await hand.button("Back");
        } else if (sight.lit.length > 0 && chance.isUnder(this.boardChance(sight))) {
            await hand.thing(chance.oneOf(sight.lit));
            return true;
        } else if (sight.verbs.length > 0 && chance.isUnder(0.7)) {
            await hand.button(chance.oneOf(sight.verbs));
        } else if (sight.rows.length > 0) {
            await this.takeRow(sight);
        } else {
            this.fail("nothing can be touched", sight);
        }
        return false;
    }

    /** Where "nothing more" is offered, what is lit would make another answer. Whoever has left the board
     *  alone for a while turns to it: chance alone might never.
     */
    private boardChance({ verbs }: Sight): number {
        if (this.onBoard === 0 && this.decisions >= MOST_BESIDE) return 1;
        return verbs.includes("Nothing more") ? this.ways.board / 2 : this.ways.board;
    }

    private async takeRow(sight: Sight): Promise<void> {
        const at = Math.floor(this.chance.next() * sight.rows.length);
        const row = sight.rows[at];
        const isTyped = sight.canType && row && this.chance.isUnder(this.ways.typing);
        if (isTyped) await this.hand.spell(row.text, at);
        else await this.hand.row(at);
        if (row?.range !== "") return;
        // A browser makes a press of a tap only when it knows that it is none of several.
        let answer = "";
        for (let looks = 0; looks < MOST_LOOKS && answer !== row.text; looks++) {
            ({ answer } = await look(this.page));
        }
        if (answer !== row.text) {
            this.fail(`"${row.text}" was taken, and the answer would be "${answer}"`, sight);
        }
    }

    private async setAmount({ amount }: Sight): Promise<void> {
        if (!amount || amount.first === amount.last || this.chance.isUnder(0.5)) return;
        await this.hand.button(`Most: ${amount.last}`);
    }

    private async wait(until: () => boolean): Promise<void> {
        try {
            await this.page.waitForFunction(until, undefined, { timeout: this.patience });
        } catch (error) {
            this.fail(String(error), await look(this.page));
        }
    }

    private async tried<T>(sight: Sight, what: () => Promise<T>): Promise<T> {
        try {
            return await what();
        } catch (error) {
            return this.fail(String(error), sight);
        }
    }

    private fail(why: string, sight: Sight): never {
        const where = `${this.page.url()} seed ${this.chance.seed} decision ${this.decisions + 1}`;
        throw new Error(`${why}\n${where}\n${JSON.stringify(sight)}`);
    }
}
