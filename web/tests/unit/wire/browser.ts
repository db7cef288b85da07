/** A browser with tabs, as far as the wire needs one: locks, channels, a worker, storage. */
import { patient } from "../../../src/wire/calls";
import { clientsOver } from "../../../src/wire/clients";
import { Desk } from "../../../src/wire/desk";
import { Exchange } from "../../../src/wire/exchange";
import type { Surroundings } from "../../../src/wire/line";
import { Waiting } from "../../../src/wire/patience";
import { TabWire } from "../../../src/wire/wire";
import type { FakeGateway } from "./gateway";

type Held = { owner: string; end: (error?: Error) => void };
type Asked = { owner: string; run: () => void };

class FakeLocks {
    private readonly held = new Map<string, Held>();
    private readonly asked = new Map<string, Asked[]>();

    of(owner: string): LockManager {
        const request = (name: string, ...rest: unknown[]): Promise<unknown> => {
            const work = rest.at(-1) as () => unknown;
            const options = (rest.length > 1 ? rest[0] : {}) as { steal?: boolean };
            return new Promise((resolve, reject) => {
                const run = (): void => {
                    let isOver = false;
                    const end = (error?: Error): void => {
                        if (isOver) return;
                        isOver = true;
                        if (this.held.get(name) === mine) this.held.delete(name);
                        if (error) reject(error);
                        else resolve(undefined);
                        this.next(name);
                    };
                    const mine: Held = { owner, end };
                    this.held.set(name, mine);
                    void Promise.resolve(work()).then(() => {
                        end();
                    });
                };
                if (options.steal) {
                    const holder = this.held.get(name);
                    run();
                    holder?.end(new Error("stolen"));
                    return;
                }
                this.asked.set(name, [...(this.asked.get(name) ?? []), { owner, run }]);
                queueMicrotask(() => {
                    this.next(name);
                });
            });
        };
        return { request } as unknown as LockManager;
    }

    kill(owner: string): void {
        for (const [name, asked] of this.asked) {
            this.asked.set(
                name,
                asked.filter((one) => one.owner !== owner),
            );
        }
        for (const [name, held] of [...this.held]) {
            if (held.owner !== owner) continue;
            this.held.delete(name);
            this.next(name);
        }
    }

    private next(name: string): void {
        if (this.held.has(name)) return;
        this.asked.get(name)?.shift()?.run();
    }
}

class FakeChannel {
    onmessage: ((event: MessageEvent) => void) | null = null;

    constructor(private readonly all: Set<FakeChannel>) {
        all.add(this);
    }

    postMessage(message: unknown): void {
        const copy: unknown = structuredClone(message);
        for (const other of this.all) {
            if (other !== this)
                queueMicrotask(() => other.onmessage?.({ data: copy } as MessageEvent));
        }
    }

    close(): void {
        this.onmessage = null;
        this.all.delete(this);
    }
}

export type Kind = "worker" | "leader" | "alone";

export class FakeBrowser {
    readonly locks = new FakeLocks();
    readonly storage = new Map<string, string>();
    private readonly channels = new Set<FakeChannel>();
    private desk: Desk | undefined;
    private tabs = 0;

    constructor(
        private readonly gateway: FakeGateway,
        private readonly kind: Kind,
    ) {}

    get exchange(): Exchange | undefined {
        return this.desk?.exchange;
    }

    tab(release = "1.0"): Tab {
        const owner = `tab${++this.tabs}`;
        const channels: FakeChannel[] = [];
        const exchanges: Exchange[] = [];
        const make = (): Exchange => {
            const exchange = this.make();
            exchanges.push(exchange);
            return exchange;
        };
        const around: Surroundings = {
            locks: this.kind === "alone" ? undefined : this.locks.of(owner),
            channel: () => {
                const channel = new FakeChannel(this.channels);
                channels.push(channel);
                return channel as unknown as BroadcastChannel;
            },
            worker: this.kind === "worker" ? () => this.worker(() => isKilled) : undefined,
            exchange: make,
        };
        const storage = {
            getItem: (key: string) => this.storage.get(key) ?? null,
            setItem: (key: string, value: string) => void this.storage.set(key, value),
            removeItem: (key: string) => void this.storage.delete(key),
        };
        const wire = new TabWire({
            ...around,
            transport: this.gateway.transport,
            release,
            storage,
        });
        let isKilled = false;
        const kill = (): void => {
            isKilled = true;
            for (const exchange of exchanges) exchange.close();
            for (const channel of channels) channel.close();
            this.locks.kill(owner);
        };
        const freeze = (): void => {
            for (const channel of channels) channel.onmessage = null;
        };
        return { wire, kill, freeze };
    }

    private make(): Exchange {
        const around = { waiting: new Waiting(), trouble: () => undefined };
        return new Exchange(clientsOver(patient(this.gateway.transport, around)));
    }

    private worker(isGone: () => boolean): SharedWorker {
        const desk = (this.desk ??= new Desk(this.make(), this.locks.of("worker")));
        const port = {
            onmessage: null as ((event: { data: unknown }) => void) | null,
            postMessage: (message: { from: string; body: never }) => {
                if (isGone()) return;
                const { from, body } = structuredClone(message);
                queueMicrotask(() => {
                    desk.hear(from, body, (told) => {
                        const copy = structuredClone(told);
                        queueMicrotask(() => port.onmessage?.({ data: copy }));
                    });
                });
            },
            close: () => undefined,
        };
        return { port, onerror: null } as unknown as SharedWorker;
    }
}

export interface Tab {
    wire: TabWire;

    /** The tab is gone without a word. */
    kill: () => void;

    /** The tab still holds its locks, and does nothing any more. */
    freeze: () => void;
}
