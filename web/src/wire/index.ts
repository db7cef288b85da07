/** The wire of this page: `createWire()`, once. */
import workerUrl from "virtual:news-worker";
import { patient } from "./calls";
import { clientsOver, transportAt } from "./clients";
import type { Wire } from "./contract";
import { Exchange } from "./exchange";
import type { Surroundings } from "./line";
import { Waiting } from "./patience";
import { release } from "./release";
import { TabWire } from "./wire";

export type { Following, Link, Refusal, Stop, Wire } from "./contract";
export type { Clients } from "./clients";
export { refusalOf } from "./refusal";

export function createWire(): Wire {
    const transport = transportAt(location.origin);
    const wire = new TabWire({ ...surroundings(), transport, release, storage: lasting() });
    addEventListener("online", () => {
        wire.wake();
    });
    document.addEventListener("visibilitychange", () => {
        if (document.visibilityState === "visible") wire.wake();
    });
    addEventListener("pageshow", ({ persisted }) => {
        if (persisted) wire.wake();
    });
    addEventListener("pagehide", ({ persisted }) => {
        if (!persisted) wire.close();
    });
    return wire;
}

function surroundings(): Surroundings {
    const exchange = (): Exchange => {
        const around = { waiting: new Waiting(), trouble: () => undefined };
        return new Exchange(clientsOver(patient(transportAt(location.origin), around)));
    };
    return {
        locks: "locks" in navigator ? navigator.locks : undefined,
        channel: "BroadcastChannel" in window ? (name) => new BroadcastChannel(name) : undefined,
        worker: "SharedWorker" in window ? startWorker : undefined,
        exchange,
    };
}

function startWorker(): SharedWorker {
    return new SharedWorker(workerUrl, { type: "module", name: "bree-news" });
}

/** Browsers that keep nothing for this page still play; they forget that they had a session. */
function lasting(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
    try {
        localStorage.getItem("");
        return localStorage;
    } catch {
        const kept = new Map<string, string>();
        return {
            getItem: (key) => kept.get(key) ?? null,
            setItem: (key, value) => void kept.set(key, value),
            removeItem: (key) => void kept.delete(key),
        };
    }
}
