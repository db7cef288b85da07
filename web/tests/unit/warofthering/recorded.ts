/** Recorded positions and questions of War of the Ring, and its board drawn without a browser. */
import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { type Board, BoardSchema } from "$gen/bree/warofthering/v1/board_pb";
import { board } from "../../../src/boards/warofthering/board";
import { drawing } from "../board/drawing";
import { read } from "../board/files";

interface Asked {
    seat: string;
    question: { prompt: string; sentence: string; choices: { action: { nouns?: string[] } }[] };
    view?: JsonObject;
}

export interface Question {
    name: string;
    seat: string;
    prompt: string;
    sentence: string;
    view: Board;
    nouns: Set<string>;
}

export interface Position {
    name: string;
    viewer: string;
    view: Board;
}

const played = read("warofthering") as {
    presets: Record<
        string,
        { questions: Asked[]; moments: { revision: number; views: Record<string, JsonObject> }[] }
    >;
};
const more = read("warofthering-more") as {
    map: JsonValue;
    questions: Asked[];
    moments: { viewer: string; view: JsonObject }[];
};

/** The printed map stands in the second file once. */
const viewOf = (json: JsonObject): Board => fromJson(BoardSchema, { map: more.map, ...json });

/** Every recorded question whose view was kept. */
export const QUESTIONS: readonly Question[] = [
    ...Object.values(played.presets).flatMap(({ questions }) => questions),
    ...more.questions,
].flatMap(({ seat, question, view }, at) =>
    view === undefined
        ? []
        : [
              {
                  name: `${question.prompt} of ${seat}, number ${at}: ${question.sentence}`,
                  seat,
                  prompt: question.prompt,
                  sentence: question.sentence,
                  view: viewOf(view),
                  nouns: new Set(question.choices.flatMap(({ action }) => action.nouns ?? [])),
              },
          ],
);

/** Every recorded moment, as somebody sees it. */
export const POSITIONS: readonly Position[] = [
    ...Object.values(played.presets).flatMap(({ moments }) =>
        moments.flatMap(({ revision, views }) =>
            Object.entries(views).map(([viewer, view]) => ({
                name: `step ${revision} as ${viewer || "a spectator"} sees it`,
                viewer,
                view: viewOf(view),
            })),
        ),
    ),
    ...more.moments.map(({ viewer, view }, at) => ({
        name: `moment ${at} as ${viewer || "a spectator"} sees it`,
        viewer,
        view: viewOf(view),
    })),
];

/** All positions, asked and not. */
export const VIEWS: readonly { name: string; view: Board }[] = [...POSITIONS, ...QUESTIONS];

/** The board as text, with these nouns lit. */
export const drawn = (view: Board, viewer: string, lit: ReadonlySet<string> = new Set()): string =>
    drawing(board, view, viewer, { lit });
