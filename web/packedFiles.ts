/** Beside each file of the built page its packed forms, so that the door need not pack it each time. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** What is smaller travels in one packet in any case. */
const leastBytes = 1024;

/** Pictures of points and letters are packed by their own forms. */
const packs = /\.(js|css|html|svg|json|txt)$/;

export function packedFiles(): Plugin {
    let folder = "";
    return {
        name: "bree-packed-files",
        apply: "build",
        configResolved: ({ build }) => {
            folder = build.outDir;
        },
        closeBundle: () => {
            for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
                if (packs.test(name)) pack(join(folder, name));
            }
        },
    };
}

function pack(path: string): void {
    const plain = readFileSync(path);
    if (plain.length < leastBytes) return;
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(plain, { params: quality }));
    writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
}
