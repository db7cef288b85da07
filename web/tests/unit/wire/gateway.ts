/** A gateway that plays a script: sessions, matches that move, and streams that break when told to. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import {
    Code,
    ConnectError,
    createRouterTransport,
    type HandlerContext,
    type Transport,
} from "@connectrpc/connect";
import { ErrorReason } from "$gen/bree/engine/v1/errors_pb";
import {
    AccountService,
    CatalogService,
    ListenNewsResponseSchema,
    MatchService,
    NewsService,
    SessionService,
    type ActRequest,
    type ChangeNewsRequest,
    type FollowedMatch,
    type ListenNewsRequest,
    type ListenNewsResponse,
} from "$gen/bree/gateway/v1/gateway_pb";

type News = NonNullable<MessageInitShape<typeof ListenNewsResponseSchema>["news"]>;

export function refused(
    reason: keyof typeof ErrorReason,
    code = Code.Unavailable,
    metadata: Record<string, string> = {},
): ConnectError {
    const writer = new BinaryWriter();
    writer.tag(1, WireType.LengthDelimited).string(`ERROR_REASON_${reason}`);
    writer.tag(2, WireType.LengthDelimited).string("bree");
    for (const [key, value] of Object.entries(metadata)) {
        const pair = new BinaryWriter();
        pair.tag(1, WireType.LengthDelimited).string(key);
        pair.tag(2, WireType.LengthDelimited).string(value);
        writer.tag(3, WireType.LengthDelimited).bytes(pair.finish());
    }
    const error = new ConnectError(`refused: ${reason}`, code);
    error.details = [{ type: "google.rpc.ErrorInfo", value: writer.finish() }];
    return error;
}

/** What an account that is to be deleted is told of everything but to stay. */
export function leaving(): ConnectError {
    return refused("NOT_ALLOWED", Code.PermissionDenied, { when: "2026-11-27T12:00:00Z" });
}

/** A stream that somebody listens to. */
export class Open {
    readonly follows = new Map<string, FollowedMatch>();
    isOver = false;
    isSilent = false;
    private readonly queue: (ListenNewsResponse | ConnectError)[] = [];
    private wake = (): void => undefined;

    constructor(readonly request: ListenNewsRequest) {}

    push(news: News | ConnectError): void {
        if (this.isSilent || this.isOver) return;
        const next =
            news instanceof ConnectError ? news : create(ListenNewsResponseSchema, { news });
        this.queue.push(next);
        this.wake();
    }

    async *told(signal: AbortSignal): AsyncGenerator<ListenNewsResponse> {
        signal.addEventListener("abort", () => {
            this.isOver = true;
            this.wake();
        });
        while (!this.isOver) {
            const next = this.queue.shift();
            if (next instanceof ConnectError) {
                this.isOver = true;
                throw next;
            }
            if (next) yield next;
            else await new Promise<void>((resolve) => (this.wake = resolve));
        }
    }
}

export class FakeGateway {
    readonly transport: Transport;
    readonly opened: Open[] = [];
    readonly acts: ActRequest[] = [];
    readonly calls: string[] = [];
    account:
        { id: string; name: string; leaveTime?: { seconds: bigint; nanos: number } } | undefined = {
        id: "a1",
        name: "rosie",
    };
    guests = 0;
    release = "1.0";
    revision = 0;

    /** Another history has other heads. */
    history = "a";

    /** What the next calls of a method are refused with. */
    readonly refusals = new Map<string, ConnectError[]>();

    /** Whether streams can be opened at all. */
    isAway = false;

    constructor() {
        this.transport = createRouterTransport(({ service }) => {
            service(AccountService, {
                getAccount: () => ({
                    ...this.known("GetAccount", {}),
                    ...(this.account && { account: this.account }),
                }),
            });
            service(SessionService, { startSession: () => this.startSession() });
            service(CatalogService, { listGames: () => this.counted("ListGames", {}) });
            service(MatchService, {
                getMatch: (request) => this.known("GetMatch", { match: { id: request.match } }),
                joinMatch: (request) => this.known("JoinMatch", { seat: request.seat }),
                act: (request) => {
                    this.acts.push(request);
                    return this.known("Act", {});
                },
            });
            service(NewsService, {
                listenNews: (request, context) => this.listen(request, context),
                changeNews: (request) => this.change(request),
            });
        });
    }

    get live(): Open[] {
        return this.opened.filter((open) => !open.isOver);
    }

    /** The match moves by one entry, and whoever follows it is told. */
    play(): void {
        this.revision += 1;
        for (const open of this.live)
            for (const follow of open.follows.values()) this.tell(open, follow);
    }

    breakAll(error = new ConnectError("broken", Code.Unavailable)): void {
        for (const open of this.live) open.push(error);
    }

    /** All that has happened after what is known already, in one step, as the real one does. */
    private tell(open: Open, follow: FollowedMatch): void {
        const after = Number(follow.afterRevision);
        const events = Array.from({ length: this.revision - after }, (_, n) => ({
            kind: "moved",
            sentence: String(after + n + 1),
        }));
        const standing = {
            revision: BigInt(this.revision),
            head: `${this.history}${this.revision}`,
        };
        const { match, seat } = follow;
        open.push({ case: "step", value: { match, seat, step: { events, standing } } });
        follow.afterRevision = BigInt(this.revision);
    }

    private async *listen(
        request: ListenNewsRequest,
        { signal }: HandlerContext,
    ): AsyncGenerator<ListenNewsResponse> {
        this.calls.push("ListenNews");
        if (this.isAway) throw refused("UNAVAILABLE");
        if (!this.account) throw refused("UNAUTHENTICATED", Code.Unauthenticated);
        if (this.account.leaveTime) throw leaving();
        const open = new Open(request);
        this.opened.push(open);
        open.push({ case: "start", value: { account: this.account, release: this.release } });
        for (const follow of request.matches) this.follow(open, follow);
        yield* open.told(signal);
    }

    private follow(open: Open, follow: FollowedMatch): void {
        const { match, seat, afterRevision, head } = follow;
        if (head && head !== `${this.history}${afterRevision}`) {
            const reason = ErrorReason.HISTORY_CHANGED;
            open.push({ case: "unfollowed", value: { match, seat, reason } });
            return;
        }
        open.follows.set(`${match} ${seat}`, follow);
        this.tell(open, follow);
    }

    private change(request: ChangeNewsRequest): object {
        this.calls.push("ChangeNews");
        this.refuse("ChangeNews");
        for (const open of this.live) {
            if (open.request.stream !== request.stream) continue;
            for (const { match, seat } of request.unfollow) open.follows.delete(`${match} ${seat}`);
            for (const follow of request.follow) this.follow(open, follow);
        }
        return {};
    }

    private startSession(): object {
        this.calls.push("StartSession");
        this.refuse("StartSession");
        this.guests += 1;
        this.account = { id: `g${this.guests}`, name: `guest${this.guests}` };
        return { account: this.account, session: { id: "s" } };
    }

    private known<T extends object>(method: string, answer: T): T {
        this.calls.push(method);
        this.refuse(method);
        if (!this.account) throw refused("UNAUTHENTICATED", Code.Unauthenticated);
        return answer;
    }

    private counted<T>(method: string, answer: T): T {
        this.calls.push(method);
        this.refuse(method);
        return answer;
    }

    private refuse(method: string): void {
        const error = this.refusals.get(method)?.shift();
        if (error) throw error;
    }
}
