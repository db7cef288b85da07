/** Who this browser is to the platform: asked, begun as a guest, or ended. One at a time.
 *
 * Design. No script sees the cookie, so only the platform knows whether there is a session. Whoever
 * holds the stream asks for all tabs, one question after the other: two tabs that are opened at once
 * are one guest. A guest is made only where this browser has had no session before.
 */
import type { Account } from "$gen/bree/gateway/v1/gateway_pb";
import type { Clients } from "./clients";
import { deviceOf } from "./device";
import { refusalOf } from "./refusal";

export class Identity {
    account: Account | undefined;
    private latest: Promise<unknown> = Promise.resolve();
    private epoch = 0;

    constructor(
        private readonly clients: Clients,
        private readonly changed: (account: Account | undefined) => void,
    ) {}

    /** The account; that of a new guest if there is none and never was; undefined if it has ended. */
    enter(wasKnown: boolean, wasRefused: boolean): Promise<Account | undefined> {
        const epoch = this.epoch;
        return this.after(async () => {
            if (this.account && !wasRefused) return this.account;
            const known = await this.ask();
            if (known) return this.learn(known, epoch);
            if (wasKnown || this.account) return undefined;
            const device = deviceOf(navigator.userAgent);
            const { account } = await this.clients.sessions.startSession({ device });
            return this.learn(account, epoch);
        });
    }

    /** Somebody has logged in or out: all that was known is asked anew. */
    again(): Promise<Account | undefined> {
        const epoch = ++this.epoch;
        return this.after(async () => this.learn(await this.ask(), epoch));
    }

    learn(account: Account | undefined, epoch = this.epoch): Account | undefined {
        if (epoch !== this.epoch) return account;
        const was = this.account;
        this.account = account;
        if (!was || !account || !isSame(was, account)) this.changed(account);
        return account;
    }

    private async ask(): Promise<Account | undefined> {
        try {
            return (await this.clients.accounts.getAccount({})).account;
        } catch (error) {
            if (refusalOf(error).reason === "UNAUTHENTICATED") return undefined;
            throw error;
        }
    }

    private after<T>(next: () => Promise<T>): Promise<T> {
        const run = this.latest.then(next, next);
        this.latest = run.catch(() => undefined);
        return run;
    }
}

/** Whether nothing has changed of an account that anybody is told of. */
export function isSame(one: Account, other: Account): boolean {
    return (
        one.id === other.id &&
        one.name === other.name &&
        one.guest === other.guest &&
        one.bot === other.bot &&
        one.leaveTime?.seconds === other.leaveTime?.seconds
    );
}
