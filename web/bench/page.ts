/** The page in a real browser: `node --experimental-strip-types bench/page.ts ADDRESS` prints JSON.
 *
 * Times are taken in the page: from the start of its navigation, from the press of a button, from the
 * news of a step; each until what it led to has been painted or, for a step, laid out.
 */
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { dragged } from "./dragging.ts";
import { largestDrawn } from "./largest.ts";
import { boardBytes, type Packed } from "./packed.ts";

declare global {
    /** What is put into each page before it begins. */
    var bench: {
        /** When it was painted that something is so. */
        until: (found: () => boolean) => Promise<number>;
        question: () => string;
        revision: () => number;
        button: (name: string) => HTMLButtonElement | undefined;
        drawn: number[];
    };
}

interface Results {
    /** From the start of a navigation until a question stands there, in milliseconds. */
    firstQuestion: number[];
    /** The same until one sentence stands there, which the same door sends. */
    oneSentence: number[];
    /** From a press until what came of the answer was painted. */
    answers: number[];
    /** A call that changes nothing, from the same page. */
    calls: number[];
    /** The same call with one tab of a match open, and with ten. */
    tabs: Record<"one" | "ten", number[]>;
    /** Bytes over the wire before a board is drawn, the board not counted. */
    bytesBeforeBoard: number;
    /** By game: from the start of a navigation until its board stands there, a button pressed between. */
    firstBoard: Record<string, number[]>;
    /** By game: the bytes of what its board alone needs, its share of shapes included. */
    boards: Record<string, Packed>;
    /** By game: how long each of some steps took to be drawn. */
    steps: Record<string, number[]>;
    /** The same of the step to the largest position of a recorded game. */
    largest: Record<string, number[]>;
    /** By game: frames a second while its map is dragged in a match that has run for a while. */
    frames: Record<string, number[]>;
}

const GAMES = ["confrontation", "duel", "risk", "warofthering"];
const MAPS = ["risk", "warofthering"];
const COLD_ROUNDS = 9;
const BOARD_ROUNDS = 5;
const ANSWERS = 60;
const STEPS = 60;
const TABS = 10;
const CALLS = 60;
const PATIENCE_MS = 60_000;
const QUIET = [
    ...["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
    ...["--disable-component-update", "--disable-sync"],
];
const WINDOW = { viewport: { width: 1280, height: 900 } };

function put(): void {
    globalThis.bench = {
        drawn: [],
        question: () =>
            document.querySelector("[data-question]")?.getAttribute("data-question") ?? "",
        revision: () =>
            Number(document.querySelector("[data-revision]")?.getAttribute("data-revision") ?? -1),
        button: (name) =>
            [...document.querySelectorAll("button")].find(
                (one) => one.textContent.includes(name) && !one.disabled,
            ),
        until: (found) =>
            new Promise((resolve) => {
                const look = (): void => {
                    if (!found()) return;
                    observer.disconnect();
                    requestAnimationFrame(() => {
                        const channel = new MessageChannel();
                        channel.port1.onmessage = () => {
                            resolve(performance.now());
                        };
                        channel.port2.postMessage(null);
                    });
                };
                const observer = new MutationObserver(look);
                observer.observe(document, { subtree: true, childList: true, attributes: true });
                look();
            }),
    };
    // The page measures from a step that came until its drawing stands; here the layout counts, too.
    const measure = performance.measure.bind(performance);
    performance.measure = (name: string, options?: string | PerformanceMeasureOptions) => {
        if (name === "bree:drawn" && typeof options === "object") {
            document.body.getBoundingClientRect();
            bench.drawn.push(performance.now() - Number(options.start));
        }
        return measure(name, options);
    };
}

async function opened(context: BrowserContext, address: string): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.addInitScript(put);
    await page.goto(address, { waitUntil: "commit" });
    return page;
}

/** A new visitor presses the first button that he is offered: when his question was painted. */
async function play(page: Page, game: number): Promise<number> {
    return page.evaluate(async (which) => {
        const buttons = (): HTMLButtonElement[] =>
            [...document.querySelectorAll("button")].filter((one) =>
                one.textContent.includes("Play against a bot"),
            );
        await bench.until(() => buttons()[which]?.disabled === false);
        buttons()[which]?.click();
        return bench.until(() => bench.question() !== "");
    }, game);
}

interface Cold {
    ms: number;
    /** When the board was painted. */
    board: number;
    bytes: number;
    files: Set<string>;
}

async function cold(browser: Browser, address: string, game = 0): Promise<Cold> {
    const context = await browser.newContext(WINDOW);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.addInitScript(put);
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    // Away from this machine and without TLS, browsers take no Brotli.
    await session.send("Network.setExtraHTTPHeaders", { headers: { "accept-encoding": "gzip" } });
    const boards = new Set<string>();
    // What a page fetches at its leisure, once it has its board.
    const later = new Set<string>();
    const files = new Set<string>();
    let bytes = 0;
    let hasBoard = false;
    session.on("Network.requestWillBeSent", ({ requestId, request }) => {
        if (hasBoard && request.url.includes("/assets/")) later.add(requestId);
    });
    session.on("Network.responseReceived", ({ requestId, response }) => {
        if (response.url.includes("/assets/")) files.add(response.url);
        if (/\/board-[^/]*$/.test(new URL(response.url).pathname)) boards.add(requestId);
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
        if (boards.has(requestId)) hasBoard = true;
        else if (!later.has(requestId)) bytes += encodedDataLength;
    });
    await page.goto(address, { waitUntil: "commit" });
    const ms = await play(page, game);
    const board = await page.evaluate(() =>
        bench.until(() => document.querySelector(".drawn svg") !== null),
    );
    await context.close();
    return { ms, board, bytes, files };
}

