/** Whoever holds the browser's one stream: what all tabs want of it, and what each is told. */
import type {
    ListenNewsResponse,
    ListenQuestionsResponse,
    Match,
    NewsStart,
} from "$gen/bree/gateway/v1/gateway_pb";
import type { Clients } from "./clients";
import { Follower } from "./feed";
import { Feeds } from "./feeds";
import { Identity } from "./identity";
import type { FromTab, HostLink, ToTab, Wish, Wishes } from "./messages";
import { refusal, refusalOf } from "./refusal";
import { Stream } from "./stream";

export type Tell = (message: ToTab) => void;

/** Wishes that come together are one change of the stream. */
const settleMs = 20;

/** How often it is looked whether a feed is idle, or has not come. */
const lookMs = 5_000;

interface Tab {
    tell: Tell;
    lobby: boolean;
    known: boolean;
    follows: Map<number, { wish: Wish; follower: Follower }>;
}

export class Exchange {
    private readonly tabs = new Map<string, Tab>();
    private readonly feeds = new Feeds();
    private readonly stream: Stream;
    private readonly identity: Identity;
    private readonly questions = new Map<string, ListenQuestionsResponse>();
    private link: HostLink = { state: "well" };
    private release = "";
    private lobbyAsked = false;
    private isEnded = false;
    private isAsleep = false;
    private settling: ReturnType<typeof setTimeout> | undefined;
    private readonly looking: ReturnType<typeof setInterval>;

    constructor(clients: Clients) {
        this.identity = new Identity(clients, (account) => {
            this.questions.clear();
            if (this.isEnded) this.say({ state: "well" });
            this.isEnded = false;
            this.tellAll({ kind: "account", account });
            this.settle();
        });
        this.stream = new Stream(clients, {
            wanted: () => {
                this.lobbyAsked = this.wantsLobby;
                return { matches: this.feeds.begin(), withLobby: this.lobbyAsked };
            },
            heard: (news) => {
                this.hear(news);
            },
            link: (link) => {
                this.say(link);
            },
            nobody: () => void this.ask(),
            leaving: () => void this.identity.again().catch(() => undefined),
        });
        this.looking = setInterval(() => {
            this.settle();
        }, lookMs);
    }

    get size(): number {
        return this.tabs.size;
    }

    knows(tab: string): boolean {
        return this.tabs.has(tab);
    }

    attach(id: string, tell: Tell): void {
        this.detach(id);
        this.tabs.set(id, { tell, lobby: false, known: false, follows: new Map() });
        tell({ kind: "host" });
        tell({ kind: "link", link: this.link });
        if (this.identity.account) tell({ kind: "account", account: this.identity.account });
        if (this.release) tell({ kind: "release", release: this.release });
        for (const question of this.questions.values()) tell({ kind: "question", question });
    }

    detach(id: string): void {
        const tab = this.tabs.get(id);
        if (!tab) return;
        for (const { wish, follower } of tab.follows.values()) this.feeds.remove(wish, follower);
        this.tabs.delete(id);
        this.settle();
    }

    hearTab(id: string, message: FromTab): void {
        const tab = this.tabs.get(id);
        if (!tab) return;
        if (message.kind === "wishes") this.take(tab, message.wishes);
        else if (message.kind === "enter") void this.enter(tab, message);
        else if (message.kind === "changed") void this.again();
        else if (message.kind === "wake") this.stream.wake();
        else if (message.kind === "answered") this.forget(message);
        else if (message.kind === "ping") tab.tell({ kind: "pong" });
        else this.detach(id);
    }

    /** Nobody looks: the stream is closed, and opened again by `awake`. */
    sleep(): void {
        this.isAsleep = true;
        this.stream.stop();
    }

    awake(): void {
        this.isAsleep = false;
        this.settle();
    }

    close(): void {
        clearInterval(this.looking);
        clearTimeout(this.settling);
        this.stream.stop();
        this.tabs.clear();
        this.isAsleep = true;
    }

    // What tabs want.

    private take(tab: Tab, wishes: Wishes): void {
        tab.lobby = wishes.lobby;
        tab.known = wishes.known;
        const wanted = new Map(wishes.follows.map((wish) => [wish.id, wish]));
        for (const [id, { wish, follower }] of tab.follows) {
            if (wanted.has(id)) continue;
            tab.follows.delete(id);
            this.feeds.remove(wish, follower);
        }
        for (const wish of wanted.values()) if (!tab.follows.has(wish.id)) this.follow(tab, wish);
        this.settle();
    }

    private follow(tab: Tab, wish: Wish): void {
        const follower = new Follower(
            wish.after,
            (after, step) => {
                tab.tell({ kind: "step", follow: wish.id, after, step });
            },
            (why) => {
                tab.follows.delete(wish.id);
                tab.tell({ kind: "unfollowed", follow: wish.id, why });
            },
        );
        tab.follows.set(wish.id, { wish, follower });
        this.feeds.add(wish, follower);
    }

