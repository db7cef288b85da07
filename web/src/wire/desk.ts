/** Where tabs come to: each is attached when it is first heard of, and given up when it is gone.
 *
 * Design. A tab that is killed says nothing. It holds a lock as long as it lives, and whoever gets
 * that lock knows that it is gone. Where a page has no locks, which are for secure pages only, tabs
 * ping, and one that is silent for longer than any browser lets a hidden tab sleep is given up; if
 * it is there after all, it is told so and says everything again.
 */
import type { Exchange } from "./exchange";
import type { FromTab, ToTab } from "./messages";

export const pingMs = 20_000;
const silentMs = 180_000;

export const tabLock = (tab: string): string => `bree-tab-${tab}`;

export class Desk {
    private readonly heardAt = new Map<string, number>();
    private readonly sweeping: ReturnType<typeof setInterval> | undefined;

    constructor(
        readonly exchange: Exchange,
        private readonly locks: LockManager | undefined,
        private readonly gone: (tab: string) => void = () => undefined,
    ) {
        if (!locks) {
            this.sweeping = setInterval(() => {
                this.sweep();
            }, pingMs);
        }
    }

    hear(tab: string, message: FromTab, tell: (message: ToTab) => void): void {
        this.heardAt.set(tab, Date.now());
        if (!this.exchange.knows(tab) && message.kind !== "bye") this.attach(tab, tell);
        this.exchange.hearTab(tab, message);
        if (message.kind === "bye") this.leave(tab);
    }

    close(): void {
        clearInterval(this.sweeping);
        this.exchange.close();
    }

    private attach(tab: string, tell: (message: ToTab) => void): void {
        this.exchange.attach(tab, tell);
        this.locks
            ?.request(tabLock(tab), () => {
                this.leave(tab);
            })
            .catch(() => undefined);
    }

    private leave(tab: string): void {
        this.heardAt.delete(tab);
        this.exchange.detach(tab);
        this.gone(tab);
    }

    private sweep(): void {
        for (const [tab, at] of this.heardAt) if (Date.now() - at > silentMs) this.leave(tab);
    }
}
