/** Whoever looks at a match: an account with no seat there, one, or several; and through whose eyes. */
import { SvelteMap } from "svelte/reactivity";
import { MatchState, type Account, type Match } from "$gen/bree/gateway/v1/gateway_pb";
import type { Refusal, Stop, Wire } from "../wire/contract";
import { refusalOf } from "../wire/refusal";
import { Play } from "./play.svelte";
import { askedOf } from "./standIns";
import { mySeats, seatTitle } from "./words";

export class Sitting {
    account: Account | undefined = $state.raw();
    refusal: Refusal | undefined = $state.raw();
    notice = $state("");

    /** Through whose eyes: a seat's, or a spectator's; undefined before it is known. */
    eyes: string | undefined = $state();
    private readonly plays = new SvelteMap<string, Play>();
    private stopAccount: Stop = () => undefined;
    private found: Match | undefined = $state.raw();

    readonly now: Play | undefined = $derived(
        this.eyes === undefined ? undefined : this.plays.get(this.eyes),
    );
    readonly match: Match | undefined = $derived(this.now?.match ?? this.found);
    readonly mine: readonly string[] = $derived(mySeats(this.match, this.account?.name));

    /** Through which eyes one may look: one's own, or a spectator's; all, once it is over. */
    readonly choices: readonly string[] = $derived(this.choicesNow());

    constructor(
        readonly wire: Wire,
        readonly id: string,
        private readonly wanted: string | undefined,
        /** What has just been told of the match. */
        private readonly told?: Match,
    ) {}

    start(): void {
        this.stopAccount = this.wire.onAccount((account) => {
            const isAnother = this.account !== undefined && account?.id !== this.account.id;
            this.account = account;
            if (isAnother) this.again();
        });
        void this.load(this.told);
    }

    stop(): void {
        this.stopAccount();
        for (const play of this.plays.values()) play.stop();
        this.plays.clear();
    }

    /** Begins from nothing: after a failure, or for another account. */
    again(): void {
        for (const play of this.plays.values()) play.stop();
        this.plays.clear();
        this.eyes = undefined;
        void this.load();
    }

    look(eyes: string, told?: Match): void {
        if (!this.plays.has(eyes)) {
            const play = new Play(this.wire, this.id, eyes);
            this.plays.set(eyes, play);
            play.start(told);
        }
        this.eyes = eyes;
    }

    /** Whether a seat of one's own is asked something now. */
    get isAsked(): boolean {
        const standing = this.now?.standing;
        if (!standing || standing.outcome) return false;
        return askedOf(standing, this.mine).length > 0;
    }

    /** The seat of one's own that is asked now, where another one is looked through. */
    get askedElsewhere(): string | undefined {
        const asked = askedOf(this.now?.standing, this.mine);
        return this.eyes === undefined || asked.includes(this.eyes) ? undefined : asked[0];
    }

    private async load(told?: Match): Promise<void> {
        this.refusal = undefined;
        this.notice = "";
        try {
            const { matches } = this.wire.clients;
            const [account, { match }] = await Promise.all([
                this.wire.enter(),
                told ? { match: told } : matches.getMatch({ match: this.id }),
            ]);
            this.account = account;
            this.found = match;
            this.look(this.firstEyes(match), match);
        } catch (error) {
            this.refusal = refusalOf(error);
        }
    }

    private firstEyes(match: Match | undefined): string {
        const mine = mySeats(match, this.account?.name);
        const { wanted } = this;
        if (!wanted) return mine[0] ?? "";
        const isThere = match?.seats.some(({ seat }) => seat === wanted) ?? false;
        if (isThere && (match?.state === MatchState.OVER || mine.includes(wanted))) return wanted;
        this.notice = isThere
            ? `Somebody else sits at ${seatTitle(wanted)}. You watch the match.`
            : "The match has no such seat. You watch it.";
        return mine[0] ?? "";
    }

    private choicesNow(): string[] {
        if (!this.match) return [];
        if (this.now?.isOver) return [...this.match.seats.map(({ seat }) => seat), ""];
        return this.mine.length > 0 ? [...this.mine] : [""];
    }
}
