/** Recorded games as a browser reads them. */

/** What a packed file says; a server may have unpacked it on the way. */
export async function unpacked(url: URL): Promise<unknown> {
    const bytes = await (await fetch(url)).arrayBuffer();
    if (new Uint8Array(bytes, 0, 2)[0] !== 0x1f) return JSON.parse(new TextDecoder().decode(bytes));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
}
