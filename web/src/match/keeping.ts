/** What proves later that nobody has changed a match: what this browser keeps of it while it is played.
 *
 * The commitment is noted before a seat adds its nonce, and heads while the match goes on. The
 * verifier compares them with the record when all is published.
 */
import type { Standing } from "$gen/bree/engine/v1/engine_pb";
import type { Kept } from "../../../clients/ts/verify";

interface Promises {
    commitment?: string;
    nonces: Record<string, string>;

    /** Heads by revision; the latest ones, and some of long ago. */
    heads: Record<string, string>;

    /** When something was last noted: the oldest matches are forgotten first. */
    at: number;
}

const prefix = "bree.kept.";
const mostHeads = 40;
const mostMatches = 200;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** The storage of this browser, where it lets pages have one. */
export function ownStore(): Store | undefined {
    try {
        return localStorage;
    } catch {
        return undefined;
    }
}

export class Keeping {
    constructor(private readonly store: Store | undefined = ownStore()) {}

    /** Keeps the nonce of a seat, and the commitment that was published before it. */
    nonce(match: string, seat: string, nonce: Uint8Array, commitment: string): void {
        const hex = Array.from(nonce, (byte) => byte.toString(16).padStart(2, "0")).join("");
        this.change(match, (kept) => {
            kept.nonces[seat] = hex;
            // The first one is the one that was promised.
            if (commitment) kept.commitment ??= commitment;
        });
    }

    commitment(match: string, commitment: string): void {
        if (commitment && this.read(match).commitment === undefined) {
            this.change(match, (kept) => (kept.commitment = commitment));
        }
    }

    head(match: string, standing: Standing): void {
        if (!standing.head) return;
        this.change(match, (kept) => {
            kept.heads[String(standing.revision)] = standing.head;
            kept.heads = thinned(kept.heads);
        });
    }

    /** The platform has lost moves and has said so: heads after these are of another history. */
    doubtHeads(match: string): void {
        this.change(match, (kept) => (kept.heads = {}));
    }

    of(match: string): Kept {
        const { commitment, nonces, heads } = this.read(match);
        return {
            ...(commitment ? { commitment } : {}),
            nonces: Object.entries(nonces),
            heads: Object.entries(heads).map(
                ([revision, head]) => [Number(revision), head] as const,
            ),
        };
    }

    /** What is kept of the match with this commitment, if there is one. */
    withCommitment(commitment: string | undefined): Kept | undefined {
        if (!commitment) return undefined;
        const match = this.matches().find((one) => this.read(one).commitment === commitment);
        return match === undefined ? undefined : this.of(match);
    }

    private change(match: string, change: (kept: Promises) => void): void {
        const kept = this.read(match);
        change(kept);
        kept.at = Date.now();
        this.write(match, kept, true);
    }

    private write(match: string, kept: Promises, mayForget: boolean): void {
        try {
            this.store?.setItem(prefix + match, JSON.stringify(kept));
        } catch {
            // Full, or nothing is kept at all: then less is proved, and the verifier says so.
            if (mayForget && this.forgetOldest()) this.write(match, kept, false);
        }
        if (mayForget && this.matches().length > mostMatches) this.forgetOldest();
    }

    private read(match: string): Promises {
        try {
            const said: unknown = JSON.parse(this.store?.getItem(prefix + match) ?? "");
            if (isPromises(said)) return said;
        } catch {
            // Nothing, or nothing that can be read.
        }
        return { nonces: {}, heads: {}, at: 0 };
    }

    private matches(): string[] {
        const { store } = this;
        const keys = Array.from({ length: store?.length ?? 0 }, (_, at) => store?.key(at) ?? "");
        return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    }

    private forgetOldest(): boolean {
        const [oldest] = this.matches().sort((a, b) => this.read(a).at - this.read(b).at);
        if (oldest !== undefined) this.store?.removeItem(prefix + oldest);
        return oldest !== undefined;
    }
}

/** A nonce that nobody can foresee. */
export function newNonce(): Uint8Array<ArrayBuffer> {
    return crypto.getRandomValues(new Uint8Array(16));
}

/** Keeps the nonce of a seat and the commitment that was published before it, in this browser. */
export function keepNonce(
    match: string,
    seat: string,
    nonce: Uint8Array,
    commitment: string,
): void {
    new Keeping().nonce(match, seat, nonce, commitment);
}

function isPromises(said: unknown): said is Promises {
    const kept = said as Partial<Promises> | null;
    return typeof kept?.nonces === "object" && typeof kept.heads === "object";
}

/** The latest half of the heads whole, and every other one of those before. */
function thinned(heads: Record<string, string>): Record<string, string> {
    const all = Object.entries(heads);
    if (all.length <= mostHeads) return heads;
    const early = all.length - mostHeads / 2;
    return Object.fromEntries(all.filter((_, at) => at >= early || at % 2 === 0));
}
