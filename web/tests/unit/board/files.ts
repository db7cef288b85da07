/** What was recorded, as its files have it. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** What a file of `tests/recorded` says. */
export function read(name: string): unknown {
    const packed = readFileSync(new URL(`../../recorded/${name}.json.gz`, import.meta.url));
    return JSON.parse(gunzipSync(packed).toString());
}

/** What must be there for a test to mean something. */
export function sure<T>(found: T | undefined): T {
    if (found === undefined) throw new Error("nothing of the kind was recorded");
    return found;
}
