/** Checks a record with the project's own verifier, in a worker where there is one. */
import { verify, type Kept } from "../../../clients/ts/verify";

export interface Verdict {
    holds: boolean;
    said: string[];
}

/** Long records take seconds, in which the page is to go on. */
export async function verdictOn(file: Uint8Array, kept: Kept): Promise<Verdict> {
    if (!("Worker" in globalThis)) return verify(file, kept);
    const worker = new Worker(new URL("./verify.worker.ts", import.meta.url), { type: "module" });
    try {
        return await new Promise<Verdict>((resolve, reject) => {
            worker.onmessage = ({ data }: MessageEvent<Verdict>) => {
                resolve(data);
            };
            worker.onerror = () => {
                reject(new Error("The verifier could not be started."));
            };
            worker.postMessage({ file, kept });
        });
    } catch {
        return verify(file, kept);
    } finally {
        worker.terminate();
    }
}

export const nothingKept: Kept = { nonces: [], heads: [] };
