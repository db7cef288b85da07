/** Where the pictures of a match are, which the gateway draws of its positions. */

export interface Wanted {
    match: string;
    form: "picture.png" | "picture.svg" | "replay.svg";
    /** The latest position where there is none. */
    at?: bigint | undefined;
    /** As everyone sees it where there is none. */
    seat?: string | undefined;
    isDark?: boolean;
}

/** The address of a picture, on this host. */
export function pictureAt({ match, form, at, seat, isDark = false }: Wanted): string {
    const query = new URLSearchParams();
    if (at !== undefined) query.set("at", String(at));
    if (seat) query.set("seat", seat);
    if (isDark) query.set("theme", "dark");
    const said = query.toString();
    return `/m/${encodeURIComponent(match)}/${form}${said && "?"}${said}`;
}

/** A picture as its seat sees it, and how its file is called; nobody else is told the address. */
export async function pictureOf(wanted: Wanted): Promise<{ file: Blob; name: string }> {
    // By this header the gateway knows that no other page asks.
    const headers = { "connect-protocol-version": "1" };
    const answer = await fetch(pictureAt(wanted), { headers });
    if (!answer.ok) {
        const told = (await answer.json().catch(() => ({}))) as { message?: unknown };
        const why = typeof told.message === "string" ? told.message : answer.statusText;
        throw new Error(why || "there is no picture now");
    }
    const [, , ending = "svg"] = /^(\w+)\.(\w+)$/.exec(wanted.form) ?? [];
    const name = [wanted.match, wanted.seat, wanted.at].filter((part) => part !== undefined);
    return { file: await answer.blob(), name: `${name.join("-")}.${ending}` };
}
