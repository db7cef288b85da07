/** A page of an older release is loaded anew, but only once for each release. */
import type { Surroundings } from "./chunks";

const KEPT = "bree.release";

/** Whether the page is being loaded anew; not if that was tried for this release and did not help. */
export function reloadOnce(release: string, around: Surroundings): boolean {
    if (!around.storage || around.storage.getItem(KEPT) === release) return false;
    around.storage.setItem(KEPT, release);
    around.reload();
    return true;
}
