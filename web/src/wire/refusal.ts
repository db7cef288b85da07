/** What a failed call says: the one google.rpc.ErrorInfo among its details, if there is one. */
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Refusal } from "./contract";

const infoType = "google.rpc.ErrorInfo";
const prefix = "ERROR_REASON_";

export function refusalOf(error: unknown): Refusal {
    const failure = ConnectError.from(error);
    for (const detail of failure.details) {
        if (!("type" in detail) || detail.type !== infoType) continue;
        const info = infoIn(detail.value);
        if (info.domain === "bree") return refusal(info.reason, failure.rawMessage, info.metadata);
    }
    return { reason: "", message: failure.rawMessage, metadata: {} };
}

export function refusal(
    reason: string,
    message: string,
    metadata: Readonly<Record<string, string>> = {},
): Refusal {
    const pause = /^\d{1,9}$/.exec(metadata["retry_after_ms"] ?? "")?.[0];
    return {
        reason: reason.replace(prefix, ""),
        message,
        metadata,
        ...(pause === undefined ? {} : { retryAfterMs: Number(pause) }),
    };
}

/** Whether the call came to nothing because whoever made it gave it up. */
export function isGivenUp(error: unknown): boolean {
    return refusalOf(error).reason === "" && ConnectError.from(error).code === Code.Canceled;
}

interface Info {
    reason: string;
    domain: string;
    metadata: Record<string, string>;
}

function infoIn(bytes: Uint8Array): Info {
    const info: Info = { reason: "", domain: "", metadata: {} };
    try {
        eachText(new BinaryReader(bytes), (field, reader) => {
            if (field === 1) info.reason = reader.string();
            else if (field === 2) info.domain = reader.string();
            else if (field === 3) readPair(reader.bytes(), info.metadata);
            else return false;
            return true;
        });
    } catch {
        // What cannot be read is as if it were not there: the code and the message are left.
    }
    return info;
}

function readPair(bytes: Uint8Array, into: Record<string, string>): void {
    let [key, value] = ["", ""];
    eachText(new BinaryReader(bytes), (field, reader) => {
        if (field === 1) key = reader.string();
        else if (field === 2) value = reader.string();
        else return false;
        return true;
    });
    into[key] = value;
}

function eachText(
    reader: BinaryReader,
    take: (field: number, from: BinaryReader) => boolean,
): void {
    while (reader.pos < reader.len) {
        const [field, type] = reader.tag();
        if (type !== WireType.LengthDelimited || !take(field, reader)) reader.skip(type, field);
    }
}
