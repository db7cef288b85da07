/** Questions and views of real games, as they were recorded. */
import { createRegistry, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { BoardSchema as ConfrontationSchema } from "$gen/bree/confrontation/v1/board_pb";
import { BoardSchema as DuelSchema } from "$gen/bree/duel/v1/board_pb";
import { QuestionSchema, type Question } from "$gen/bree/engine/v1/types_pb";
import { BoardSchema as RiskSchema } from "$gen/bree/risk/v1/board_pb";
import { BoardSchema as WarOfTheRingSchema } from "$gen/bree/warofthering/v1/board_pb";
import { read } from "./board/files";

export const schemas = {
    confrontation: ConfrontationSchema,
    duel: DuelSchema,
    risk: RiskSchema,
    warofthering: WarOfTheRingSchema,
};

export type Game = keyof typeof schemas;

export const games = Object.keys(schemas) as Game[];

export interface Recorded {
    preset: string;
    seat: string;
    question: Question;
    view: Message | undefined;
}

export interface Seen {
    viewer: string;
    view: Message;
}

interface Kept {
    presets: Record<
        string,
        {
            seats: string[];
            questions: { seat: string; question: JsonValue; view?: JsonValue }[];
            moments: { views: Record<string, JsonValue> }[];
        }
    >;
}

export const registry = createRegistry(...Object.values(schemas));

const kept = (game: Game): Kept => read(game) as Kept;

function viewIn(game: Game, json: JsonValue): Message {
    return fromJson(schemas[game], json, { registry });
}

/** Every recorded question of a game, with the view of the seat where it was kept. */
export function questions(game: Game): Recorded[] {
    return Object.entries(kept(game).presets).flatMap(([preset, of]) =>
        of.questions.map(({ seat, question, view }) => ({
            preset,
            seat,
            question: fromJson(QuestionSchema, question),
            view: view === undefined ? undefined : viewIn(game, view),
        })),
    );
}

/** What each seat and a spectator saw at some moments of a game. */
export function views(game: Game): Seen[] {
    return Object.values(kept(game).presets).flatMap((of) =>
        of.moments.flatMap(({ views }) =>
            Object.entries(views).map(([viewer, json]) => ({ viewer, view: viewIn(game, json) })),
        ),
    );
}
