/** The pages, each loaded when it is gone to.
 *
 * Design. A page that stays open while the platform is updated asks for files that are gone. Then it
 * is loaded anew, once; if that does not help, it says so. A connection that is away looks the same
 * to an import, so the platform is asked whether it is there.
 */
import type { Component } from "svelte";
import type { PageName, Place } from "./places";

export type Page = Component<{ place: Place }>;

export type Loaded =
    | { at: "there"; page: Page }
    /** The platform is not in reach. */
    | { at: "away" }
    /** The page's files are gone: it is being loaded anew. */
    | { at: "reloading" }
    /** It has been loaded anew, and they are still not there. */
    | { at: "gone" };

export type Loaders = Readonly<Record<PageName, () => Promise<{ default: Page }>>>;

/** What loading needs of the browser. */
export interface Surroundings {
    /** Whether the platform answers. */
    reachable(): Promise<boolean>;
    reload(): void;
    storage: Pick<Storage, "getItem" | "removeItem" | "setItem"> | undefined;
}

const RELOADED = "bree.reloaded";

export async function loadPage(
    loaders: Loaders,
    name: PageName,
    around: Surroundings,
): Promise<Loaded> {
    try {
        const { default: page } = await loaders[name]();
        around.storage?.removeItem(RELOADED);
        return { at: "there", page };
    } catch {
        if (!(await around.reachable())) return { at: "away" };
        // Without a place to note it, a page might be loaded anew for ever.
        if (!around.storage || around.storage.getItem(RELOADED)) return { at: "gone" };
        around.storage.setItem(RELOADED, name);
        around.reload();
        return { at: "reloading" };
    }
}

export const browser: Surroundings = {
    reachable: async () => {
        try {
            return (await fetch("/", { method: "HEAD", cache: "no-store" })).ok;
        } catch {
            return false;
        }
    },
    reload: () => {
        location.reload();
    },
    storage: tabStorage(),
};

function tabStorage(): Storage | undefined {
    try {
        return globalThis.sessionStorage;
    } catch {
        return undefined;
    }
}
