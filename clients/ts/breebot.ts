// Breebot plays one match of any game of Bree. It knows no rules: it picks one of the choices.

import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import { toJsonString } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, type Transport, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { type Outcome, OutcomeSchema } from "./gen/bree/engine/v1/types_pb.js";
import type { ListenQuestionsResponse as Told } from "./gen/bree/gateway/v1/gateway_pb.js";
import { AccountService, BotService, MatchService } from "./gen/bree/gateway/v1/gateway_pb.js";
import { ProgramService } from "./gen/bree/gateway/v1/programs_pb.js";

// In milliseconds: one attempt of a call may last a deadline. After as long as patience lasts a call
// is given up.
const [deadline, patience] = [10_000, 120_000];

// When nothing happens the gateway gives a sign of life in each beat; after a silence it hangs, and
// the stream is opened anew.
const [beatMs, silence] = [1_500, 4_500];

// Between attempts it waits as long as this, at first and at last.
const [shortest, longest] = [100, 5_000];

/** Plays one seat of one match. */
class Bot {
  private match = "";
  private seat = "";
  private answered = 0n; // the number of the last question that wants no answer any more
  private readonly run = randomBytes(8).toString("hex"); // makes request ids differ from other runs'
  private readonly matches: Client<typeof MatchService>;
  private readonly questions: Client<typeof BotService>;

  constructor(transport: Transport, private readonly seed: string) {
    this.matches = createClient(MatchService, transport);
    this.questions = createClient(BotService, transport);
  }

  async join(match: string, seat: string): Promise<void> {
    [this.match, this.seat] = [match, seat];
    await again(() => this.matches.joinMatch({ match, seat }));
    console.log(`playing ${match} at ${seat}`);
  }

  /** Makes a match with this bot at its first seat and hosted bots at the others. */
  async start(game: string, level: string, chosen: string): Promise<void> {
    const pairs = chosen.split(",").filter(Boolean).map((option) => option.split("="));
    const options = pairs.map(([name, value]) => ({ name, value }));
    const made = await again(() => this.matches.createMatch({ game, options, requestId: this.run }));
    const { id: match, seats } = made.match!;
    await this.join(match, seats[0]!.seat);
    for (const { seat } of seats.slice(1)) {
      // A refusal may only mean that it was done and the answer got lost: starting tells.
      await again(() => this.matches.addBot({ match, seat, level })).catch(complain);
    }
    await again(() => this.matches.startMatch({ match }));
  }

  /** Answers until the match is over; listens again whenever a stream ends. */
  async play(): Promise<string> {
    for (let wait = shortest; ; wait = await pause(wait)) {
      const hung = new AbortController();
      let timer: NodeJS.Timeout | undefined; // from the first beat on: an older gateway sends none
      try {
        const options = { signal: hung.signal, timeoutMs: 0 };
        for await (const told of this.questions.listenQuestions({ beatMs }, options)) {
          const hears = timer || !told.match;
          clearTimeout(timer);
          if (told.match === this.match && told.outcome) return this.ending(told.outcome);
          await this.answer(told);
          if (hears) timer = setTimeout(() => hung.abort(), silence);
          if (told.match) wait = shortest;
        }
      } catch (error) {
        if (!passes(error)) throw error;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  private ending(outcome?: Outcome): string {
    const options = { alwaysEmitImplicit: true };
    return `${this.match} is over: ${outcome ? toJsonString(OutcomeSchema, outcome, options) : "{}"}`;
  }

  /** Answers a question once, however often it is told; with its head, in no other history than its own. */
  private async answer({ match, seat, question, head }: Told): Promise<void> {
    if (match !== this.match || seat !== this.seat) return;
    if (question && question.number <= this.answered) {
      // Told twice; or the platform has lost moves: does it stand? If this fails, all is told again.
      const now = await again(() => this.matches.getView({ match, seat })).catch(() => undefined);
      [question, head] = [now?.question, now?.standing?.head ?? ""];
    }
    if (!question) return;
    this.answered = question.number;
    const chance = createHash("sha256").update(`${this.seed} ${question.number}`).digest();
    const choice = question.choices[chance.readUInt32BE() % question.choices.length]!;
    const request = { match, seat, question: question.number, action: choice.action!.text, head };
    const requestId = `${this.run}-${question.number}`;
    try {
      await again(() => this.matches.act({ ...request, requestId }));
    } catch (error) {
      // A clock was faster, the match has ended, or this history is lost; the stream tells.
      if (![Code.Aborted, Code.FailedPrecondition].includes(ConnectError.from(error).code)) throw error;
    }
  }
}

/** Repeats a call until the gateway answers it, which is safe for every call that bots make. */
async function again<T>(call: () => Promise<T>): Promise<T> {
  const began = Date.now();
  for (let wait = shortest; ; wait = await pause(wait)) {
    try {
      return await call();
    } catch (error) {
      if (!passes(error) || Date.now() - began > patience) throw error;
    }
  }
}

/** Says whether waiting may help: something is away, calls come too fast, or a connection broke. */
function passes(error: unknown): boolean {
  const { code, details } = ConnectError.from(error);
  const broke = [Code.Aborted, Code.Canceled, Code.Internal].includes(code) && !details.length;
  return broke || [Code.Unavailable, Code.DeadlineExceeded, Code.ResourceExhausted].includes(code);
}

/** Waits, and says how long to wait the next time. */
async function pause(wait: number): Promise<number> {
  await sleep(wait * (0.5 + Math.random()));
  return Math.min(2 * wait, longest);
}

function complain(error: unknown): void {
  console.error(`breebot: ${error instanceof Error ? error.message : String(error)}`);
}

/** The flags; the default of --seat is BREE_SEAT from the environment, and so on. */
function settings(names: string[]): Record<string, string> {
  const flags = names.map((name) => {
    const found = process.env[`BREE_${name.toUpperCase()}`] ?? "";
    return [name, { type: "string", default: found }] as const;
  });
  return parseArgs({ options: Object.fromEntries(flags) }).values as Record<string, string>;
}

async function main(): Promise<void> {
  const names = ["gateway", "authority", "match", "seat", "new", "against", "options", "seed", "token"];
  const { gateway, authority, match, seat, new: game, against, options, seed, ...rest } = settings(names);
  if (Boolean(match && seat) === Boolean(game && against)) {
    throw new Error("say either --match ID --seat NAME or --new GAME --against LEVEL");
  }
  let { token } = rest;
  const transport = createGrpcTransport({
    baseUrl: `${authority ? "https" : "http"}://${gateway || "127.0.0.1:7000"}`,
    defaultTimeoutMs: deadline,
    pingIntervalMs: deadline,
    pingTimeoutMs: 5_000,
    nodeOptions: authority ? { ca: readFileSync(authority) } : {},
    interceptors: [
      (next) => (request) => {
        if (token) request.header.set("authorization", `Bearer ${token}`);
        return next(request);
      },
    ],
  });
  if (!token) {
    token = (await again(() => createClient(AccountService, transport).createAccount({}))).token;
    await again(() => createClient(ProgramService, transport).declareBot({}));
  }
  const bot = new Bot(transport, seed || randomBytes(8).toString("hex"));
  await (game ? bot.start(game, against!, options!) : bot.join(match!, seat!));
  console.log(await bot.play());
}

main().then(
  () => process.exit(), // else an idle connection would keep it running
  (error: unknown) => {
    complain(error);
    process.exit(1);
  },
);
