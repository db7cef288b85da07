/** What may be sent again when a call has failed, and after which pause (docs/gateway.md). */
import { Code, ConnectError } from "@connectrpc/connect";
import type { Refusal } from "./contract";

/** One outage is borne for so long; then whoever called is told. */
export const bearMs = 30_000;

const firstMs = 300;
const longestMs = 5_000;

/** A pause that grows from one failure to the next, and differs from one browser to the next. */
export function pauseMs(failures: number, longest = longestMs): number {
    const whole = Math.min(longest, firstMs * 2 ** Math.min(failures, 20));
    return whole * (0.5 + Math.random() / 2);
}

/** Whether a call that failed so may be made again: it was not done, or doing it twice is doing it once. */
export function mayRepeat(
    method: string,
    request: Readonly<Record<string, unknown>>,
    error: ConnectError,
    refusal: Refusal,
): boolean {
    if (refusal.reason === "UNAVAILABLE" || refusal.reason === "RATE_LIMITED") return true;
    if (refusal.reason !== "" && refusal.reason !== "OUTCOME_UNKNOWN") return false;
    // Whoever answers without a reason that there is no such method is no gateway.
    if (error.code === Code.Canceled || error.code === Code.Unimplemented) return false;
    return isSafe(method, request);
}

const withRequestId = new Set([
    "Act",
    "ResignMatch",
    "CreateMatch",
    "UndoLast",
    "MakeOffer",
    "AnswerOffer",
    "SayNote",
]);
const always = new Set([
    "LeaveMatch",
    "StartMatch",
    "RemoveBot",
    "HandOverSeat",
    "TakeBackSeat",
    "ChangeNews",
    "EndSession",
    "EndAllSessions",
    "CreateLoginCode",
    "ClaimName",
    "RenameAccount",
    "EndToken",
    "BeginPasskey",
    "RemovePasskey",
    "BeginLogin",
    "BeginProviderLogin",
    "BeginProviderLink",
    "UnlinkProvider",
    "RemoveAddress",
    "DeclareBot",
    "SetTerms",
    "SetWishes",
    "DeleteAccount",
    "KeepAccount",
]);

/** What begins a session once, and not again. */
const proofs = ["code", "recoveryCode", "passkey", "provider", "mail"];

function isSafe(method: string, request: Readonly<Record<string, unknown>>): boolean {
    if (/^(Get|List|Count)/.test(method) || always.has(method)) return true;
    if (withRequestId.has(method)) return Boolean(request["requestId"]);
    // Another free seat by chance would be another seat.
    if (method === "JoinMatch") return request["seat"] !== "random";
    if (method === "AddBot") return Boolean(request["seat"]) && request["seat"] !== "random";
    // A second guest harms nobody; most of what proves somebody is worth something once.
    if (method === "StartSession") return !proofs.some((proof) => request[proof]);
    return false;
}

/** Waits; sooner if somebody is woken, because there is a network again. */
export class Waiting {
    private readonly sleepers = new Set<() => void>();

    async wait(ms: number, signal?: AbortSignal): Promise<void> {
        await new Promise<void>((resolve) => {
            const end = (): void => {
                clearTimeout(timer);
                this.sleepers.delete(end);
                signal?.removeEventListener("abort", end);
                resolve();
            };
            const timer = setTimeout(end, ms);
            this.sleepers.add(end);
            signal?.addEventListener("abort", end);
            if (signal?.aborted) end();
        });
    }

    wake(): void {
        for (const end of [...this.sleepers]) end();
    }
}
