/** A refusal that has come from another tab or a worker, as an error. */
import { Code, ConnectError } from "@connectrpc/connect";
import type { Refusal } from "./contract";

export class Refused extends ConnectError {
    constructor(readonly refusal: Refusal) {
        super(refusal.message, Code.Unknown);
    }
}
