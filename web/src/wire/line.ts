/** A tab's line to whoever holds the stream: a SharedWorker, a leader among the tabs, or itself.
 *
 * Design. A SharedWorker where there is one. Else, in a secure page, tabs elect a leader: whoever
 * gets a lock, which is free again as soon as he is gone. Where there are neither, each tab has a
 * stream of its own while it is looked at, and none while it is hidden.
 */
import { Desk, pingMs, tabLock } from "./desk";
import type { Exchange } from "./exchange";
import type { FromTab, ToTab } from "./messages";

export interface Line {
    send(message: FromTab): void;
    close(): void;
}

export type Hear = (message: ToTab) => void;

/** What of a browser lines are made of; tests have their own. */
export interface Surroundings {
    locks: LockManager | undefined;
    channel: ((name: string) => BroadcastChannel) | undefined;
    worker: (() => SharedWorker) | undefined;
    exchange(): Exchange;
}

/** A worker or a leader that has not said a word for so long is none. */
export const silenceMs = 4_000;

/** Opens the line once the tab holds the lock that says that it lives: else it would seem to be gone. */
export function openLine(tab: string, around: Surroundings, hear: Hear): Line {
    let line: Line | undefined;
    let waiting: FromTab[] = [];
    let isClosed = false;
    const release = hold(around.locks, tabLock(tab), () => {
        if (isClosed) return;
        line = new Switch(tab, around, hear);
        for (const message of waiting) line.send(message);
        waiting = [];
    });
    return {
        send: (message) => {
            if (line) line.send(message);
            else waiting.push(message);
        },
        close: () => {
            isClosed = true;
            line?.close();
            release();
        },
    };
}

/** The line that works here: a worker that cannot be had gives way to what else there is. */
class Switch implements Line {
    private line: Line;

    constructor(
        private readonly tab: string,
        private readonly around: Surroundings,
        private readonly hear: Hear,
    ) {
        this.line = around.worker ? this.worker(around.worker) : this.without();
    }

    send(message: FromTab): void {
        this.line.send(message);
    }

    close(): void {
        this.line.close();
    }

    private worker(make: () => SharedWorker): Line {
        try {
            return workerLine(this.tab, make(), this.hear, () => {
                this.line.close();
                this.line = this.without();
            });
        } catch {
            return this.without();
        }
    }

    private without(): Line {
        const { locks, channel } = this.around;
        if (locks && channel)
            return new LeaderLine(this.tab, this.around, locks, channel, this.hear);
        return aloneLine(this.tab, this.around, this.hear);
    }
}

function workerLine(tab: string, worker: SharedWorker, hear: Hear, failed: () => void): Line {
    const { port } = worker;
    const send = (body: FromTab): void => {
        port.postMessage({ from: tab, body });
    };
    const silence = setTimeout(failed, silenceMs);
    worker.onerror = () => {
        clearTimeout(silence);
        failed();
    };
    port.onmessage = ({ data }: MessageEvent<ToTab>) => {
        clearTimeout(silence);
        hear(data);
    };
    const pinging = setInterval(() => {
        send({ kind: "ping" });
    }, pingMs);
    send({ kind: "ping" });
    return {
        send,
        close: () => {
            clearTimeout(silence);
            clearInterval(pinging);
            send({ kind: "bye" });
            port.onmessage = null;
            worker.onerror = null;
            port.close();
        },
    };
}

/** What goes over the channel: to one tab, to whoever leads, or to all. */
type Called =
    { to: "leader"; from: string; body: FromTab } | { to: string; from: "leader"; body: ToTab };

const leading = "bree-leader";

class LeaderLine implements Line {
    private readonly channel: BroadcastChannel;
    private desk: Desk | undefined;
    private readonly pinging: ReturnType<typeof setInterval>;
    private silence: ReturnType<typeof setTimeout> | undefined;
    private release = (): void => undefined;
    private isClosed = false;

