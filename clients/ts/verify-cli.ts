// Checks records of matches from the command line: what verify.ts says, and an exit code.

import { closeSync, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";

import { isHash, isName, isNonce, largestBytes, verify } from "./verify.js";

const options = "[--commitment HEX] [--nonce SEAT=HEX]... [--head REVISION=HEX]...";
const usage = `usage: verify-cli FILE ${options}, or verify-cli --cases`;

const [holds, doesNot, badUsage] = [0, 1, 2];

/** Checks what one command line asks for: an exit code, and sentences. */
function run(given: string[]): [code: number, said: string[]] {
  const files: string[] = [];
  const commitments: string[] = [];
  const nonces: [string, string][] = [];
  const heads: [number, string][] = [];
  for (let i = 0; i < given.length; i++) {
    const flag = given[i]!;
    if (!flag.startsWith("--")) {
      files.push(flag);
      continue;
    }
    const value = given[++i] ?? "";
    const [before = "", after = "", ...more] = value.split("=");
    const isPair = !more.length;
    if (flag === "--commitment" && isHash(value)) commitments.push(value);
    else if (flag === "--nonce" && isPair && isName(before) && isNonce(after)) nonces.push([before, after]);
    else if (flag === "--head" && isPair && /^[0-9]{1,9}$/.test(before) && isHash(after)) {
      heads.push([Number(before), after]);
    } else return [badUsage, [`${flag} ${value} is not understood; ${usage}`]];
  }
  const [file, ...others] = files;
  if (file === undefined || others.length || commitments.length > 1) return [badUsage, [usage]];
  let content: Uint8Array;
  try {
    content = contentOf(file);
  } catch (error) {
    return [badUsage, [`${file} cannot be read: ${(error as Error).message}`]];
  }
  const [commitment] = commitments;
  const verdict = verify(content, { nonces, heads, ...(commitment && { commitment }) });
  return [verdict.holds ? holds : doesNot, verdict.said];
}

/** The bytes of a file, but no more of them than tell that it is too large. */
function contentOf(path: string): Uint8Array {
  const file = openSync(path, "r");
  try {
    const pieces: Buffer[] = [];
    for (let left = largestBytes + 1; left > 0; ) {
      const piece = Buffer.alloc(Math.min(left, 1 << 16));
      const count = readSync(file, piece);
      if (!count) break;
      pieces.push(piece.subarray(0, count));
      left -= count;
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(file);
  }
}

/** Reads command lines, with tabs between their words, and answers each with its code and sentences. */
async function runCases(): Promise<number> {
  let worst = holds;
  for await (const line of createInterface({ input: process.stdin })) {
    const [code, said] = run(line.split("\t"));
    console.log([code, ...said].join("\t"));
    worst = Math.max(worst, code);
  }
  return worst;
}

const given = process.argv.slice(2);
if (given.length === 1 && given[0] === "--cases") {
  process.exitCode = await runCases();
} else {
  const [code, said] = run(given);
  for (const sentence of said) (code === badUsage ? console.error : console.log)(sentence);
  process.exitCode = code;
}
