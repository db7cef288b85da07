/** Files that the browser keeps. */

/** Has the browser save a file under a name. */
export function save(file: Blob, name: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    setTimeout(() => {
        URL.revokeObjectURL(link.href);
    }, 10_000);
}

/** "bree-rosie-2026-11-20.tar.gz": what is his, and when it was so. */
export function exportName(account: string, now: Date): string {
    return `bree-${account}-${now.toISOString().slice(0, 10)}.tar.gz`;
}

/** What has come piece by piece, as one file; each piece is told of as it comes. */
export async function gathered(
    pieces: AsyncIterable<{ data: Uint8Array }>,
    came: (bytes: number) => void,
): Promise<Blob> {
    const parts: BlobPart[] = [];
    let bytes = 0;
    for await (const { data } of pieces) {
        parts.push(data as Uint8Array<ArrayBuffer>);
        bytes += data.length;
        came(bytes);
    }
    return new Blob(parts, { type: "application/gzip" });
}

const UNITS = ["kB", "MB", "GB"];

/** "420 bytes", "1.3 MB". */
export function sizeWords(bytes: number): string {
    if (bytes < 1000) return `${bytes} bytes`;
    let [size, unit] = [bytes / 1000, 0];
    while (size >= 1000 && unit < UNITS.length - 1) {
        size /= 1000;
        unit += 1;
    }
    return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit] ?? ""}`;
}

/** Recovery codes as a text to be put away. */
export function codesText(
    codes: readonly string[],
    of: { account: string; host: string; now: Date },
): string {
    const day = of.now.toISOString().slice(0, 10);
    return [
        `Recovery codes of ${of.account} at ${of.host}, made on ${day}.`,
        "Each logs in once, at /login. Whoever has one can play as you.",
        "",
        ...codes,
        "",
    ].join("\n");
}
