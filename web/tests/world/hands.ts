/** The ways in which people touch a page: with a mouse or a finger, and with keys alone. */
import type { Page } from "playwright-core";

export interface Hand {
    /** Touches the lit thing of a noun on the board. */
    thing(noun: string): Promise<void>;

    /** Presses the button that has this text in the panel. */
    button(text: string): Promise<void>;

    /** Takes a sentence of the list. */
    row(at: number): Promise<void>;

    /** Sends what is shown as the answer. */
    confirm(): Promise<void>;

    /** Takes a sentence by typing it; where a hand has no keys, by touching it. */
    spell(text: string, at: number): Promise<void>;
}

/** What is to be touched: the first of these that has the text, or the one at a place among them. */
interface Aim {
    css: string;
    text?: string;
    at?: number;
}

const thingOf = (noun: string): Aim => ({
    css: `.board .lit[data-noun="${noun.replaceAll(/["\\]/g, "\\$&")}"]`,
});
const buttonOf = (text: string): Aim => ({ css: ".ask button", text });
const rowAt = (at: number): Aim => ({ css: ".ask [role=option]", at });
const sure: Aim = { css: ".ask .sure" };

/** A mouse, or a finger on a screen that can be touched. */
export class Pointer implements Hand {
    constructor(
        private readonly page: Page,
        private readonly isFinger = false,
    ) {}

    thing(noun: string): Promise<void> {
        return this.press(thingOf(noun));
    }

    button(text: string): Promise<void> {
        return this.press(buttonOf(text));
    }

    row(at: number): Promise<void> {
        return this.press(rowAt(at));
    }

    confirm(): Promise<void> {
        return this.press(sure);
    }

    spell(_text: string, at: number): Promise<void> {
        return this.row(at);
    }

    private async press(aim: Aim): Promise<void> {
        const point = await this.page.evaluate(pointOf, aim);
        if (typeof point === "string") throw new Error(`${JSON.stringify(aim)} ${point}`);
        if (this.isFinger) await this.page.touchscreen.tap(point.x, point.y);
        else await this.page.mouse.click(point.x, point.y);
    }
}

/** Where a pointer meets the very thing, scrolled into sight; or why nowhere. Runs in the page. */
function pointOf({ css, text, at }: Aim): { x: number; y: number } | string {
    const all = [...document.querySelectorAll<HTMLElement>(css)];
    const named = all.filter((one) => text === undefined || one.textContent.trim() === text);
    const things = (at === undefined ? named : named.slice(at, at + 1)).filter((thing) =>
        thing.checkVisibility(),
    );
    if (things.length === 0) return "is not there";
    let instead = "";
    for (const thing of things) {
        thing.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const { left, top, width, height } = thing.getBoundingClientRect();
        for (const parts of [2, 4, 8, 16]) {
            for (let cell = 0; cell < (parts - 1) ** 2; cell++) {
                const x = left + (width * (1 + (cell % (parts - 1)))) / parts;
                const y = top + (height * (1 + Math.floor(cell / (parts - 1)))) / parts;
                const there = document.elementFromPoint(x, y);
                if (there?.closest("[data-noun], button, [role]") === thing) return { x, y };
                instead ||= `${Math.round(x)} ${Math.round(y)} ${there?.outerHTML.slice(0, 200) ?? "beyond the window"}`;
            }
        }
    }
    return `can be seen, but no pointer meets it: ${instead}`;
}

/** The parts of the page that letters lead to. */
const PARTS = { b: "section.board", q: "section.question" };

/** Keys alone: letters that lead to the parts of the page, Tab within them, arrows in lists. */
export class Keys implements Hand {
    constructor(private readonly page: Page) {}

    async thing(noun: string): Promise<void> {
        await this.reach("b", thingOf(noun));
        await this.press("Enter");
    }

    async button(text: string): Promise<void> {
        await this.reach("q", buttonOf(text));
        await this.press("Enter");
    }

    async row(at: number): Promise<void> {
        await this.reach("q", { css: ".ask [role=listbox]" });
        await this.press("Home");
        for (let leap = 0; leap < Math.floor(at / 10); leap++) await this.press("PageDown");
        for (let step = 0; step < at % 10; step++) await this.press("ArrowDown");
        if ((await this.page.evaluate(activeRow)) !== at)
            throw new Error(`row ${at} is not reached`);
        await this.press("Enter");
    }

    async spell(text: string): Promise<void> {
        await this.reach("q", { css: ".ask [role=combobox]" });
        await this.page.keyboard.insertText(text);
        await this.press("Enter");
    }

    /** After a choice by keys the focus is on what sends it, in the next frame; where nothing had to be
     * chosen, keys lead there.
     */
    async confirm(): Promise<void> {
        await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
        const isThere = await this.page.evaluate(
            () => document.activeElement?.matches(".ask .sure, .ask .number") ?? false,
        );
        if (!isThere) await this.reach("q", sure);
        await this.press("Enter");
    }

    private press(key: string): Promise<void> {
        return this.page.keyboard.press(key);
    }

    private async reach(letter: keyof typeof PARTS, aim: Aim): Promise<void> {
        if (await this.page.evaluate(isOn, aim)) return;
        await this.leaveField();
        await this.press(letter);
        if (!(await this.page.evaluate(isWithin, PARTS[letter]))) {
            throw new Error(`the key ${letter} does not lead into ${PARTS[letter]}`);
        }
        for (let tabs = 0; tabs < 500; tabs++) {
            if (await this.page.evaluate(isOn, aim)) return;
            await this.press("Tab");
        }
        throw new Error(`no key leads to ${JSON.stringify(aim)}`);
    }

    /** In a field letters are letters, and on a list they narrow it. */
    private async leaveField(): Promise<void> {
        for (let tabs = 0; tabs < 10; tabs++) {
            const isField = await this.page.evaluate(
                () => document.activeElement?.closest("input, select, [role=listbox]") !== null,
            );
            if (!isField) return;
            await this.press("Tab");
        }
        throw new Error("no key leads out of a field");
    }
}

/** Whether the focus is in this part. Runs in the page. */
function isWithin(css: string): boolean {
    return document.activeElement?.closest(css) !== null;
}

/** Whether the focus is on what is meant. Runs in the page. */
function isOn({ css, text }: Aim): boolean {
    const here = document.activeElement;
    return !!here?.matches(css) && (text === undefined || here.textContent.trim() === text);
}

/** The place of the row that Enter would take. Runs in the page. */
function activeRow(): number {
    const list = document.querySelector(".ask [role=listbox]");
    const id = list?.getAttribute("aria-activedescendant");
    return [...(list?.querySelectorAll("[role=option]") ?? [])].findIndex((row) => row.id === id);
}
