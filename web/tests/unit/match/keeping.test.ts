/** What is kept while a match is played, and what the verifier makes of it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Keeping } from "../../../src/match/keeping";
import { verdictOn } from "../../../src/match/verifying";
import { storage } from "./table";

interface Vector {
    record: string;
    commitment: string;
    nonces: Record<string, string>;
    heads: string[];
    end: string;
}

const vectors = JSON.parse(
    readFileSync(new URL("../../../../docs/record-vectors.json", import.meta.url), "utf8"),
) as { records: Vector[] };
const [vector] = vectors.records;
if (!vector) throw new Error("there are no vectors");
const file = new TextEncoder().encode(vector.record);
const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));

function played(store = storage()): Keeping {
    const keeping = new Keeping(store);
    keeping.commitment("m-1", vector?.commitment ?? "");
    for (const [seat, nonce] of Object.entries(vector?.nonces ?? {})) {
        keeping.nonce("m-1", seat, bytes(nonce), vector?.commitment ?? "");
    }
    vector?.heads.forEach((head, revision) => {
        keeping.head("m-1", { revision: BigInt(revision), head } as never);
    });
    return keeping;
}

test("a record is compared with all that was kept while it was played", async () => {
    const verdict = await verdictOn(file, played().of("m-1"));

    expect(verdict.holds).toBe(true);
    expect(verdict.said.join(" ")).toContain("the one that was kept");
    expect(verdict.said.join(" ")).toMatch(/Kept heads: \d+ were compared/);
});

test("a head that was kept and is not on the way is found out", async () => {
    const keeping = played();
    keeping.head("m-1", { revision: 3n, head: "0".repeat(64) } as never);
    const verdict = await verdictOn(file, keeping.of("m-1"));

    expect(verdict.holds).toBe(false);
    expect(verdict.said.join(" ")).toContain("revision 3");
});

test("what the platform has owned to have lost is not held against the record", async () => {
    const keeping = played();
    keeping.head("m-1", { revision: 3n, head: "0".repeat(64) } as never);
    keeping.doubtHeads("m-1");

    expect((await verdictOn(file, keeping.of("m-1"))).holds).toBe(true);
});

test("the commitment that was noted first is the one that counts", () => {
    const keeping = new Keeping(storage());
    keeping.commitment("m-1", "aa");
    keeping.commitment("m-1", "bb");
    keeping.nonce("m-1", "good", bytes("01ff"), "cc");

    expect(keeping.of("m-1")).toEqual({ commitment: "aa", nonces: [["good", "01ff"]], heads: [] });
});

test("a record is recognized by its commitment", () => {
    const keeping = played();

    expect(keeping.withCommitment(vector.commitment)?.nonces.length).toBeGreaterThan(0);
    expect(keeping.withCommitment("f".repeat(64))).toBe(undefined);
    expect(keeping.withCommitment(undefined)).toBe(undefined);
});

test("a long match keeps few heads, the latest among them", () => {
    const keeping = new Keeping(storage());
    for (let revision = 1; revision <= 2_000; revision++) {
        keeping.head("m-1", { revision: BigInt(revision), head: `h${revision}` } as never);
    }
    const { heads } = keeping.of("m-1");

    expect(heads.length).toBeLessThan(50);
    expect(heads.length).toBeGreaterThan(15);
    expect(heads.at(-1)).toEqual([2_000, "h2000"]);
});

test("old matches are forgotten, never the latest", () => {
    const store = storage();
    const keeping = new Keeping(store);
    for (let n = 0; n < 300; n++) keeping.commitment(`m-${n}`, `c${n}`);

    expect(store.length).toBeLessThan(210);
    expect(keeping.of("m-299").commitment).toBe("c299");
});

test.each(["", "{", "null", "[]", '{"nonces":3}'])(
    "nonsense that is kept (%s) is nothing",
    (text) => {
        const store = storage();
        store.setItem("bree.kept.m-1", text);
        const keeping = new Keeping(store);
        keeping.nonce("m-1", "good", bytes("01"), "cc");

        expect(keeping.of("m-1")).toEqual({
            commitment: "cc",
            nonces: [["good", "01"]],
            heads: [],
        });
    },
);

test("a browser that keeps nothing proves less, and breaks nothing", () => {
    const full = new Keeping(storage(0));
    full.nonce("m-1", "good", bytes("01"), "cc");
    new Keeping(undefined).commitment("m-1", "cc");

    expect(full.of("m-1")).toEqual({ nonces: [], heads: [] });
});
