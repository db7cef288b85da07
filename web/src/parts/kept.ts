/** What is the same stays the same object.
 *
 * Design. Each step brings a position as a whole, and nearly all of it says what it said before. A part
 * that is the very object that was drawn is not drawn again.
 */

/** Gives back what was there before, wherever `now` says the same; else `now`, of such parts. */
export function kept<T>(before: unknown, now: T): T {
    if (Object.is(before, now)) return now;
    if (Array.isArray(now)) return keptList(before, now) as T;
    if (now instanceof Set) return isSameSet(before, now) ? (before as T) : now;
    if (isRecord(now) && isRecord(before)) return keptRecord(before, now) as T;
    return now;
}

/** The same for one thing after the other. */
export function keeper<T>(): (now: T) => T {
    let before: T | undefined;
    return (now) => (before = kept(before, now));
}

function keptList(before: unknown, now: readonly unknown[]): readonly unknown[] {
    if (!Array.isArray(before)) return now;
    let parts: unknown[] | undefined = now.length === before.length ? undefined : [];
    for (let at = 0; at < now.length; at++) {
        const part = kept(before[at], now[at]);
        if (!parts && part !== before[at]) parts = before.slice(0, at);
        parts?.push(part);
    }
    return parts ?? before;
}

function keptRecord(before: Fields, now: Fields): Fields {
    const names = Object.keys(now);
    let parts = names.length === Object.keys(before).length ? undefined : emptied(now);
    for (const [at, name] of names.entries()) {
        const part = kept(before[name], now[name]);
        if (!parts && !(name in before && Object.is(part, before[name]))) {
            parts = emptied(now);
            for (const same of names.slice(0, at)) parts[same] = before[same];
        }
        if (parts) parts[name] = part;
    }
    return parts ?? before;
}

function emptied(record: Fields): Fields {
    return Object.create(Object.getPrototypeOf(record) as object | null) as Fields;
}

function isSameSet(before: unknown, now: ReadonlySet<unknown>): boolean {
    const isOne = before instanceof Set && before.size === now.size;
    return isOne && [...now].every((part) => before.has(part));
}

type Fields = Record<string, unknown>;

/** Whether it is its fields and no more: maps, dates and bytes are not. */
function isRecord(value: unknown): value is Fields {
    if (typeof value !== "object" || value === null) return false;
    const kind: unknown = Object.getPrototypeOf(value);
    return kind === Object.prototype || kind === null || "$typeName" in value;
}
