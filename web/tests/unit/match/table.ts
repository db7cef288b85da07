/** A match on a gateway that plays a script, and a wire that tells its steps when it is told to. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack, StructSchema } from "@bufbuild/protobuf/wkt";
import { ConnectError, createRouterTransport } from "@connectrpc/connect";
import type { StandInSchema } from "$gen/bree/engine/v1/engine_pb";
import type { ErrorReason } from "$gen/bree/engine/v1/errors_pb";
import {
    AccountService,
    MatchService,
    MatchState,
    MatchStepSchema,
    MatchUnfollowedSchema,
    type ActRequest,
    type GetViewRequest,
    type MatchStep,
    type MatchUnfollowed,
    type Note,
    type NoteSchema,
    NoteService,
    type SayNoteRequest,
} from "$gen/bree/gateway/v1/gateway_pb";
import { clientsOver } from "../../../src/wire/clients";
import type { Following, Wire } from "../../../src/wire/contract";

interface Follow {
    what: Following;
    step: (step: MatchStep) => void;
    unfollowed: (why: MatchUnfollowed) => void;
}

export class Table {
    revision = 4;
    state = MatchState.RUNNING;
    seats = [
        { seat: "good", account: "rosie" },
        { seat: "dark", botLevel: "greedy" },
    ];
    waiting = ["good"];
    history = "a";
    question = 12n;
    canUndo = false;
    readonly acts: ActRequest[] = [];
    readonly views: GetViewRequest[] = [];
    readonly follows: Follow[] = [];
    refusal: ConnectError | undefined;

    /** Answers of GetView that are held back until they are let go, in any order. */
    isHolding = false;
    readonly held: (() => void)[] = [];
    readonly noteListeners: ((note: Note) => void)[] = [];
    readonly saidNotes: SayNoteRequest[] = [];

    /** The latest first; a page has two of them. */
    notes: MessageInitShape<typeof NoteSchema>[] = [];
    standIns: MessageInitShape<typeof StandInSchema>[] = [];
    readonly wire: Wire;

    constructor() {
        const transport = createRouterTransport(({ service }) => {
            service(AccountService, {});
            service(MatchService, {
                getMatch: () => this.refused({ match: this.match }),
                getView: (request) => this.view(request),
                act: (request) => {
                    this.acts.push(request);
                    return this.refused({ standing: this.standing, canUndo: this.canUndo });
                },
                undoLast: () => this.refused({ standing: this.standing }),
                handOverSeat: ({ seat, level }) => this.lend(seat, level),
                takeBackSeat: ({ seat }) => this.lend(seat, ""),
            });
            service(NoteService, {
                listNotes: ({ pageToken }) => this.refused(this.page(pageToken)),
                sayNote: (request) => {
                    this.saidNotes.push(request);
                    return this.refused({ note: this.written(request) });
                },
            });
        });
        const account = { id: "a1", name: "rosie" } as never;
        const nothing = (): void => undefined;
        this.wire = {
            clients: clientsOver(transport),
            enter: () => Promise.resolve(account),
            onAccount: () => nothing,
            onLink: () => nothing,
            onQuestion: () => nothing,
            onMatch: () => nothing,
            onNote: (listener) => {
                this.noteListeners.push(listener);
                return nothing;
            },
            follow: (what, step, unfollowed) => {
                const follow = { what, step, unfollowed };
                this.follows.push(follow);
                return () => void this.follows.splice(this.follows.indexOf(follow), 1);
            },
            changed: nothing,
        };
    }

    /** The match moves to a revision and whoever follows is told the step. */
    tell(revision: number, sentences: string[] = [], seat = "good"): void {
        this.revision = revision;
        // Each of them but the last happened two entries before the next.
        const events = sentences.map((sentence, n) => {
            const at = BigInt(revision - 2 * (sentences.length - 1 - n));
            return { sentence, kind: "moved", facts: {}, revision: at };
        });
        const { standing, canUndo } = this;
        const step = create(MatchStepSchema, {
            match: "m-1",
            seat,
            step: { events, standing, canUndo },
        });
        for (const follow of [...this.follows]) if (follow.what.seat === seat) follow.step(step);
    }

    unfollow(reason: ErrorReason): void {
        const why = create(MatchUnfollowedSchema, { match: "m-1", reason });
        for (const follow of [...this.follows]) follow.unfollowed(why);
    }

    get standing(): {
        revision: bigint;
        head: string;
        waiting: string[];
        standIns: MessageInitShape<typeof StandInSchema>[];
    } {
        const { revision, history, waiting, standIns } = this;
        return { revision: BigInt(revision), head: `${history}${revision}`, waiting, standIns };
    }

    private lend(seat: string, botLevel: string): object {
        const before = this.standIns.find((one) => one.seat === seat);
        const others = this.standIns.filter((one) => one !== before);
        this.standIns = [...others, { seat, botLevel, changes: (before?.changes ?? 0) + 1 }];
        return this.refused({ standing: this.standing });
    }

    private written({ match, seat, channel, text }: SayNoteRequest): object {
        return { match, seat, channel, text, team: "warm", number: 99n, account: "rosie" };
    }

    private page(token: string): object {
        const first = Number(token || 0);
        const more = first + 2 < this.notes.length ? String(first + 2) : "";
        return { notes: this.notes.slice(first, first + 2), nextPageToken: more };
    }

    private get match(): object {
        const { state, seats } = this;
        return { id: "m-1", game: "toy", state, seats, commitment: "c0" };
    }

    private async view(request: GetViewRequest): Promise<object> {
        this.views.push(request);
        const revision = request.revision ?? BigInt(this.revision);
        const answer = {
            view: anyPack(StructSchema, create(StructSchema)),
            standing: { ...this.standing, revision, head: `${this.history}${revision}` },
            ...(this.standIns.some(({ seat, botLevel }) => seat === request.seat && botLevel)
                ? {}
                : { question: { number: this.question, sentence: `at ${revision}` } }),
            canUndo: this.canUndo,
        };
        if (this.isHolding) await new Promise<void>((resolve) => this.held.push(resolve));
        return this.refused(answer);
    }

    private refused<T>(answer: T): T {
        const { refusal } = this;
        this.refusal = undefined;
        if (refusal) throw refusal;
        return answer;
    }
}

/** A storage that is empty at first. */
export function storage(most = Infinity): Storage {
    const kept = new Map<string, string>();
    return {
        get length() {
            return kept.size;
        },
        key: (at: number) => [...kept.keys()][at] ?? null,
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => {
            if (value.length > most) throw new Error("full");
            kept.set(key, value);
        },
        removeItem: (key: string) => void kept.delete(key),
        clear: () => {
            kept.clear();
        },
    };
}
