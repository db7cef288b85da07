/** Doing something when a page has nothing better to do. */

/** At the latest then it is done, in ms. */
const LATEST = 2000;

/** Does it soon; gives what calls it off. */
export function whenIdle(what: () => void): () => void {
    // Not every browser says when it is idle.
    if (!("requestIdleCallback" in globalThis)) {
        const timer = setTimeout(what, 0);
        return () => {
            clearTimeout(timer);
        };
    }
    const asked = requestIdleCallback(what, { timeout: LATEST });
    return () => {
        cancelIdleCallback(asked);
    };
}