    private get wantsLobby(): boolean {
        return [...this.tabs.values()].some((tab) => tab.lobby);
    }

    private get isWanted(): boolean {
        if (this.isEnded || this.isAsleep || this.tabs.size === 0) return false;
        if (this.identity.account?.leaveTime) return false;
        const isKnown = this.identity.account ?? [...this.tabs.values()].some((tab) => tab.known);
        return Boolean(isKnown) || !this.feeds.isEmpty || this.wantsLobby;
    }

    private settle(): void {
        this.settling ??= setTimeout(() => {
            this.settling = undefined;
            this.settleNow();
        }, settleMs);
    }

    private settleNow(): void {
        if (!this.isWanted) this.stream.stop();
        else if (!this.stream.isOpen) this.stream.start();
        else if (this.stream.isTelling) this.changeStream();
    }

    private changeStream(): void {
        const { follow, unfollow, needsNew } = this.feeds.change();
        const withLobby = this.wantsLobby;
        if (needsNew) this.stream.renew();
        else if (follow.length || unfollow.length || withLobby !== this.lobbyAsked) {
            this.lobbyAsked = withLobby;
            void this.stream.change({ follow, unfollow, withLobby });
        }
    }

    // Who this is.

    private async enter(
        tab: Tab,
        { request, known, refused }: Extract<FromTab, { kind: "enter" }>,
    ): Promise<void> {
        try {
            const account = await this.identity.enter(known, refused);
            if (account) tab.tell({ kind: "entered", request, account });
            else {
                this.end();
                const why = refusal("UNAUTHENTICATED", "The session was ended.");
                tab.tell({ kind: "refused", request, refusal: why, ended: true });
            }
        } catch (error) {
            tab.tell({ kind: "refused", request, refusal: refusalOf(error), ended: false });
        }
    }

    /** The stream has found that nobody is known here. */
    private async ask(): Promise<void> {
        const known = [...this.tabs.values()].some((tab) => tab.known);
        const mayBegin = !this.feeds.isEmpty || this.wantsLobby;
        try {
            if (!known && !this.identity.account && !mayBegin) return;
            if (await this.identity.enter(known, true)) this.settle();
            else this.end();
        } catch {
            this.settle(); // the stream says what is the matter, and goes on trying
        }
    }

    private async again(): Promise<void> {
        this.stream.stop();
        this.isEnded = false;
        this.say({ state: "well" });
        try {
            const account = await this.identity.again();
            this.tellAll({ kind: "account", account });
        } catch {
            // The stream asks again.
        }
        this.settle();
    }

    private end(): void {
        this.isEnded = true;
        this.stream.stop();
        this.say({ state: "ended" });
    }

    // What the stream tells.

    private hear({ news }: ListenNewsResponse): void {
        if (news.case === "start") this.begin(news.value);
        else if (news.case === "step") this.feeds.step(news.value);
        else if (news.case === "match") this.hearMatch(news.value);
        else if (news.case === "note") this.tellAll({ kind: "note", note: news.value });
        else if (news.case === "question") this.hearQuestion(news.value);
        else if (news.case === "unfollowed") {
            this.feeds.unfollowed(news.value);
            this.settle();
        }
    }

    private begin({ account, release }: NewsStart): void {
        this.questions.clear();
        this.release = release;
        this.tellAll({ kind: "release", release });
        this.identity.learn(account);
        this.settle(); // what was wanted while it was opened
    }

    private hearQuestion(question: ListenQuestionsResponse): void {
        const name = `${question.match} ${question.seat}`;
        if (question.question) this.questions.set(name, question);
        else this.questions.delete(name);
        this.tellAll({ kind: "question", question });
    }

    private hearMatch(match: Match): void {
        // What a bot is asked for somebody is no question of his; it is told again if he takes over.
        for (const { seat } of match.seats.filter(({ standIn }) => standIn)) {
            const question = this.questions.get(`${match.id} ${seat}`);
            if (question) this.hearQuestion({ ...question, question: undefined });
        }
        this.tellAll({ kind: "match", match });
    }

    private forget(answered: Extract<FromTab, { kind: "answered" }>): void {
        const name = `${answered.match} ${answered.seat}`;
        const number = this.questions.get(name)?.question?.number;
        if (number !== undefined && number <= answered.question) this.questions.delete(name);
    }

    private say(link: HostLink): void {
        this.link = link;
        this.tellAll({ kind: "link", link });
    }

    private tellAll(message: ToTab): void {
        for (const tab of [...this.tabs.values()]) tab.tell(message);
    }
}
