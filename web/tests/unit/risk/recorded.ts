/** Recorded positions and questions of Risk, and its board drawn without a browser. */
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { type Board, BoardSchema } from "$gen/bree/risk/v1/board_pb";
import { EventSchema, type Question, QuestionSchema } from "$gen/bree/engine/v1/types_pb";
import type { Told } from "../../../src/boards/contract";
import { board } from "../../../src/boards/risk/board";
import { drawing, type Marked } from "../board/drawing";
import { read } from "../board/files";

interface Asking {
    seat: string;
    question: JsonObject;
    view?: JsonObject;
    watched?: JsonObject;
    events?: JsonObject[];
}

type Views = Record<string, JsonObject>;

export interface Asked {
    name: string;
    seat: string;
    question: Question;
    view: Board;
    told: Told[];
}

export interface Position {
    name: string;
    viewer: string;
    view: Board;
    json: JsonObject;
    told: Told[];
}

const played = read("risk") as {
    presets: Record<string, { questions: Asking[]; moments: { views: Views }[] }>;
};
const more = read("risk-more") as {
    map: JsonObject;
    agreements: { questions: Asking[]; end: { views: Views }; events: JsonObject[] }[];
};

/** The map is kept once. */
const whole = (json: JsonObject): JsonObject => ({ map: more.map, ...json });
const viewOf = (json: JsonObject): Board => fromJson(BoardSchema, whole(json));
const toldOf = (events: JsonObject[]): Told[] =>
    events.map((event) => fromJson(EventSchema, event));

const asking = [
    ...Object.values(played.presets).flatMap(({ questions }) => questions),
    ...more.agreements.flatMap(({ questions }) => questions),
];

/** Every recorded question whose view was kept. */
export const ASKED: readonly Asked[] = asking.flatMap(({ seat, question, view, events }, at) => {
    if (!view) return [];
    const asked = fromJson(QuestionSchema, question);
    const told = toldOf(events ?? []);
    const name = `${at}: ${asked.prompt} to ${seat}`;
    return [{ name, seat, question: asked, view: viewOf(view), told }];
});

const position = (name: string, viewer: string, json: JsonObject, told: Told[]): Position => ({
    name: `${name} as ${viewer || "a spectator"} sees it`,
    viewer,
    view: viewOf(json),
    json: whole(json),
    told,
});

/** Positions of whole games, as seats and spectators see them. */
export const POSITIONS: readonly Position[] = [
    ...Object.values(played.presets).flatMap(({ moments }) =>
        moments.flatMap(({ views }, at) =>
            Object.entries(views).map(([viewer, view]) =>
                position(`moment ${at}`, viewer, view, []),
            ),
        ),
    ),
    ...more.agreements.flatMap(({ questions, end, events }, number) => [
        ...questions.flatMap(({ seat, view, watched, events }, at) => {
            const name = `game ${number}, question ${at}`;
            const told = toldOf(events ?? []);
            return [
                ...(view ? [position(name, seat, view, told)] : []),
                ...(watched && at % 4 === 0 ? [position(name, "", watched, told)] : []),
            ];
        }),
        ...Object.entries(end.views).map(([viewer, view]) =>
            position(`the end of game ${number}`, viewer, view, toldOf(events)),
        ),
    ]),
];

/** The board as text, with these nouns lit and picked. */
export const drawn = (view: Board, marked: Marked = {}): string =>
    drawing(board, view, view.seat ?? "", marked);

const NUMERAL = /^\d+$/;

/** What a question speaks of; amounts are set in the panel. */
export const nounsOf = (question: Question, verb = ""): Set<string> =>
    new Set(
        question.choices
            .filter(({ action }) => !verb || action?.verb === verb)
            .flatMap(({ action }) => action?.nouns ?? [])
            .filter((noun) => !NUMERAL.test(noun)),
    );

/** The verbs of a question, as things that stand for what is done, if there are several. */
export const doingsOf = (question: Question): string[] => {
    const verbs = new Set(question.choices.map(({ action }) => action?.verb ?? ""));
    return verbs.size > 1 ? [...verbs].map((verb) => `:${verb}`) : [];
};
