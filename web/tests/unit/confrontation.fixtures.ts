/** Recorded positions of The Confrontation, and how its board looks in them. */
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { type Board, BoardSchema, Side } from "$gen/bree/confrontation/v1/board_pb";
import { QuestionSchema, type Question } from "$gen/bree/engine/v1/types_pb";
import { board } from "../../src/boards/confrontation/board";
import { drawing, type Thing, things } from "./board/drawing";
import { read } from "./board/files";

export interface Asked {
    name: string;
    question: Question;
    view: Board;
    /** What a spectator sees then, if that was kept. */
    watched?: Board;
    /** What the other seat sees. */
    other?: Board;
}

interface Told {
    seat: string;
    question: JsonObject;
    view?: JsonObject;
    watched?: JsonObject;
    other?: JsonObject;
}

export const viewOf = (told: JsonObject): Board => fromJson(BoardSchema, told);

interface First {
    presets: Record<
        string,
        { questions: Told[]; moments: { views: Record<string, JsonObject> }[] }
    >;
}

interface More {
    agreements: {
        options: Record<string, string>;
        questions: Told[];
        ends: { views: Record<string, JsonObject>; charts: Record<string, JsonObject> }[];
    }[];
}

const first = read("confrontation") as First;
const more = read("confrontation-more") as More;

function askedIn(name: string, told: Told[]): Asked[] {
    return told.flatMap(({ seat, question, view, watched, other }, n) => {
        if (!view) return [];
        const asked = fromJson(QuestionSchema, question);
        const rest = {
            ...(watched ? { watched: viewOf(watched) } : {}),
            ...(other ? { other: viewOf(other) } : {}),
        };
        const label = `${name} ${n}: ${asked.prompt} to ${seat}`;
        return [{ name: label, question: asked, view: viewOf(view), ...rest }];
    });
}

export const ASKED: readonly Asked[] = [
    ...Object.entries(first.presets).flatMap(([name, { questions }]) => askedIn(name, questions)),
    ...more.agreements.flatMap(({ options, questions }) =>
        askedIn(options.preset ?? "", questions),
    ),
];

/** Positions at the beginning, in the middle and at the end, as all see them. */
export const MOMENTS: readonly (readonly [string, JsonObject])[] = [
    ...Object.values(first.presets).flatMap(({ moments }) => moments),
    ...more.agreements.flatMap(({ ends }) => ends),
].flatMap(({ views }) => Object.entries(views));

export interface Position {
    name: string;
    viewer: string;
    view: Board;
}

/** All of them, through the eyes of whoever looked. */
export const POSITIONS: readonly Position[] = [
    ...ASKED.flatMap(({ name, view, watched, other }) =>
        [view, watched, other].flatMap((view) => (view ? [seenIn(name, view)] : [])),
    ),
    ...MOMENTS.map(([, json], at) => seenIn(`moment ${at}`, viewOf(json))),
];

function seenIn(name: string, view: Board): Position {
    const viewer = view.side === Side.GOOD ? "good" : view.side === Side.DARK ? "dark" : "";
    return { name: `${name}, seen by ${viewer || "a spectator"}`, viewer, view };
}

/** How games ended, with the charts that the page has asked for once. */
export const CHARTED: readonly Position[] = more.agreements.flatMap(({ ends }, at) =>
    ends.flatMap(({ views, charts }) =>
        Object.entries(views).map(([viewer, view]) => ({
            name: `an end of agreement ${at}, seen by ${viewer || "a spectator"}`,
            viewer,
            view: viewOf({ ...view, charts: charts[viewer] ?? {} }),
        })),
    ),
);

export const nounsOf = (question: Question): Set<string> =>
    new Set(question.choices.flatMap((choice) => choice.action?.nouns ?? []));

/** Everything on the board that can be touched or told of. */
export const thingsOn = (view: Board, lit: ReadonlySet<string> = new Set()): Thing[] =>
    things(drawing(board, view, "good", { lit }));
