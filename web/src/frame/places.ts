/** The addresses of the page: what each shows, and how links to it are written. */

export type PageName =
    | "about"
    | "account"
    | "fairness"
    | "history"
    | "home"
    | "leaving"
    | "lobby"
    | "login"
    | "match"
    | "new"
    | "play"
    | "player"
    | "ranks"
    | "rules"
    | "settings"
    | "unknown"
    | "verify";

export interface Place {
    readonly page: PageName;

    /** What the address names: a game, a match, a player. */
    readonly params: Readonly<Record<string, string>>;
    readonly query: URLSearchParams;

    /** The part of the page, without its "#". */
    readonly hash: string;

    /** Page and parameters: another page is built when it changes, and only then. */
    readonly key: string;
}

const PATTERNS: readonly (readonly [string, PageName])[] = [
    ["/", "home"],
    ["/play", "play"],
    ["/play/:game", "play"],
    ["/lobby", "lobby"],
    ["/new", "new"],
    ["/new/:game", "new"],
    ["/m/:match", "match"],
    ["/history", "history"],
    ["/player/:name", "player"],
    ["/ranks", "ranks"],
    ["/ranks/:game", "ranks"],
    ["/settings", "settings"],
    ["/account", "account"],
    ["/rules", "rules"],
    ["/rules/:game", "rules"],
    ["/about", "about"],
    ["/fairness", "fairness"],
    ["/verify", "verify"],
    ["/login", "login"],
];

/** What an address shows; the page "unknown" for those that are none of ours. */
export function placeOf(href: string): Place {
    const url = new URL(href);
    const found = partsOf(url.pathname);
    const [page, params]: [PageName, Record<string, string>] = (found && matching(found)) ?? [
        "unknown",
        { path: url.pathname },
    ];
    const key = [page, ...Object.values(params)].join("/");
    return { page, params, query: url.searchParams, hash: decoded(url.hash.slice(1)) ?? "", key };
}

function matching(found: string[]): [PageName, Record<string, string>] | undefined {
    for (const [pattern, page] of PATTERNS) {
        const params = matched(pattern.split("/").filter(Boolean), found);
        if (params) return [page, params];
    }
    return undefined;
}

function matched(wanted: string[], found: string[]): Record<string, string> | undefined {
    if (wanted.length !== found.length) return undefined;
    const params: Record<string, string> = {};
    for (const [at, part] of wanted.entries()) {
        const said = found[at] ?? "";
        if (part.startsWith(":")) params[part.slice(1)] = said;
        else if (part !== said) return undefined;
    }
    return params;
}

/** The parts of a path, or nothing if one of them cannot be read. */
function partsOf(path: string): string[] | undefined {
    const parts = path
        .split("/")
        .filter(Boolean)
        .map((part) => decoded(part));
    return parts.every((part) => part !== undefined) ? parts : undefined;
}

function decoded(text: string): string | undefined {
    try {
        return decodeURIComponent(text);
    } catch {
        return undefined;
    }
}

/** An address with another query; what is empty goes. */
export function filtered(href: string, change: Readonly<Record<string, string>>): string {
    const url = new URL(href);
    for (const [name, value] of Object.entries(change)) {
        if (value) url.searchParams.set(name, value);
        else url.searchParams.delete(name);
    }
    return url.href;
}

function withQuery(path: string, query: Record<string, string | number | undefined>): string {
    const said = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
        if (value !== undefined && value !== "") said.set(name, String(value));
    }
    const text = said.toString();
    return text ? `${path}?${text}` : path;
}

const part = encodeURIComponent;

/** Links to every page. */
export const to = {
    home: "/",
    history: "/history",
    settings: "/settings",
    account: (part = ""): string => (part ? `/account#${part}` : "/account"),
    about: "/about",
    fairness: "/fairness",
    login: "/login",
    play: (game?: string): string => (game ? `/play/${part(game)}` : "/play"),
    lobby: (filter: Record<string, string | undefined> = {}): string => withQuery("/lobby", filter),
    open: (game?: string): string => (game ? `/new/${part(game)}` : "/new"),
    match: (id: string, seen: { seat?: string; at?: number } = {}): string =>
        withQuery(`/m/${part(id)}`, seen),
    player: (name: string): string => `/player/${part(name)}`,
    ranks: (game?: string): string => (game ? `/ranks/${part(game)}` : "/ranks"),
    rules: (game?: string, section?: string): string =>
        (game ? `/rules/${part(game)}` : "/rules") + (section ? `#${part(section)}` : ""),
    verify: (match?: string): string => withQuery("/verify", { match }),
} as const;
