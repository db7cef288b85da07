/** The way to a provider of OpenID Connect and back: what stays in this tab, and what comes back.
 *
 * Design. Who comes back at /login has begun here, in this tab, and not long ago: the binding that was
 * kept says so, and is worth nothing without the state that comes in the address. So nobody can be
 * logged in, or be linked, by an address that somebody else made up.
 */

export type Purpose = "link" | "login";

export interface Attempt {
    readonly purpose: Purpose;
    readonly state: string;
    readonly binding: string;
}

/** What `ProviderProof` says. */
export interface Proof {
    state: string;
    code: string;
    binding: string;
    issuer: string;
}

export type Return =
    /** Nobody has come back: this is an ordinary visit. */
    | { at: "none" }
    | { at: "there"; purpose: Purpose; proof: Proof }
    | { at: "refused"; purpose: Purpose; text: string };

type Store = Pick<Storage, "getItem" | "removeItem" | "setItem">;

const KEPT = "bree.provider";

export function keepAttempt(store: Store, attempt: Attempt): void {
    store.setItem(KEPT, JSON.stringify(attempt));
}

/** What was kept; it is gone by this, whatever comes of it. */
export function takeAttempt(store: Store): Attempt | undefined {
    const text = store.getItem(KEPT);
    store.removeItem(KEPT);
    try {
        const said = JSON.parse(text ?? "null") as Partial<Attempt> | null;
        if (!said?.state || !said.binding) return undefined;
        const purpose = said.purpose === "link" ? "link" : "login";
        return { purpose, state: said.state, binding: said.binding };
    } catch {
        return undefined;
    }
}

/** Whether an address is one that a provider sent somebody back to. */
export function isReturn(query: URLSearchParams): boolean {
    return query.has("state") && (query.has("code") || query.has("error"));
}

export function returnOf(query: URLSearchParams, attempt: Attempt | undefined): Return {
    if (!isReturn(query)) return { at: "none" };
    const purpose = attempt?.purpose ?? "login";
    if (!attempt || query.get("state") !== attempt.state) {
        return {
            at: "refused",
            purpose,
            text: "This answer belongs to nothing that was begun in this tab. Begin here again.",
        };
    }
    const error = query.get("error");
    if (error !== null) return { at: "refused", purpose, text: errorWords(error) };
    const proof = {
        state: attempt.state,
        code: query.get("code") ?? "",
        binding: attempt.binding,
        issuer: query.get("iss") ?? "",
    };
    return { at: "there", purpose, proof };
}

function errorWords(error: string): string {
    if (error === "access_denied") return "It was given up there. Nothing has changed here.";
    if (["server_error", "temporarily_unavailable"].includes(error)) {
        return "The provider is away at the moment. Try again later, or come in another way.";
    }
    return "The provider refused it. If it does so again, tell the host of this platform.";
}

/** The storage of this tab; in memory where the browser gives none. */
export function tabStore(): Store {
    try {
        return globalThis.sessionStorage;
    } catch {
        return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
    }
}
