/** Parts of the platform that are killed; its own run starts them again. */
import { inject } from "vitest";
import { processOf } from "./platform";

/** Kills a part, such as "gateway" or "duel-1", without any warning. */
export function kill(part: string): void {
    process.kill(processOf(inject("state"), part), "SIGKILL");
}
