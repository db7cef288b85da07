/** The pages by name, each in a file of its own that is fetched when it is gone to. */
import type { Loaders, Page } from "../frame/chunks";

/** A page that shows the same whatever its address says. */
function plain(load: () => Promise<{ default: unknown }>): () => Promise<{ default: Page }> {
    return load as () => Promise<{ default: Page }>;
}

export const PAGES: Loaders = {
    about: plain(() => import("./texts/About.svelte")),
    account: plain(() => import("./own/Account.svelte")),
    fairness: plain(() => import("./texts/Fairness.svelte")),
    history: () => import("./account/History.svelte"),
    home: plain(() => import("./home/Home.svelte")),
    leaving: plain(() => import("./own/Leaving.svelte")),
    lobby: () => import("./lobby/Lobby.svelte"),
    login: plain(() => import("./account/Login.svelte")),
    match: () => import("./match/Match.svelte"),
    new: () => import("./new/NewMatch.svelte"),
    play: () => import("./play/Play.svelte"),
    player: () => import("./account/Profile.svelte"),
    ranks: () => import("./account/Ranks.svelte"),
    rules: () => import("./rules/Rules.svelte"),
    settings: plain(() => import("./settings/Settings.svelte")),
    unknown: () => import("./texts/Unknown.svelte"),
    verify: () => import("./texts/Verify.svelte"),
};
