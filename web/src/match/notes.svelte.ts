/** The notes of one's team in a match: those that there are, those that come, and one's own. */
import { NoteChannel, type Note } from "$gen/bree/gateway/v1/gateway_pb";
import type { Refusal, Stop, Wire } from "../wire/contract";
import { refusalOf } from "../wire/refusal";
import { newName } from "../wire/stream";

export class Notes {
    /** In their order. */
    all: readonly Note[] = $state.raw([]);
    refusal: Refusal | undefined = $state.raw();
    isSending = $state(false);

    /** How many have come since they were last looked at. */
    unread = $state(0);
    private more: string | undefined = $state();
    private stop: Stop = () => undefined;

    /** What is being sent, under the id that it keeps until it is known to have arrived. */
    private sent = { text: "", requestId: "" };

    constructor(
        private readonly wire: Wire,
        readonly match: string,
        readonly seat: string,
        private readonly team: string,
    ) {}

    /** Whether there are older ones. */
    get hasMore(): boolean {
        return this.more !== "";
    }

    start(): void {
        const stops = [
            this.wire.onNote((note) => {
                if (this.take([note]) && note.seat !== this.seat) this.unread += 1;
            }),
            // After an outage, or when somebody has come: one may have been missed.
            this.wire.onMatch((match) => {
                if (match.id === this.match) void this.look();
            }, false),
        ];
        this.stop = () => {
            for (const stop of stops) stop();
        };
        void this.look();
    }

    end(): void {
        this.stop();
    }

    read(): void {
        this.unread = 0;
    }

    /** The latest. */
    async look(): Promise<void> {
        await this.tried(async () => {
            const next = await this.fetch("");
            this.more ??= next;
        });
    }

    /** Those before the first that is known. */
    async older(): Promise<void> {
        await this.tried(async () => {
            this.more = await this.fetch(this.more ?? "");
        });
    }

    /** Writes a note; whether it has arrived. */
    async say(text: string): Promise<boolean> {
        if (this.sent.text !== text) this.sent = { text, requestId: newName() };
        this.isSending = true;
        const { match, seat } = this;
        const isSaid = await this.tried(async () => {
            const { note } = await this.wire.clients.notes.sayNote({
                match,
                seat,
                channel: NoteChannel.TEAM,
                ...this.sent,
            });
            if (note) this.take([note]);
        });
        this.isSending = false;
        if (isSaid) this.sent = { text: "", requestId: "" };
        return isSaid;
    }

    private async fetch(pageToken: string): Promise<string> {
        const { match, seat } = this;
        const channel = NoteChannel.TEAM;
        const page = await this.wire.clients.notes.listNotes({ match, seat, channel, pageToken });
        this.take(page.notes);
        return page.nextPageToken;
    }

    /** Whether there was something new among them. */
    private take(notes: readonly Note[]): boolean {
        const known = this.all.map(({ number }) => number);
        const fresh = notes.filter(
            (note) =>
                note.match === this.match && this.isOurs(note) && !known.includes(note.number),
        );
        if (fresh.length === 0) return false;
        this.all = [...this.all, ...fresh].sort((a, b) => Number(a.number - b.number));
        return true;
    }

    private isOurs({ channel, team }: Note): boolean {
        return channel === NoteChannel.TEAM && team === this.team;
    }

    private async tried(call: () => Promise<void>): Promise<boolean> {
        try {
            await call();
            this.refusal = undefined;
            return true;
        } catch (error) {
            this.refusal = refusalOf(error);
            return false;
        }
    }
}
