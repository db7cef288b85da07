/** Opens matches: with bots at all other seats, or with seats left free for people.
 *
 * Design. What is opened here and cannot be begun is left again, which closes it: nobody finds a
 * match that its maker has given up. Every call is one that may be made again, so seats are chosen
 * here and not by the platform.
 */
import type { DescribeGameResponse } from "$gen/bree/engine/v1/engine_pb";
import type { OptionChoice } from "$gen/bree/engine/v1/types_pb";
import { MatchState, type Match } from "$gen/bree/gateway/v1/gateway_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CreateMatchRequestSchema } from "$gen/bree/gateway/v1/gateway_pb";
import { oneOf, randomBytes, randomId } from "../../frame/chance";
import { isFree } from "../../frame/results";
import type { Clients } from "../../wire/clients";
import type { Refusal } from "../../wire/contract";
import { refusalOf } from "../../wire/refusal";

/** A seat by chance, as the platform writes it. */
export const BY_CHANCE = "random";

/** A seat of one's own is taken later, when all of them are seen. */
export const LATER = "";

export interface Order {
    request: Omit<MessageInitShape<typeof CreateMatchRequestSchema>, "$typeName" | "requestId">;

    /** A seat of the match, BY_CHANCE or LATER. */
    seat: string;

    /** The level of the bots at all other seats; "" leaves them free for people. */
    bots: string;
}

export interface Opened {
    match: string;

    /** "" if none was taken. */
    seat: string;
}

export type Step = "begin" | "bot" | "open" | "seat";

/** A match could not be opened as it was ordered. */
export class OpeningFailed extends Error {
    constructor(
        readonly step: Step,
        readonly refusal: Refusal,
        /** A match that was opened and could not be closed again. */
        readonly leftOpen: string,
    ) {
        super(refusal.message);
    }
}

/** Keeps what proves later that the chance of the match was not chosen. */
export type Keep = (match: string, seat: string, nonce: Uint8Array, commitment: string) => void;

/** The simplest order: the game as it comes, a side by chance, a bot everywhere else. */
export function usualOrder(game: DescribeGameResponse, level: string, seat = BY_CHANCE): Order {
    const options: OptionChoice[] = game.presets[0]?.options ?? [];
    return { request: { game: game.game, options }, seat, bots: level };
}

export async function openMatch(clients: Clients, order: Order, keep: Keep): Promise<Opened> {
    const { matches } = clients;
    const match = await opened(clients, order);
    const id = match.id;
    let step: Step = "seat";
    try {
        const seat = order.seat === LATER ? "" : await takeSeat(clients, match, order.seat, keep);
        if (!order.bots || !seat) return { match: id, seat };
        step = "bot";
        for (const free of match.seats.filter((one) => isFree(one) && one.seat !== seat)) {
            await matches.addBot({ match: id, seat: free.seat, level: order.bots });
        }
        step = "begin";
        await begin(clients, id);
        return { match: id, seat };
    } catch (error) {
        throw new OpeningFailed(step, refusalOf(error), (await closed(clients, id)) ? "" : id);
    }
}

async function opened(clients: Clients, { request }: Order): Promise<Match> {
    try {
        const { match } = await clients.matches.createMatch({ ...request, requestId: randomId() });
        if (!match) throw new Error("the platform opened a match and did not say which");
        return match;
    } catch (error) {
        throw new OpeningFailed("open", refusalOf(error), "");
    }
}

/** Takes a seat with a nonce of this browser's, and keeps it beside the commitment. */
export async function takeSeat(
    clients: Clients,
    match: Match,
    wanted: string,
    keep: Keep,
): Promise<string> {
    const free = match.seats.filter(isFree).map(({ seat }) => seat);
    const seat = wanted === BY_CHANCE ? (oneOf(free) ?? BY_CHANCE) : wanted;
    const nonce = randomBytes(16);
    const joined = await clients.matches.joinMatch({ match: match.id, seat, nonce });
    // The seat may have been taken before, with another nonce: then that one counts and was kept.
    keep(match.id, joined.seat, nonce, match.commitment);
    return joined.seat;
}

/** Begins a match; if the answer is lost, looks whether it has begun. */
async function begin(clients: Clients, match: string): Promise<void> {
    try {
        await clients.matches.startMatch({ match });
    } catch (error) {
        const found = await clients.matches.getMatch({ match }).catch(() => undefined);
        if (found?.match?.state !== MatchState.RUNNING) throw error;
    }
}

async function closed(clients: Clients, match: string): Promise<boolean> {
    try {
        await clients.matches.leaveMatch({ match });
        return true;
    } catch {
        return false;
    }
}

const STEPS: Readonly<Record<Step, string>> = {
    open: "The match was not opened.",
    seat: "You got no seat.",
    bot: "The bot did not come.",
    begin: "The match did not begin.",
};

/** What came of it, for people. */
export function failureWords(failed: OpeningFailed): string {
    if (failed.step === "open") return STEPS.open;
    const after = failed.leftOpen
        ? "It could not be closed again: you find it in the lobby, among your own."
        : "It was closed again, and nothing is left of it.";
    return `${STEPS[failed.step]} ${after}`;
}
