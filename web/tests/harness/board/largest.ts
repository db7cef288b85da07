/** The step that asks most of a board, of all that were recorded. */

export interface Recorded {
    query: string;
    viewer: string;
    /** As JSON. */
    view: unknown;
}

/** Everything that a view says, each with where it says it. */
function said(value: unknown, where = ""): string[] {
    if (typeof value !== "object" || value === null) return [`${where}=${String(value)}`];
    return Object.entries(value).flatMap(([name, part]) => said(part, `${where}.${name}`));
}

/** The position of which most is to be said, after that one of the same viewer's which is most like it. */
export function largestStep(all: readonly Recorded[]): [string, string] {
    const told = all.map(({ query, viewer, view }) => ({ query, viewer, says: said(view) }));
    const [most] = [...told].sort((a, b) => b.says.length - a.says.length);
    if (!most) throw new Error("no position was recorded");
    const says = new Set(most.says);
    const likest = told
        .filter(({ query, viewer }) => viewer === most.viewer && query !== most.query)
        .map(({ query, says: other }) => {
            const same = other.filter((line) => says.has(line)).length;
            return { query, apart: says.size + other.length - 2 * same };
        })
        .sort((a, b) => a.apart - b.apart)
        .find(({ apart }) => apart > 0);
    return [likest?.query ?? most.query, most.query];
}
