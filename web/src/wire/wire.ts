/** `Wire` of one tab: calls go straight to the platform, news come from whoever holds the stream. */
import type { Transport } from "@connectrpc/connect";
import { ErrorReason } from "$gen/bree/engine/v1/errors_pb";
import type {
    Account,
    ListenQuestionsResponse,
    Match,
    MatchStep,
    MatchUnfollowed,
    Note,
} from "$gen/bree/gateway/v1/gateway_pb";
import { patient, type Trouble } from "./calls";
import { clientsOver, type Clients } from "./clients";
import type { Following, Link, Stop, Wire } from "./contract";
import { beginAnew, Follower, type Place } from "./feed";
import { isSame } from "./identity";
import { openLine, type Line, type Surroundings } from "./line";
import type { FromTab, HostLink, ToTab } from "./messages";
import { Waiting } from "./patience";
import { Refused } from "./refused";
import { newName } from "./stream";

export interface Own extends Surroundings {
    transport: Transport;
    release: string;

    /** What outlasts a tab and can be read by all: whether this browser has had a session. */
    storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

const mark = "bree.session";

interface Followed {
    what: Following;
    follower: Follower;
}

interface Entering {
    refused: boolean;
    resolve: (account: Account) => void;
    reject: (error: unknown) => void;
}

export class TabWire implements Wire {
    readonly clients: Clients;
    private readonly line: Line;
    private readonly waiting = new Waiting();
    private readonly follows = new Map<number, Followed>();
    private readonly entering = new Map<number, Entering>();
    private readonly questions = new Map<string, ListenQuestionsResponse>();
    private readonly troubles = new Map<object, Trouble>();
    private readonly accountListeners = new Set<(account: Account | undefined) => void>();
    private readonly linkListeners = new Set<(link: Link) => void>();
    private readonly questionListeners = new Set<(question: ListenQuestionsResponse) => void>();
    private readonly noteListeners = new Set<(note: Note) => void>();
    private readonly matchListeners = new Map<(match: Match) => void, boolean>();
    private account: Account | undefined;
    private hostLink: HostLink = { state: "well" };
    private told: Link = { state: "well" };
    private newer = "";
    private latest = 0;
    private isSaying = false;

    constructor(private readonly own: Own) {
        const bearing = patient(own.transport, {
            waiting: this.waiting,
            trouble: (call, trouble) => {
                this.note(call, trouble);
            },
            enter: (wasRefused) => this.canEnter(wasRefused),
            isStranger: () => !this.isKnown && !this.account,
            answered: (method, request) => {
                this.answered(method, request);
            },
        });
        this.clients = clientsOver(bearing);
        this.line = openLine(newName(), own, (message) => {
            this.hear(message);
        });
    }

    enter(): Promise<Account> {
        return this.ask(false);
    }

    onAccount(listener: (account: Account | undefined) => void): Stop {
        return this.listen(this.accountListeners, listener, () => {
            listener(this.account);
        });
    }

    onLink(listener: (link: Link) => void): Stop {
        return this.listen(this.linkListeners, listener, () => {
            listener(this.told);
        });
    }

    onQuestion(listener: (question: ListenQuestionsResponse) => void): Stop {
        return this.listen(this.questionListeners, listener, () => {
            for (const question of this.questions.values()) listener(question);
        });
    }

    onMatch(listener: (match: Match) => void, withLobby: boolean): Stop {
        this.matchListeners.set(listener, withLobby);
        if (withLobby) this.sayLater();
        return () => {
            if (this.matchListeners.delete(listener) && withLobby) this.sayLater();
        };
    }

    onNote(listener: (note: Note) => void): Stop {
        return this.listen(this.noteListeners, listener, () => undefined);
    }

    follow(
        what: Following,
        step: (step: MatchStep) => void,
        unfollowed: (why: MatchUnfollowed) => void,
    ): Stop {
        const id = ++this.latest;
        const place: Place | undefined = what.after;
        const follower = new Follower(
            place,
            (_, told) => {
                step(told);
            },
            unfollowed,
        );
        this.follows.set(id, { what, follower });
        this.sayLater();
        return () => {
            if (this.follows.delete(id)) this.sayLater();
        };
    }

    changed(): void {
        this.own.storage.removeItem(mark);
        this.line.send({ kind: "changed" });
    }

    /** There is a network again, or somebody looks at the tab again. */
    wake(): void {
        this.waiting.wake();
        this.line.send({ kind: "wake" });
    }

    close(): void {
        this.line.close();
    }

    // What is said.

    private ask(refused: boolean): Promise<Account> {
        const request = ++this.latest;
        return new Promise((resolve, reject) => {
            this.entering.set(request, { refused, resolve, reject });
            this.sayEnter(request, refused);
        });
    }

    private sayEnter(request: number, refused: boolean): void {
        this.line.send({ kind: "enter", request, known: this.isKnown, refused });
    }

    private async canEnter(wasRefused: boolean): Promise<boolean> {
        try {
            await this.ask(wasRefused);
            return true;
        } catch {
            return false;
        }
    }

    private get isKnown(): boolean {
        return this.own.storage.getItem(mark) !== null;
    }

