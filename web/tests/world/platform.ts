/** A whole platform for the tests: `bree run` on ports and in a folder of its own.
 *
 * The tests find it by what is provided here; whoever kills a part of it finds its process in the
 * run's own notes, and the run starts it again.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
    interface ProvidedContext {
        /** Where the page is. */
        address: string;
        /** Where the platform keeps its notes. */
        state: string;
        /** Where the gateway tells what it does. */
        metrics: string;
        /** Where the page is by the name that the host gives: there are passkeys only there. */
        named: string;
        /** What is said to the provider and the mail server: `who` and `mails` (tests/page/outside.py). */
        outside: string;
    }
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
const READY_MS = 90_000;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
    const state = mkdtempSync(join(tmpdir(), "bree-page-"));
    const ports = await freePorts();
    const named = `http://localhost:${ports.http}`;
    const outside = await startOutside(state, `${named}/login`);
    const run = start(state, ports, { ...outside.environment, BREE_PUBLIC_URL: named });
    await ready(run);
    project.provide("address", `http://127.0.0.1:${ports.http}`);
    project.provide("state", state);
    project.provide("named", named);
    project.provide("outside", state);
    project.provide("metrics", `http://127.0.0.1:${ports.metrics}/metrics`);
    // Tests that are interrupted leave nothing behind.
    const quit = (): void => {
        run.kill("SIGTERM");
        outside.end();
    };
    process.once("exit", quit);
    return async () => {
        process.off("exit", quit);
        await stop(run);
        outside.end();
        rmSync(state, { recursive: true, force: true });
    };
}

interface Ports {
    http: number;
    gateway: number;
    redis: number;
    postgres: number;
    engine: number;
    metrics: number;
}

/** A provider of OpenID Connect and a mail server, and what the platform has to know of them. */
async function startOutside(
    folder: string,
    redirect: string,
): Promise<{ environment: Record<string, string>; end: () => void }> {
    const program = join(root, ".venv/bin/python");
    const run = spawn(program, ["-m", "tests.page.outside", folder, redirect], {
        cwd: root,
        stdio: ["pipe", "pipe", "inherit"],
    });
    const line = await new Promise<string>((resolve, reject) => {
        run.stdout.once("data", (data: Buffer) => {
            resolve(data.toString());
        });
        run.once("exit", (code) => {
            reject(new Error(`there is no provider and no mail server: ${code ?? "a signal"}`));
        });
    });
    const where = JSON.parse(line) as Record<"client" | "issuer" | "secret" | "smtp", string>;
    return {
        environment: {
            BREE_OIDC_ISSUER: where.issuer,
            BREE_OIDC_CLIENT_ID: where.client,
            BREE_OIDC_CLIENT_SECRET: where.secret,
            BREE_OIDC_NAME: "Brandywine",
            BREE_MAIL_URL: `smtp://127.0.0.1:${where.smtp}`,
            BREE_MAIL_FROM: "bree@bree.example",
        },
        end: () => {
            run.stdin.end();
        },
    };
}

function start(state: string, ports: Ports, more: Record<string, string>): ChildProcess {
    const program = join(root, ".venv/bin/bree");
    if (!existsSync(program)) throw new Error("there is no .venv: run `make setup`");
    return spawn(program, ["run"], {
        cwd: root,
        stdio: ["ignore", "pipe", "pipe"],
        env: {
            ...process.env,
            ...more,
            BREE_STATE: state,
            BREE_HTTP_PORT: String(ports.http),
            BREE_GATEWAY_PORT: String(ports.gateway),
            BREE_REDIS_PORT: String(ports.redis),
            BREE_POSTGRES_PORT: String(ports.postgres),
            BREE_ENGINE_PORT: String(ports.engine),
            BREE_METRICS_PORT: String(ports.metrics),
            // All tests come from one address.
            BREE_NEW_ACCOUNTS_A_MINUTE: "600",
            BREE_NEW_ACCOUNTS_BURST: "600",
            BREE_LOOKS_A_SECOND: "500",
            BREE_LOOKS_BURST: "1000",
        },
    });
}

async function ready(run: ChildProcess): Promise<void> {
    let said = "";
    await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => {
            reject(new Error(`the platform is not ready:\n${said}`));
        }, READY_MS);
        const hear = (data: Buffer): void => {
            said += data.toString();
            if (!said.includes("Ctrl-C stops everything")) return;
            clearTimeout(late);
            resolve();
        };
        run.stdout?.on("data", hear);
        run.stderr?.on("data", hear);
        run.once("exit", (code) => {
            clearTimeout(late);
            reject(new Error(`the platform ended with ${code ?? "a signal"}:\n${said}`));
        });
    });
}

async function stop(run: ChildProcess): Promise<void> {
    const ended = new Promise((resolve) => run.once("exit", resolve));
    if (run.exitCode !== null) return;
    run.kill("SIGTERM");
    await ended;
}

/** Ports that are free now; engines and metrics take some that follow each other. */
async function freePorts(): Promise<Ports> {
    const first = await freeRun(30);
    return {
        http: first,
        gateway: first + 1,
        redis: first + 2,
        engine: first + 3,
        postgres: first + 11,
        metrics: first + 12,
    };
}

async function freeRun(count: number): Promise<number> {
    for (let tries = 0; tries < 200; tries++) {
        const first = 20_000 + Math.floor(Math.random() * 10_000);
        const free = await Promise.all(Array.from({ length: count }, (_, n) => isFree(first + n)));
        if (free.every(Boolean)) return first;
    }
    throw new Error("no ports are free");
}

function isFree(port: number): Promise<boolean> {
    return new Promise((resolve) => {
        const server = createServer();
        server.once("error", () => {
            resolve(false);
        });
        server.listen(port, "127.0.0.1", () => {
            const at = server.address() as AddressInfo;
            server.close(() => {
                resolve(at.port === port);
            });
        });
    });
}

/** The process of a part of the run, such as "gateway" or "duel-1". */
export function processOf(state: string, part: string): number {
    const notes = JSON.parse(readFileSync(join(state, "processes"), "utf8")) as Record<
        string,
        [number, string]
    >;
    const found = notes[part];
    if (!found) throw new Error(`the run has no ${part}`);
    return found[0];
}
