/** Recorded positions and questions of War of the Ring, and its board drawn without a browser. */
import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { type Question, QuestionSchema } from "$gen/bree/engine/v1/types_pb";
import { type Board, BoardSchema } from "$gen/bree/warofthering/v1/board_pb";
import type { Told } from "../../../src/boards/contract";
import { board } from "../../../src/boards/warofthering/board";
import { drawing } from "../board/drawing";
import { read } from "../board/files";

interface Asked {
    seat: string;
    question: JsonObject;
    view?: JsonObject;
    events?: Told[];
}

export interface Questioned {
    name: string;
    seat: string;
    prompt: string;
    sentence: string;
    view: Board;
    told: readonly Told[];
    nouns: Set<string>;
    /** As it was asked. */
    asked: Question;
}

export interface Position {
    name: string;
    viewer: string;
    view: Board;
    told: readonly Told[];
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
    moments: { viewer: string; view: JsonObject; events: Told[] }[];
};

/** The printed map stands in the second file once. */
const viewOf = (json: JsonObject): Board => fromJson(BoardSchema, { map: more.map, ...json });

/** Every recorded question whose view was kept. */
export const QUESTIONS: readonly Questioned[] = [
    ...Object.values(played.presets).flatMap(({ questions }) => questions),
    ...more.questions,
].flatMap(({ seat, question, view, events = [] }, at) => {
    if (view === undefined) return [];
    const asked = fromJson(QuestionSchema, question);
    const { prompt, sentence, choices } = asked;
    return [
        {
            name: `${prompt} of ${seat}, number ${at}: ${sentence}`,
            seat,
            prompt,
            sentence,
            view: viewOf(view),
            told: events,
            nouns: new Set(choices.flatMap(({ action }) => action?.nouns ?? [])),
            asked,
        },
    ];
});

/** Every recorded moment, as somebody sees it. */
export const POSITIONS: readonly Position[] = [
    ...Object.values(played.presets).flatMap(({ moments }) =>
        moments.flatMap(({ revision, views }) =>
            Object.entries(views).map(([viewer, view]) => ({
                name: `step ${revision} as ${viewer || "a spectator"} sees it`,
                viewer,
                view: viewOf(view),
                told: [],
            })),
        ),
    ),
    ...more.moments.map(({ viewer, view, events }, at) => ({
        name: `moment ${at} as ${viewer || "a spectator"} sees it`,
        viewer,
        view: viewOf(view),
        told: events,
    })),
];

/** All positions, asked and not. */
export const VIEWS: readonly { name: string; view: Board; told: readonly Told[] }[] = [
    ...POSITIONS,
    ...QUESTIONS,
];

/** The board as text, with these nouns lit. */
export const drawn = (
    view: Board,
    viewer: string,
    lit: ReadonlySet<string> = new Set(),
    told: readonly Told[] = [],
): string => drawing(board, view, viewer, { lit, told });
