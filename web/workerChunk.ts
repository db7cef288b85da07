import type { Plugin } from "vite";

const newsWorker = "virtual:news-worker";

/** The SharedWorker as a part of the page's own build: it shares files with the page, so a browser
 *  fetches them once. Vite's own way makes of each worker a bundle with all of it again. */
export function workerChunk(file: string): Plugin {
    let isBuilt = false;
    return {
        name: "bree-worker-chunk",
        configResolved: ({ command }) => {
            isBuilt = command === "build";
        },
        resolveId: (id) => (id === newsWorker ? `\0${newsWorker}` : undefined),
        load(id) {
            if (id !== `\0${newsWorker}`) return undefined;
            if (!isBuilt) return `export default ${JSON.stringify(file)};`;
            const chunk = this.emitFile({ type: "chunk", id: `.${file}`, name: "news" });
            return `export default import.meta.ROLLUP_FILE_URL_${chunk};`;
        },
    };
}
