/** Everything that crosses the network to a browser, searched for what its seat may not know.
 *
 * Design. The record, which is published when a match is over, tells what was true at each
 * revision. So all that came before the end is compared with what the rules give the seat then:
 * positions, questions and happenings are those and no others. That alone would not notice rules
 * that tell too much; so of The Confrontation all that came is searched for pieces of the other
 * side, which may be named only from when something that happened has named them.
 */
import { equals, fromBinary, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { anyUnpack, type Any } from "@bufbuild/protobuf/wkt";
import { inject, expect, describe, test } from "vitest";
import { BoardSchema, Side, type Board } from "../../gen/bree/confrontation/v1/board_pb";
import { EventSchema, QuestionSchema } from "../../gen/bree/engine/v1/types_pb";
import type { Event, Question } from "../../gen/bree/engine/v1/types_pb";
import type {
    ActRequest,
    ActResponse,
    GetViewRequest,
    GetViewResponse,
    ListenNewsResponse,
    ListenQuestionsResponse,
    WatchMatchResponse,
} from "../../gen/bree/gateway/v1/gateway_pb";
import { browserForTests, isMissing } from "../world/browser";
import { Between, boards, type Told } from "../world/guard";
import { answer, caller, guests, matchIn, resign, type Seen, seenIn } from "../world/guardCalls";
import { openAgainstBot, type Order } from "../world/matches";

const person = guests(browserForTests().person);

/** What came of one position, however it came. */
interface Piece {
    viewer: string;
    revision: number;
    view?: Any;
    question?: Question;
    events?: Event[];
    isOver: boolean;
}

interface Played {
    between: Between;
    pieces: Piece[];
    seat: string;
    seen: Seen;
    decisions: number;
}

/** A game against a bot, until it is given up, as a proxy has heard it. */
async function play(order: Order, decisions: number): Promise<Played> {
    const address = inject("address");
    const between = await Between.before(address);
    const [page, spectator] = [
        await person({ proxy: between.proxy }),
        await person({ proxy: between.proxy }),
    ];
    await openAgainstBot(page, order);
    const match = matchIn(page);
    const seat = new URL(page.url()).searchParams.get("seat") ?? "";
    await spectator.goto(`/m/${match}`);
    let n = 0;
    while (n < decisions && (await answer(page, (count) => (n * 7) % count))) n++;
    await page.getByRole("button", { name: "One step back" }).click();
    await page.getByText("Asked then:").or(page.getByText("You look at step")).first().waitFor();
    const replay = page.getByRole("group", { name: "Look back" });
    await replay.getByRole("button", { name: "Now", exact: true }).click();
    await resign(page);
    const who = await caller(address);
    const { text } = await who.matches.getMatchRecord({ match });
    const pieces = between.told.flatMap((one) => piecesOf(one, match));
    await between.close();
    return { between, pieces, seat, seen: seenIn(text, ["", seat]), decisions: n };
}

function piecesOf({ method, asked, message }: Told, match: string): Piece[] {
    if (method === "GetView") {
        const [{ seat, match: of }, told] = [asked as GetViewRequest, message as GetViewResponse];
        return of === match ? [pieceOf(seat, told)] : [];
    }
    if (method === "Act") {
        const [{ seat, match: of }, told] = [asked as ActRequest, message as ActResponse];
        return of === match ? [pieceOf(seat, told)] : [];
    }
    if (method !== "ListenNews") return [];
    const { news } = message as ListenNewsResponse;
    if (news.case === "step" && news.value.match === match && news.value.step?.standing) {
        return [pieceOf(news.value.seat, news.value.step)];
    }
    if (news.case === "question" && news.value.match === match) return [questioned(news.value)];
    return [];
}

function pieceOf(viewer: string, told: ActResponse | GetViewResponse | WatchMatchResponse): Piece {
    return {
        viewer,
        revision: Number(told.standing?.revision ?? -1n),
        isOver: told.standing?.outcome !== undefined,
        ...("view" in told && told.view ? { view: told.view } : {}),
        ...(told.question ? { question: told.question } : {}),
        ...("events" in told ? { events: told.events } : {}),
    };
}

/** A question comes without its revision; its number says which it is. */
function questioned(told: ListenQuestionsResponse): Piece {
    const { question, view, outcome, seat } = told;
    return {
        viewer: seat,
        revision: -1,
        isOver: outcome !== undefined,
        ...(question ? { question } : {}),
        ...(view ? { view } : {}),
    };
}

/** Whether positions, questions and happenings came, for the seat and for a spectator. */
function isWatched(...games: readonly Played[]): boolean {
    const sum = (count: (game: Played) => number): number =>
        games.reduce((all, game) => all + count(game), 0);
    const views = ({ pieces }: Played, viewer: string): number =>
        pieces.filter((piece) => piece.viewer === viewer && piece.view && !piece.isOver).length;
    const decisions = sum((game) => game.decisions);
    const asked = sum(({ pieces }) => new Set(pieces.map(({ question }) => question?.number)).size);
    const told = games.every(({ pieces }) => pieces.some(({ events }) => events?.length));
    const seen = sum((game) => views(game, game.seat));
    return seen > decisions / 2 && sum((game) => views(game, "")) > 1 && asked > decisions && told;
}

/** What came that the rules do not give the seat which it came for. */
function beyondTheRules({ pieces, seen }: Played): string[] {
    return pieces.flatMap((piece) => {
        const { viewer, revision, view, question, events } = piece;
        const allowed = seen.viewers[viewer] ?? [];
        const where = `${viewer || "a spectator"} at ${revision}`;
        const wrong: string[] = [];
        const right = allowed[revision]?.view;
        if (view && (right === undefined || !isSameView(view, right))) wrong.push("view");
        if (question && !allowed.some((one) => isSame(question, one.question)))
            wrong.push("question");
        if (events && !isEnd(events, allowed.slice(0, revision + 1))) wrong.push("events");
        return wrong.map((what) => `the ${what} of ${where}`);
    });
}

function isSameView(came: Any, right: string): boolean {
    const message = anyUnpack(came, boards);
    if (!message) return false;
    const schema = boards.getMessage(message.$typeName);
    if (!schema) return false;
    const allowed = fromBinary(schema, Buffer.from(right, "base64"));
    // Charts come only when they are asked for.
    const [one, other] = [message, allowed] as (Message & Partial<Pick<Board, "charts">>)[];
    if (one?.charts && one.charts.good.length === 0 && other?.charts) other.charts = one.charts;
    return equals(schema, message, allowed);
}

function isSame(question: Question, right: JsonValue): boolean {
    return right !== null && equals(QuestionSchema, question, fromJson(QuestionSchema, right));
}

/** Whether events are the last ones of those that a viewer was allowed to see. */
function isEnd(events: Event[], allowed: { events: JsonValue[] }[]): boolean {
    const all = allowed.flatMap((one) => one.events.map((json) => fromJson(EventSchema, json)));
    const end = all.slice(all.length - events.length);
    return events.every((event, at) => end[at] && equals(EventSchema, event, end[at]));
}

/** Secrets of the platform and of others that came before all was published. */
function betrayed({ between, seat, seen }: Played): string[] {
    const published = [seen.secret, ...Object.entries(seen.nonces).filter(([of]) => of !== seat)];
    const secrets = published.map((one) => (typeof one === "string" ? one : one[1]));
    return between.told
        .filter(({ method }) => method !== "GetMatchRecord")
        .flatMap(({ message }) => {
            const text = JSON.stringify(message, (_, value: unknown) =>
                value instanceof Uint8Array
                    ? Buffer.from(value).toString("hex")
                    : typeof value === "bigint"
                      ? String(value)
                      : value,
            );
            return secrets.filter((secret) => text.includes(secret));
        });
}

describe.skipIf(isMissing)("nothing comes to a browser that its seat may not know", () => {
    test("The Confrontation: where the other side's pieces stand", async () => {
        // A game may be over soon, before much of it was seen; then another one is played.
        const games: Played[] = [];
        for (let left = 30; left > 0;) {
            const played = await play({ game: "confrontation" }, left);
            left -= Math.max(1, played.decisions);
            games.push(played);
            expect(beyondTheRules(played)).toEqual([]);
            expect(namedTooEarly(played)).toEqual([]);
            expect(betrayed(played)).toEqual([]);
        }
        expect(isWatched(...games)).toBe(true);
    });

    test.each<[Order, number]>([
        [{ game: "duel" }, 8],
        // Of four players the others would play on when one gives up.
        [{ game: "risk", preset: "Two quick" }, 4],
        [{ game: "warofthering" }, 8],
    ])("$game: positions, questions and what happens", async (order, decisions) => {
        const played = await play(order, decisions);
        expect(isWatched(played)).toBe(true);
        expect(beyondTheRules(played)).toEqual([]);
        expect(betrayed(played)).toEqual([]);
    });
});

/** Pieces of the other side that were named before something that had happened named them. */
function namedTooEarly({ pieces, seen }: Played): string[] {
    return pieces.flatMap((piece) => {
        const { viewer, view, question, events, isOver } = piece;
        const revision = piece.revision < 0 ? revisionOf(question, viewer, seen) : piece.revision;
        if (isOver || revision < 0) return [];
        const truth = seen.truth[revision];
        const board = view && boardIn(view);
        const sides = sidesHiddenFrom(viewer, seen);
        const words = wordsIn([board && partsOf(board), question, events]);
        const hidden = sides.flatMap((side) => truth?.[side].map(([name]) => name) ?? []);
        const named = namedBy(viewer, revision, seen);
        return hidden
            .filter((name) => words.has(name) && !named.has(name))
            .map((name) => `${name} to ${viewer || "a spectator"} at ${revision}`);
    });
}

function boardIn(view: Any): Board {
    const board = anyUnpack(view, boards);
    if (board?.$typeName !== BoardSchema.typeName) throw new Error("this is no board");
    return board as Board;
}

/** A board without what is for everyone: who plays at all, who has the Ring, what follows. */
function partsOf(board: Board): unknown {
    const { regions, battle, journey, duty, setup } = board;
    return { regions, battle, journey, duty, setup };
}

function sidesHiddenFrom(viewer: string, seen: Seen): ("dark" | "good")[] {
    const first = seen.viewers[viewer]?.[0];
    const board = fromBinary(BoardSchema, Buffer.from(first?.view ?? "", "base64"));
    return board.side === Side.GOOD
        ? ["dark"]
        : board.side === Side.DARK
          ? ["good"]
          : ["good", "dark"];
}

/** What was named to a viewer by all that had happened. */
function namedBy(viewer: string, revision: number, seen: Seen): Set<string> {
    const allowed = seen.viewers[viewer]?.slice(0, revision + 1) ?? [];
    return wordsIn(allowed.flatMap(({ events }) => events.map((event) => event)));
}

function revisionOf(question: Question | undefined, viewer: string, seen: Seen): number {
    const all = seen.viewers[viewer] ?? [];
    return all.findIndex((one) => question && isSame(question, one.question));
}

/** Every word of every text in something. */
function wordsIn(what: unknown): Set<string> {
    const words = new Set<string>();
    const look = (one: unknown): void => {
        if (typeof one === "string") for (const word of one.split(" ")) words.add(word);
        else if (typeof one === "object" && one !== null) Object.values(one).forEach(look);
    };
    look(what);
    return words;
}