    /** Says all wishes, once for all that change together. */
    private sayLater(): void {
        if (this.isSaying) return;
        this.isSaying = true;
        queueMicrotask(() => {
            this.isSaying = false;
            this.sayWishes();
        });
    }

    private sayWishes(): void {
        const follows = [...this.follows].map(([id, { what, follower }]) => {
            const { match, seat } = what;
            const { revision, head } = follower.at;
            return { id, match, seat, ...(revision > 0n ? { after: { revision, head } } : {}) };
        });
        const lobby = [...this.matchListeners.values()].includes(true);
        this.line.send({ kind: "wishes", wishes: { lobby, follows, known: this.isKnown } });
    }

    private answered(method: string, request: unknown): void {
        if (method !== "Act") return;
        const {
            match = "",
            seat = "",
            question = 0n,
        } = request as Partial<Extract<FromTab, { kind: "answered" }>>;
        const name = `${match} ${seat}`;
        const number = this.questions.get(name)?.question?.number;
        if (number !== undefined && number <= question) this.questions.delete(name);
        this.line.send({ kind: "answered", match, seat, question });
    }

    // What is heard.

    private hear(message: ToTab): void {
        if (message.kind === "host") this.begin();
        else if (message.kind === "link") this.hearLink(message.link);
        else if (message.kind === "account") this.hearAccount(message.account);
        else if (message.kind === "release") this.hearRelease(message.release);
        else if (message.kind === "entered") this.entered(message);
        else if (message.kind === "refused") this.refused(message);
        else if (message.kind === "question") this.hearQuestion(message.question);
        else if (message.kind === "match") tellEach(this.matchListeners.keys(), message.match);
        else if (message.kind === "note") tellEach(this.noteListeners, message.note);
        else if (message.kind === "step") this.hearStep(message);
        else if (message.kind === "unfollowed") this.unfollow(message.follow, message.why);
    }

    /** Whoever holds the stream now knows nothing of this tab. */
    private begin(): void {
        this.questions.clear();
        this.sayWishes();
        for (const [request, { refused }] of this.entering) this.sayEnter(request, refused);
    }

    private hearAccount(account: Account | undefined): void {
        if (account) this.own.storage.setItem(mark, account.id);
        else this.own.storage.removeItem(mark);
        this.sayLater();
        const was = this.account;
        if (was && account ? isSame(was, account) : was === account) return;
        this.account = account;
        this.questions.clear();
        tellEach(this.accountListeners, account);
    }

    private entered({ request, account }: Extract<ToTab, { kind: "entered" }>): void {
        this.own.storage.setItem(mark, account.id);
        this.entering.get(request)?.resolve(account);
        this.entering.delete(request);
    }

    private refused({ request, refusal }: Extract<ToTab, { kind: "refused" }>): void {
        this.entering.get(request)?.reject(new Refused(refusal));
        this.entering.delete(request);
    }

    private hearQuestion(question: ListenQuestionsResponse): void {
        const name = `${question.match} ${question.seat}`;
        if (question.question) this.questions.set(name, question);
        else this.questions.delete(name);
        tellEach(this.questionListeners, question);
    }

    private hearStep({ follow, after, step }: Extract<ToTab, { kind: "step" }>): void {
        const followed = this.follows.get(follow);
        if (!followed) return;
        try {
            const misfit = followed.follower.take({ after, step });
            if (misfit !== undefined) {
                const { match, seat } = followed.what;
                const why =
                    misfit === ErrorReason.HISTORY_CHANGED ? "moves were lost" : "told anew";
                this.unfollow(follow, beginAnew({ match, seat }, misfit, why));
            }
        } catch (error) {
            reportError(error);
        }
    }

    private unfollow(id: number, why: MatchUnfollowed): void {
        const followed = this.follows.get(id);
        this.follows.delete(id);
        this.sayLater();
        if (followed) tellEach([followed.follower.unfollowed], why);
    }

    // How it is between here and there.

    private hearLink(link: HostLink): void {
        this.hostLink = link;
        this.tellLink();
    }

    private hearRelease(release: string): void {
        this.newer = release === this.own.release ? "" : release;
        this.tellLink();
    }

    private note(call: object, trouble: Trouble | undefined): void {
        if (trouble) this.troubles.set(call, trouble);
        else if (!this.troubles.delete(call)) return;
        this.tellLink();
    }

    private tellLink(): void {
        const [trouble] = this.troubles.values();
        const link: Link =
            this.hostLink.state === "ended"
                ? this.hostLink
                : this.newer
                  ? { state: "old", release: this.newer }
                  : this.hostLink.state === "well" && trouble
                    ? { state: "away", ...trouble }
                    : this.hostLink;
        if (link.state === "well" && this.told.state === "well") return;
        this.told = link;
        tellEach(this.linkListeners, link);
    }

    private listen<T>(listeners: Set<T>, listener: T, tellKnown: () => void): Stop {
        listeners.add(listener);
        tellKnown();
        return () => listeners.delete(listener);
    }
}

/** A listener that fails keeps nothing from the others. */
function tellEach<T>(listeners: Iterable<(what: T) => void>, what: T): void {
    for (const listener of [...listeners]) {
        try {
            listener(what);
        } catch (error) {
            reportError(error);
        }
    }
}
