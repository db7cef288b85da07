/** Recorded positions and questions of Duel, and its board drawn without a browser. */
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { type Board, BoardSchema } from "$gen/bree/duel/v1/board_pb";
import { board } from "../../../src/boards/duel/board";
import { drawing } from "../board/drawing";
import { read } from "../board/files";

interface Asked {
    seat: string;
    question: { prompt: string; choices: { action: { text: string; nouns?: string[] } }[] };
    view?: JsonValue;
}

export interface Question {
    name: string;
    seat: string;
    prompt: string;
    view: Board;
    json: string;
    nouns: Set<string>;
}

export interface Position {
    name: string;
    viewer: string;
    view: Board;
    json: string;
}

const played = read("duel") as {
    presets: Record<
        string,
        { questions: Asked[]; moments: { revision: number; views: Record<string, JsonValue> }[] }
    >;
};
const more = read("duel-more") as {
    questions: Asked[];
    ends: Record<string, Record<string, JsonValue>>;
    moments: { revision: number; views: Record<string, JsonValue> }[];
};

const viewOf = (json: JsonValue): Board => fromJson(BoardSchema, json);

/** Every recorded question whose view was kept. */
export const QUESTIONS: readonly Question[] = [
    ...Object.values(played.presets).flatMap(({ questions }) => questions),
    ...more.questions,
].flatMap(({ seat, question, view }, at) =>
    view === undefined
        ? []
        : [
              {
                  name: `${question.prompt} of ${seat}, number ${at}`,
                  seat,
                  prompt: question.prompt,
                  view: viewOf(view),
                  json: JSON.stringify(view),
                  nouns: new Set(question.choices.flatMap(({ action }) => action.nouns ?? [])),
              },
          ],
);

const positions = (name: string, views: Record<string, JsonValue>): Position[] =>
    Object.entries(views).map(([viewer, view]) => ({
        name: `${name} as ${viewer || "a spectator"} sees it`,
        viewer,
        view: viewOf(view),
        json: JSON.stringify(view),
    }));

/** Every recorded moment, as all see it. */
export const POSITIONS: readonly Position[] = [
    ...Object.values(played.presets).flatMap(({ moments }) =>
        moments.flatMap(({ revision, views }) => positions(`step ${revision}`, views)),
    ),
    ...Object.entries(more.ends).flatMap(([reason, views]) => positions(`end by ${reason}`, views)),
];

/** All positions there are, with those of games that were only watched. */
export const VIEWS: readonly { name: string; viewer: string; view: Board }[] = [
    ...POSITIONS,
    ...QUESTIONS.map(({ name, seat, view }) => ({ name, viewer: seat, view })),
    ...more.moments.flatMap(({ revision, views }, at) =>
        positions(`moment ${at}, step ${revision}`, views),
    ),
];

/** The board as text, with these nouns lit. */
export const drawn = (view: Board, viewer: string, lit: ReadonlySet<string> = new Set()): string =>
    drawing(board, view, viewer, { lit });
