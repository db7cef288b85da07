/** What stands between a browser and the platform, and hears or changes all that goes through.
 *
 * Design. It is a proxy in the browser's settings, so nothing gets past it: no worker, no image, no
 * other host. Answers of methods are opened, one message after the other, and told to whoever
 * listens; a test may change a message before it goes on.
 */
import {
    createRegistry,
    fromBinary,
    isMessage,
    toBinary,
    type DescMessage,
    type DescMethod,
    type Message,
} from "@bufbuild/protobuf";
import { AnySchema, anyUnpack, type Any } from "@bufbuild/protobuf/wkt";
import {
    createServer,
    request as ask,
    type IncomingMessage,
    type Server,
    type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { file_bree_confrontation_v1_board as confrontation } from "../../gen/bree/confrontation/v1/board_pb";
import { file_bree_duel_v1_board as duel } from "../../gen/bree/duel/v1/board_pb";
import {
    file_bree_gateway_v1_gateway as gateway,
    ListenNewsResponseSchema,
} from "../../gen/bree/gateway/v1/gateway_pb";
import { file_bree_risk_v1_board as risk } from "../../gen/bree/risk/v1/board_pb";
import { file_bree_warofthering_v1_board as warofthering } from "../../gen/bree/warofthering/v1/board_pb";

export const boards = createRegistry(confrontation, duel, risk, warofthering);

const methods = new Map<string, DescMethod>(
    gateway.services.flatMap((service) =>
        service.methods.map((method) => [`/${service.typeName}/${method.name}`, method] as const),
    ),
);

/** One message that a browser was told. */
export interface Told {
    /** Such as "GetView". */
    method: string;
    asked: Message;
    message: Message;
}

/** One request of a browser, whomever it was for. */
export interface Request {
    method: string;
    url: string;
    status: number;
    headers: IncomingMessage["headers"];
    /** What was sent back, as far as it has come. */
    body: Buffer;
}

/** Changes a message on its way, or leaves it as it is. */
export type Change = (told: Told) => void;

/** What Chromium itself asks where somebody types into a form. */
const OF_THE_BROWSER = new Set(["content-autofill.googleapis.com"]);

const ENVELOPE = 5;
const HOP_BY_HOP = ["proxy-connection", "connection", "keep-alive"];

export class Between {
    readonly told: Told[] = [];
    readonly requests: Request[] = [];
    change: Change = () => undefined;

    /** Changes a file, or another answer that is no message. */
    changeFile: (path: string, body: Buffer) => Buffer = (_, body) => body;

    /** Whether the platform is away for whoever asks for this path. */
    isAway: (path: string) => boolean = () => false;

    /** Whether a file is no longer there. */
    isGone: (path: string) => boolean = () => false;

    /** How late an answer comes, by its path and what was asked. */
    lateMs: (path: string, asked: Buffer) => number = () => 0;

    /** Another host that may be asked, and of which nothing is changed. */
    friend = "";
    private readonly server: Server;

    private constructor(private readonly address: string) {
        this.server = createServer((incoming, outgoing) => {
            this.pass(incoming, outgoing);
        });
        this.server.on("connect", (incoming: IncomingMessage, socket) => {
            this.note(incoming, `https://${incoming.url ?? ""}`);
            socket.destroy();
        });
    }

    static async before(address: string): Promise<Between> {
        const between = new Between(address);
        await new Promise<void>((resolve) => between.server.listen(0, "127.0.0.1", resolve));
        return between;
    }

    /** For the options of a browser's context. */
    get proxy(): { server: string; bypass: string } {
        const { port } = this.server.address() as AddressInfo;
        return { server: `http://127.0.0.1:${port}`, bypass: "<-loopback>" };
    }

    /** The other hosts that were asked for something. */
    get foreign(): string[] {
        const own = new URL(this.address).host;
        const hosts = this.requests.map(({ url }) => new URL(url).host);
        return hosts.filter((host) => host !== own && !OF_THE_BROWSER.has(host));
    }

    /** All that came back, and what it was asked by. */
    texts(): string[] {
        return this.requests.flatMap(({ url, body }) => [url, body.toString("latin1")]);
    }

    /** Ends all connections that are open now: streams are broken. */
    cut(): void {
        this.server.closeAllConnections();
    }

    async close(): Promise<void> {
        this.cut();
        await new Promise((resolve) => this.server.close(resolve));
    }

    private note(incoming: IncomingMessage, url: string): Request {
        const noted: Request = {
            method: incoming.method ?? "",
            url,
            status: 0,
            headers: {},
            body: Buffer.alloc(0),
        };
        this.requests.push(noted);
        return noted;
    }

    private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
        const url = new URL(incoming.url ?? "", this.address);
        const noted = this.note(incoming, url.href);
        const isForeign =
            url.hostname !== new URL(this.address).hostname && url.hostname !== this.friend;
        if (isForeign || this.isAway(url.pathname)) {
            incoming.socket.destroy();
            return;
        }
        if (this.isGone(url.pathname)) {
            outgoing.writeHead(404).end();
            return;
        }
        const method = methods.get(url.pathname);
        const headers = { ...incoming.headers };
        for (const name of HOP_BY_HOP) Reflect.deleteProperty(headers, name);
        // What is opened here is not to be compressed.
        Reflect.deleteProperty(headers, "connect-accept-encoding");
        headers["accept-encoding"] = "identity";
        const asked: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => asked.push(chunk));
        const outer = ask(url, { method: incoming.method ?? "GET", headers }, (answer) => {
            noted.status = answer.statusCode ?? 0;
            noted.headers = answer.headers;
            const shown = { ...answer.headers };
            Reflect.deleteProperty(shown, "content-length");
            Reflect.deleteProperty(shown, "connection");
            Reflect.deleteProperty(shown, "transfer-encoding");
            const said = (): Buffer => Buffer.concat(asked);
            const pass = (): void => {
                outgoing.writeHead(noted.status, shown);
                if (method && noted.status === 200 && isBinary(answer)) {
                    this.tell(method, said, answer, noted, outgoing);
                } else this.whole(url.pathname, answer, noted, outgoing);
            };
            const late = this.lateMs(url.pathname, said());
            if (late > 0) setTimeout(pass, late);
            else pass();
        });
        outer.on("error", () => incoming.socket.destroy());
        outgoing.on("close", () => outer.destroy());
        incoming.pipe(outer);
    }

    private whole(
        path: string,
        answer: IncomingMessage,
        noted: Request,
        outgoing: ServerResponse,
    ): void {
        answer.on("data", (chunk: Buffer) => (noted.body = Buffer.concat([noted.body, chunk])));
        answer.on("end", () => {
            noted.body = this.changeFile(path, noted.body);
            outgoing.end(noted.status === 304 ? undefined : noted.body);
        });
    }

    private tell(
        method: DescMethod,
        said: () => Buffer,
        answer: IncomingMessage,
        noted: Request,
        outgoing: ServerResponse,
    ): void {
        const streams = method.methodKind === "server_streaming";
        let left = Buffer.alloc(0);
        answer.on("data", (chunk: Buffer) => {
            noted.body = Buffer.concat([noted.body, chunk]);
            left = Buffer.concat([left, chunk]);
            while (streams && left.length >= ENVELOPE) {
                const size = left.readUInt32BE(1);
                if (left.length < ENVELOPE + size) break;
                const flags = left[0] ?? 0;
                const data = left.subarray(ENVELOPE, ENVELOPE + size);
                left = left.subarray(ENVELOPE + size);
                const asked = said().subarray(ENVELOPE);
                outgoing.write(enveloped(flags, flags ? data : this.heard(method, asked, data)));
            }
        });
        answer.on("end", () => {
            outgoing.end(streams ? left : this.heard(method, said(), left));
        });
        answer.on("error", () => outgoing.destroy());
        answer.on("close", () => {
            if (!answer.complete) outgoing.destroy();
        });
    }

    private heard(method: DescMethod, asked: Uint8Array, data: Uint8Array): Uint8Array {
        const read = (kind: DescMessage, bytes: Uint8Array): Message => fromBinary(kind, bytes);
        const told: Told = {
            method: method.name,
            asked: read(method.input, asked),
            message: read(method.output, data),
        };
        this.change(told);
        this.told.push(told);
        return toBinary(method.output, told.message);
    }
}

