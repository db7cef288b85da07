/** Fingers on a page: several at once, as no other hand has them. */
import type { CDPSession, Page } from "playwright-core";

/** Fingers as a screen tells of them. */
export class Fingers {
    constructor(private readonly session: CDPSession) {}

    private async send(type: "Start" | "Move" | "End", at: [number, number][]): Promise<void> {
        const touchPoints = at.map(([x, y], id) => ({ x, y, id }));
        await this.session.send("Input.dispatchTouchEvent", { type: `touch${type}`, touchPoints });
    }

    /** From some places to others, all at once. */
    async go(from: [number, number][], to: [number, number][], steps = 12): Promise<void> {
        await this.send("Start", from);
        for (let step = 1; step <= steps; step++) {
            const part = step / steps;
            await this.send(
                "Move",
                from.map(([x, y], n) => {
                    const [toX, toY] = to[n] ?? [x, y];
                    return [x + (toX - x) * part, y + (toY - y) * part];
                }),
            );
        }
        await this.send("End", []);
    }
}

export const fingersOf = async (page: Page): Promise<Fingers> =>
    new Fingers(await page.context().newCDPSession(page));
