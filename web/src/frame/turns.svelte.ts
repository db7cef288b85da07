/** The questions that wait for this person, in all his matches.
 *
 * Design. News tell of each question, and of nobody's answers. So an answer that is given here is
 * noted where it is sent, and told to the other tabs, which share the news but not the answers.
 */
import type { ListenQuestionsResponse } from "$gen/bree/gateway/v1/gateway_pb";
import type { Wire } from "../wire/contract";

export interface Turn {
    match: string;
    game: string;
    seat: string;
    number: bigint;
    sentence: string;
}

interface Answered {
    match: string;
    seat: string;
    number: string;
}

export class Turns {
    /** Those that wait, the oldest first. */
    waiting: readonly Turn[] = $state.raw([]);
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing that is drawn reads it
    readonly #answered = new Map<string, bigint>();
    readonly #tabs: BroadcastChannel | undefined;

    constructor(tabs?: BroadcastChannel) {
        this.#tabs = tabs;
        tabs?.addEventListener("message", (event: MessageEvent<Answered>) => {
            const { match, seat, number } = event.data;
            this.#forget(match, seat, BigInt(number));
        });
    }

    /** A question of the news, or the end of a match; tells whether it is one that was not known. */
    told(news: ListenQuestionsResponse): boolean {
        const { match, game, seat, question } = news;
        if (!question) {
            this.waiting = this.waiting.filter((turn) => !isAt(turn, match, seat));
            return false;
        }
        const { number, sentence } = question;
        const known = this.waiting.find((turn) => isAt(turn, match, seat));
        if (known && known.number >= number) return false;
        if ((this.#answered.get(`${match} ${seat}`) ?? 0n) >= number) return false;
        const others = this.waiting.filter((turn) => turn !== known);
        this.waiting = [...others, { match, game, seat, number, sentence }];
        return true;
    }

    /** An answer of this tab's to the question of this number has been taken. */
    answered(match: string, seat: string, number: bigint): void {
        this.#forget(match, seat, number);
        this.#tabs?.postMessage({ match, seat, number: String(number) } satisfies Answered);
    }

    /** Another account is logged in: nothing of this concerns it. */
    clear(): void {
        this.waiting = [];
        this.#answered.clear();
    }

    #forget(match: string, seat: string, number: bigint): void {
        const before = this.#answered.get(`${match} ${seat}`) ?? 0n;
        if (number > before) this.#answered.set(`${match} ${seat}`, number);
        this.waiting = this.waiting.filter(
            (turn) => !isAt(turn, match, seat) || turn.number > number,
        );
    }
}

function isAt(turn: Turn, match: string, seat: string): boolean {
    return turn.match === match && turn.seat === seat;
}

/** The same wire, which notes the answers that are sent over it. */
export function noticing(wire: Wire, turns: Turns): Wire {
    const { matches } = wire.clients;
    return {
        clients: {
            ...wire.clients,
            matches: {
                ...matches,
                act: async (request, options) => {
                    const answer = await matches.act(request, options);
                    const { match = "", seat = "", question = 0n } = request;
                    turns.answered(match, seat, question);
                    return answer;
                },
            },
        },
        enter: () => wire.enter(),
        onAccount: (listener) => wire.onAccount(listener),
        onLink: (listener) => wire.onLink(listener),
        onQuestion: (listener) => wire.onQuestion(listener),
        onNote: (listener) => wire.onNote(listener),
        onMatch: (listener, withLobby) => wire.onMatch(listener, withLobby),
        follow: (what, step, unfollowed) => wire.follow(what, step, unfollowed),
        changed: () => {
            wire.changed();
        },
    };
}