function isBinary(answer: IncomingMessage): boolean {
    return /^application\/(connect\+)?proto$/.test(answer.headers["content-type"] ?? "");
}

function enveloped(flags: number, data: Uint8Array): Buffer {
    const head = Buffer.alloc(ENVELOPE);
    head.writeUInt8(flags);
    head.writeUInt32BE(data.length, 1);
    return Buffer.concat([head, data]);
}

/** A change of the news that begin each stream: as if another release ran. */
export function releasedAs(release: string): Change {
    return ({ message }) => {
        if (!isMessage(message, ListenNewsResponseSchema)) return;
        if (message.news.case === "start") message.news.value.release = release;
    };
}

/** A change of every text that people or engines may have written. */
export function textsBy(change: (text: string) => string): Change {
    return ({ message }) => {
        changeTexts(message, change);
    };
}

const WRITTEN = new Set([
    "account",
    "creator",
    "device",
    "meaning",
    "message",
    "name",
    "reason",
    "sentence",
    "text",
    "title",
]);

/** These have a field of such a name that is no text for people. */
const KEPT = new Set([
    "bree.engine.v1.Action",
    "bree.engine.v1.ChoiceRange",
    "bree.engine.v1.OptionChoice",
    "bree.engine.v1.OptionSpec",
    "bree.engine.v1.Preset",
    "bree.gateway.v1.GetMatchRecordResponse",
    "google.protobuf.Struct",
]);

function changeTexts(within: unknown, change: (text: string) => string): void {
    if (typeof within !== "object" || within === null || within instanceof Uint8Array) return;
    const fields = within as Record<string, unknown>;
    const kind = fields["$typeName"];
    if (kind === AnySchema.typeName) changeBoard(within as Any, change);
    for (const [name, value] of Object.entries(fields)) {
        if (typeof value !== "string") changeTexts(value, change);
        else if (isWritten(String(kind), name) && value !== "") fields[name] = change(value);
    }
}

function isWritten(kind: string, name: string): boolean {
    if (name === "meaning") return true;
    return WRITTEN.has(name) && !KEPT.has(kind) && (name !== "name" || kind.endsWith("Account"));
}

function changeBoard(any: Any, change: (text: string) => string): void {
    const board = anyUnpack(any, boards);
    const schema = board && boards.getMessage(board.$typeName);
    if (!schema) return;
    changeTexts(board, change);
    any.value = toBinary(schema, board);
}