    constructor(
        private readonly tab: string,
        private readonly around: Surroundings,
        private readonly locks: LockManager,
        channel: (name: string) => BroadcastChannel,
        private readonly hear: Hear,
    ) {
        this.channel = channel("bree-news");
        this.channel.onmessage = ({ data }: MessageEvent<Called>) => {
            this.take(data);
        };
        this.stand({});
        this.pinging = setInterval(() => {
            this.send({ kind: "ping" });
        }, pingMs);
        this.send({ kind: "ping" });
    }

    send(body: FromTab): void {
        if (this.desk) this.desk.hear(this.tab, body, this.hearLater);
        else this.channel.postMessage({ to: "leader", from: this.tab, body } satisfies Called);
        // A leader that the browser has frozen holds its lock and does not answer.
        if (body.kind === "wake" || body.kind === "ping") this.expectAnswer();
    }

    close(): void {
        this.isClosed = true;
        clearInterval(this.pinging);
        clearTimeout(this.silence);
        this.send({ kind: "bye" });
        clearTimeout(this.silence);
        this.resign();
        this.channel.close();
    }

    private readonly hearLater = (message: ToTab): void => {
        queueMicrotask(() => {
            if (!this.isClosed) this.hear(message);
        });
    };

    /** Waits to become the leader; `steal` deposes the one that there is. */
    private stand(options: { steal?: boolean }): void {
        const lead = (): Promise<void> => {
            if (this.isClosed || this.desk) return Promise.resolve();
            this.lead();
            return new Promise((resolve) => {
                this.release = resolve;
            });
        };
        this.locks.request(leading, options, lead).catch(() => {
            // Deposed: another tab leads now.
            if (this.isClosed) return;
            this.resign();
            this.stand({});
        });
    }

    private lead(): void {
        clearTimeout(this.silence);
        this.desk = new Desk(this.around.exchange(), this.locks);
        this.desk.hear(this.tab, { kind: "ping" }, this.hearLater);
        this.channel.postMessage({
            to: "all",
            from: "leader",
            body: { kind: "host" },
        } satisfies Called);
    }

    private resign(): void {
        this.desk?.close();
        this.desk = undefined;
        this.release();
    }

    private expectAnswer(): void {
        if (this.desk || this.isClosed) return;
        this.silence ??= setTimeout(() => {
            this.silence = undefined;
            if (!this.desk && !this.isClosed) this.stand({ steal: true });
        }, silenceMs);
    }

    private take(called: Called): void {
        if (called.from !== "leader") {
            const { from, body } = called as Extract<Called, { to: "leader" }>;
            this.desk?.hear(from, body, (message) => {
                this.channel.postMessage({
                    to: from,
                    from: "leader",
                    body: message,
                } satisfies Called);
            });
            return;
        }
        if (called.to !== "all" && called.to !== this.tab) return;
        clearTimeout(this.silence);
        this.silence = undefined;
        if (!this.desk) this.hear((called as Extract<Called, { from: "leader" }>).body);
    }
}

function aloneLine(tab: string, around: Surroundings, hear: Hear): Line {
    const exchange = around.exchange();
    const desk = new Desk(exchange, undefined);
    const hearLater = (message: ToTab): void => {
        queueMicrotask(() => {
            hear(message);
        });
    };
    const look = (): void => {
        if (document.visibilityState === "hidden") exchange.sleep();
        else exchange.awake();
    };
    if (typeof document !== "undefined") document.addEventListener("visibilitychange", look);
    const pinging = setInterval(() => {
        desk.hear(tab, { kind: "ping" }, hearLater);
    }, pingMs);
    desk.hear(tab, { kind: "ping" }, hearLater);
    return {
        send: (message) => {
            desk.hear(tab, message, hearLater);
        },
        close: () => {
            clearInterval(pinging);
            if (typeof document !== "undefined")
                document.removeEventListener("visibilitychange", look);
            desk.close();
        },
    };
}

/** Holds a lock, where there are locks, until it is released. */
function hold(locks: LockManager | undefined, name: string, held: () => void): () => void {
    let release = (): void => undefined;
    if (!locks) {
        queueMicrotask(held);
        return release;
    }
    const until = new Promise<void>((resolve) => {
        release = resolve;
    });
    const begin = (): Promise<void> => {
        held();
        return until;
    };
    locks.request(name, begin).catch(held);
    return release;
}