/** The least that this door can send and this browser can show. */
async function bare(browser: Browser, address: string): Promise<number> {
    const context = await browser.newContext(WINDOW);
    const page = await opened(context, `${address}/healthy`);
    const ms = await page.evaluate(() => bench.until(() => document.body.innerText !== ""));
    await context.close();
    return ms;
}

/** Answers of a match of Duel, each from the press that sends it until its position is painted. */
async function answered(browser: Browser, address: string): Promise<[number[], number[]]> {
    const context = await browser.newContext(WINDOW);
    const page = await opened(context, address);
    const answers: number[] = [];
    const calls: number[] = [];
    while (answers.length < ANSWERS) {
        await play(page, 1);
        while (answers.length < ANSWERS) {
            const ms = await page.evaluate(answerOnce);
            if (ms === undefined) break;
            answers.push(ms);
            calls.push(await page.evaluate(callOnce));
        }
        await page.goto(address, { waitUntil: "commit" });
    }
    await context.close();
    return [answers, calls];
}

/** Chooses the first sentence and sends it: from that press until a later position is painted. */
async function answerOnce(): Promise<number | undefined> {
    const isOver = (): boolean => document.querySelector("[data-outcome]") !== null;
    await bench.until(() => bench.question() !== "" || isOver());
    if (isOver()) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 350)); // as a person reads it first
    document.querySelector<HTMLElement>("[data-question] [role=option]")?.click();
    await bench.until(() => document.querySelector("[data-question] .sure") !== null);
    const before = bench.revision();
    const began = performance.now();
    document.querySelector<HTMLElement>("[data-question] .sure")?.click();
    return (await bench.until(() => bench.revision() > before)) - began;
}

async function callOnce(): Promise<number> {
    const began = performance.now();
    const answer = await fetch("/bree.gateway.v1.CatalogService/ListGames", {
        method: "POST",
        headers: { "content-type": "application/json", "connect-protocol-version": "1" },
        body: "{}",
    });
    await answer.arrayBuffer();
    return performance.now() - began;
}

/** A call that changes nothing, from the first of some tabs that all show a match. */
async function tabbed(browser: Browser, address: string): Promise<Results["tabs"]> {
    const context = await browser.newContext(WINDOW);
    const first = await opened(context, address);
    await play(first, 1);
    const found: Results["tabs"] = { one: [], ten: [] };
    const called = async (): Promise<number[]> => {
        const times: number[] = [];
        for (let call = 0; call < CALLS; call++) times.push(await first.evaluate(callOnce));
        return times;
    };
    found.one = await called();
    for (let tab = 1; tab < TABS; tab++) {
        const page = await opened(context, first.url());
        await page.evaluate(() => bench.until(() => bench.question() !== ""));
    }
    await first.bringToFront();
    found.ten = await called();
    await context.close();
    return found;
}

/** The steps of a match against a bot that plays on while the visitor answers at random. */
async function drawn(
    browser: Browser,
    address: string,
    game: number,
): Promise<{ steps: number[]; frames: number[] }> {
    const context = await browser.newContext(WINDOW);
    const page = await opened(context, address);
    await play(page, game);
    let found: number[] = [];
    for (let turns = 0; turns < 4 * STEPS && found.length < STEPS; turns++) {
        if ((await page.evaluate(answerOnce)) === undefined) break;
        found = await page.evaluate(() => bench.drawn);
    }
    const frames = MAPS.includes(GAMES[game] ?? "") ? await dragged(page) : [];
    await context.close();
    return { steps: found, frames };
}

async function main(address: string, program: string): Promise<Results> {
    const browser = await chromium.launch({ executablePath: program, args: QUIET });
    const colds = [];
    const oneSentence = [];
    for (let round = 0; round < COLD_ROUNDS; round++) {
        colds.push(await cold(browser, address));
        oneSentence.push(await bare(browser, address));
    }
    const [answers, calls] = await answered(browser, address);
    const tabs = await tabbed(browser, address);
    const steps: Results["steps"] = {};
    const frames: Results["frames"] = {};
    const firstBoard: Results["firstBoard"] = {};
    const files: Record<string, Set<string>> = {};
    for (const [number, game] of GAMES.entries()) {
        const visits = [];
        for (let round = 0; round < BOARD_ROUNDS; round++)
            visits.push(await cold(browser, address, number));
        firstBoard[game] = visits.map(({ board }) => board);
        files[game] = visits[0]?.files ?? new Set();
        const match = await drawn(browser, address, number);
        steps[game] = match.steps;
        if (match.frames.length) frames[game] = match.frames;
    }
    const boards = await boardBytes(files);
    const largest = await largestDrawn(browser, GAMES, WINDOW);
    await browser.close();
    return {
        firstQuestion: colds.map(({ ms }) => ms),
        oneSentence,
        answers,
        calls,
        tabs,
        bytesBeforeBoard: Math.max(...colds.map(({ bytes }) => bytes)),
        firstBoard,
        boards,
        steps,
        largest,
        frames,
    };
}

const [address, program] = process.argv.slice(2);
if (!address || !program) throw new Error("say which address, and which browser");
process.stdout.write(JSON.stringify(await main(address, program)));
