/** What a board weighs on its way to a browser. */
import { get } from "node:http";

export interface Packed {
    gzip: number;
    br: number;
}

/** What each game's page has fetched and not every game's: its board, with all that comes with it. */
export async function boardBytes(
    files: Record<string, Set<string>>,
): Promise<Record<string, Packed>> {
    const [first = new Set<string>(), ...others] = Object.values(files);
    const common = [...first].filter((url) => others.every((one) => one.has(url)));
    const found: Record<string, Packed> = {};
    for (const [game, urls] of Object.entries(files)) {
        const own = [...urls].filter((url) => !common.includes(url));
        const sum = async (encoding: string): Promise<number> => {
            const sizes = await Promise.all(own.map((url) => bytesOf(url, encoding)));
            return sizes.reduce((all, size) => all + size, 0);
        };
        found[game] = { gzip: await sum("gzip"), br: await sum("br") };
    }
    return found;
}

/** How many bytes a file is when it travels, packed in this way. */
const bytesOf = (url: string, encoding: string): Promise<number> =>
    new Promise((resolve, reject) => {
        get(url, { headers: { "accept-encoding": encoding } }, (answer) => {
            let bytes = 0;
            answer.on("data", (part: Buffer) => (bytes += part.length));
            answer.on("end", () => {
                resolve(bytes);
            });
        }).on("error", reject);
    });
