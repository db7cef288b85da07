import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { Pace } from "$gen/bree/gateway/v1/gateway_pb";
import { MailService } from "$gen/bree/gateway/v1/mail_pb";
import { PasskeyService } from "$gen/bree/gateway/v1/passkeys_pb";
import { Opponents, TermsSchema } from "$gen/bree/gateway/v1/programs_pb";
import { ProviderService } from "$gen/bree/gateway/v1/providers_pb";
import { RecoveryService } from "$gen/bree/gateway/v1/recovery_pb";
import { TokenScope } from "$gen/bree/gateway/v1/tokens_pb";
import { addressProblem, isAboutName, isTyped, proofOf } from "../../src/pages/own/names";
import { keepAttempt, returnOf, takeAttempt } from "../../src/pages/own/provider";
import { codesText, exportName, gathered, sizeWords } from "../../src/pages/own/saving";
import { scopeOf, SCOPES, scopeWords } from "../../src/pages/own/scopes";
import { formOf, opponentsOf, opponentsWord, problemIn, termsOf } from "../../src/pages/own/terms";
import { lasts, waysOf } from "../../src/pages/own/ways";
import {
    answerOf,
    bytesOf,
    creationOf,
    passkeyWords,
    requestOf,
    textOf,
} from "../../src/pages/own/webauthn";
import { clientsOver } from "../../src/wire/clients";
import { refused } from "./wire/gateway";

class Kept {
    readonly said = new Map<string, string>();
    getItem(key: string): string | null {
        return this.said.get(key) ?? null;
    }
    setItem(key: string, value: string): void {
        this.said.set(key, value);
    }
    removeItem(key: string): void {
        this.said.delete(key);
    }
}

describe("what is typed to log in", () => {
    test("is a code of a device, a recovery code or a token, by its length and its dot", () => {
        expect(proofOf(" k7mq-2v9x ")).toEqual({ code: "k7mq2v9x" });
        expect(proofOf("P3FB-VB4Y INXM-ERAQ")).toEqual({ recoveryCode: "p3fbvb4yinxmeraq" });
        const token = "k7mq2v9x3hd4nwpe.8Jx2_aaaaaaaaaaaaaaaaaaa";
        expect(proofOf(` ${token}\n`)).toEqual({ token });
    });

    test("a name is confirmed by the same letters, whatever their size", () => {
        expect(["Rosie", " rosie "].map((typed) => isTyped(typed, "Rosie"))).toEqual([true, true]);
        expect(["", "Rosi", "Rosie-2"].map((typed) => isTyped(typed, "Rosie"))).toEqual(
            Array(3).fill(false),
        );
    });

    test("an address of mail has an at sign and a dot behind it", () => {
        expect(addressProblem(" rosie@example.org ")).toBe("");
        const wrong = [
            "",
            "rosie",
            "rosie@example",
            "ro sie@example.org",
            "a@b.c".padEnd(300, "c"),
        ];
        expect(wrong.filter((typed) => addressProblem(typed) === "")).toEqual([]);
    });

    test("that names are changed too often is said beside the name, other limits are not", () => {
        const limit = (of: string) => ({
            reason: "LIMIT_REACHED",
            message: "",
            metadata: { of },
        });
        expect(isAboutName(limit("new names in 30 days"))).toBe(true);
        expect(isAboutName(limit("tokens"))).toBe(false);
    });
});

describe("passkeys", () => {
    test("bytes are written without what an address could not carry, and read back", () => {
        const bytes = Uint8Array.from([251, 255, 190, 0, 1]);

        expect(textOf(bytes)).toBe("-_--AAE");
        expect(bytesOf(textOf(bytes))).toEqual(bytes);
    });

    test("what the platform asks has bytes where the browser wants them, and all else as it was", () => {
        const made = creationOf(
            JSON.stringify({
                challenge: "AAE",
                rp: { id: "localhost", name: "Bree" },
                user: { id: "Ag", name: "rosie", displayName: "rosie" },
                pubKeyCredParams: [{ type: "public-key", alg: -8 }],
                excludeCredentials: [{ type: "public-key", id: "Aw", transports: ["usb"] }],
                timeout: 5,
            }),
        );
        const shown = requestOf(JSON.stringify({ challenge: "AAE", rpId: "localhost" }));

        expect(made).toEqual({
            challenge: Uint8Array.from([0, 1]),
            rp: { id: "localhost", name: "Bree" },
            user: { id: Uint8Array.from([2]), name: "rosie", displayName: "rosie" },
            pubKeyCredParams: [{ type: "public-key", alg: -8 }],
            excludeCredentials: [
                { type: "public-key", id: Uint8Array.from([3]), transports: ["usb"] },
            ],
            timeout: 5,
        });
        expect(shown).toEqual({
            challenge: Uint8Array.from([0, 1]),
            rpId: "localhost",
            allowCredentials: [],
        });
    });

    test("what the browser answers is written as the platform reads it", () => {
        const buffer = (...bytes: number[]) => Uint8Array.from(bytes).buffer;
        const common = { id: "AA", rawId: buffer(0), type: "public-key" };
        const made = answerOf({
            ...common,
            authenticatorAttachment: "platform",
            response: {
                clientDataJSON: buffer(1),
                attestationObject: buffer(2),
                getTransports: () => ["internal"],
            },
        } as unknown as PublicKeyCredential);
        const shown = answerOf({
            ...common,
            authenticatorAttachment: null,
            response: {
                clientDataJSON: buffer(1),
                authenticatorData: buffer(2),
                signature: buffer(3),
                userHandle: buffer(4),
            },
        } as unknown as PublicKeyCredential);

        expect(JSON.parse(made)).toMatchObject({
            id: "AA",
            rawId: "AA",
            authenticatorAttachment: "platform",
            response: { clientDataJSON: "AQ", attestationObject: "Ag", transports: ["internal"] },
        });
        expect(JSON.parse(shown)).toMatchObject({
            response: { authenticatorData: "Ag", signature: "Aw", userHandle: "BA" },
        });
        expect(shown).not.toContain("attachment");
    });

    test("whatever goes wrong is a sentence, and nothing is said where the page itself gave up", () => {
        const names = [
            "NotAllowedError",
            "InvalidStateError",
            "SecurityError",
            "NotSupportedError",
        ];

        expect(names.map((name) => passkeyWords(name, "make")).filter(Boolean).length).toBe(4);
        expect(passkeyWords("AbortError", "show")).toBe("");
        expect(passkeyWords("NotAllowedError", "make")).not.toBe(
            passkeyWords("NotAllowedError", "show"),
        );
    });
});

describe("who comes back from a provider", () => {
    const attempt = { purpose: "link", state: "st", binding: "bi" } as const;
    const query = (text: string) => new URLSearchParams(text);

    test("proves what was begun in this tab, with the binding that never left it", () => {
        const store = new Kept();
        keepAttempt(store, attempt);
        const found = returnOf(query("code=co&state=st&iss=https://i.example"), takeAttempt(store));

        expect(found).toEqual({
            at: "there",
            purpose: "link",
            proof: { state: "st", code: "co", binding: "bi", issuer: "https://i.example" },
        });
        expect(store.said.size).toBe(0);
    });

    test("proves nothing with another state, or where nothing was begun, or a second time", () => {
        const store = new Kept();
        keepAttempt(store, attempt);
        const first = returnOf(query("code=co&state=other"), takeAttempt(store));
        const second = returnOf(query("code=co&state=st"), takeAttempt(store));

        expect([first.at, second.at]).toEqual(["refused", "refused"]);
    });

    test("is told when it was given up there, and an ordinary visit is none", () => {
        expect(returnOf(query("error=access_denied&state=st"), attempt)).toMatchObject({
            at: "refused",
            purpose: "link",
            text: "It was given up there. Nothing has changed here.",
        });
        expect(returnOf(query(""), attempt).at).toBe("none");
        expect(returnOf(query("state=st"), attempt).at).toBe("none");
    });

    test("what was kept is nothing if it cannot be read", () => {
        const store = new Kept();
        for (const text of ["", "{", "null", '{"state":"st"}', "7"]) {
            store.setItem("bree.provider", text);
            expect(takeAttempt(store)).toBe(undefined);
        }
    });
});

describe("the ways in of an account", () => {
    const none = (): never => {
        throw new ConnectError("no such method", Code.Unimplemented);
    };
    const unconfigured = (): never => {
        throw refused("NOT_ALLOWED", Code.PermissionDenied, { needs: "BREE_PUBLIC_URL" });
    };

    test("are those that the host has configured, and no others", async () => {
        const transport = createRouterTransport(({ service }) => {
            service(PasskeyService, { listPasskeys: unconfigured });
            service(RecoveryService, { countRecoveryCodes: () => ({ codes: 3 }) });
            service(ProviderService, {
                getProvider: () => ({ name: "", issuer: "" }),
                listIdentities: () => ({ identities: [] }),
            });
            service(MailService, { getAddress: () => ({ address: "", offered: false }) });
        });
        const ways = await waysOf(clientsOver(transport));

        expect(ways).toEqual({ codes: { left: 3 }, identities: [] });
        expect(lasts(ways)).toBe(true);
    });

    test("are none where a gateway knows of none", async () => {
        const transport = createRouterTransport(({ service }) => {
            service(PasskeyService, { listPasskeys: none });
        });
        const ways = await waysOf(clientsOver(transport));

        expect(ways).toEqual({ codes: { left: 0 }, identities: [] });
        expect(lasts(ways)).toBe(false);
    });

    test("are not taken for none when the platform is away", async () => {
        const transport = createRouterTransport(({ service }) => {
            service(PasskeyService, {
                listPasskeys: () => {
                    throw refused("UNAVAILABLE");
                },
            });
        });

        await expect(waysOf(clientsOver(transport))).rejects.toThrow("UNAVAILABLE");
    });

    test("last where one of them is not lost with a browser", () => {
        const bare = { codes: { left: 0 }, identities: [] };
        const identity = { issuer: "https://i.example", subject: "s" } as never;
        const provider = { name: "I", issuer: "https://i.example" };

        expect(lasts(bare)).toBe(false);
        expect(lasts({ ...bare, passkeys: [], mail: "" })).toBe(false);
        expect(lasts({ ...bare, passkeys: [{} as never] })).toBe(true);
        expect(lasts({ ...bare, mail: "rosie@example.org" })).toBe(true);
        expect(lasts({ ...bare, provider, identities: [identity] })).toBe(true);
        // At a provider that the host has no more, nobody logs in.
        expect(lasts({ ...bare, identities: [identity] })).toBe(false);
    });
});

describe("the terms of a bot", () => {
    test("come from the form as they went into it", () => {
        const terms = create(TermsSchema, {
            games: ["duel"],
            paces: [Pace.LIVE],
            opponents: Opponents.PEOPLE,
            mostMatches: 4,
            mostBotMatches: 0,
        });

        expect(create(TermsSchema, termsOf(formOf(terms)))).toEqual(terms);
        expect(create(TermsSchema, termsOf(formOf(undefined)))).toEqual(create(TermsSchema));
    });

    test("have figures within their limits, or none", () => {
        const form = formOf(undefined);
        const wrong = (most: string, withBots: string) =>
            Object.keys(problemIn({ ...form, most, withBots }));

        expect([wrong("", ""), wrong("1", "0"), wrong("50", "100")]).toEqual([[], [], []]);
        expect(wrong("0", "101")).toEqual(["most", "withBots"]);
        expect(wrong("many", "-1")).toEqual(["most", "withBots"]);
    });

    test("name opponents and scopes there and back", () => {
        for (const one of [Opponents.UNSPECIFIED, Opponents.PEOPLE, Opponents.BOTS]) {
            expect(opponentsOf(opponentsWord(one))).toBe(one);
        }
        expect(SCOPES.map(({ value }) => scopeOf(value))).toEqual([
            TokenScope.PLAY,
            TokenScope.BOT,
            TokenScope.READ,
        ]);
        expect(SCOPES.map(({ scope }) => scopeWords(scope)).filter(Boolean).length).toBe(3);
        expect(scopeWords(TokenScope.UNSPECIFIED)).toBe("");
    });
});

describe("files", () => {
    test("a stream becomes one file, and each piece is told of", async () => {
        // eslint-disable-next-line @typescript-eslint/require-await
        async function* pieces() {
            yield { data: Uint8Array.from([1, 2]) };
            yield { data: Uint8Array.from([3]) };
        }
        const came: number[] = [];
        const file = await gathered(pieces(), (bytes) => came.push(bytes));

        expect(came).toEqual([2, 3]);
        expect(new Uint8Array(await file.arrayBuffer())).toEqual(Uint8Array.from([1, 2, 3]));
    });

    test("sizes, names and codes are as people read them", () => {
        expect([0, 999, 1_300, 42_000, 7_000_000].map(sizeWords)).toEqual([
            "0 bytes",
            "999 bytes",
            "1.3 kB",
            "42 kB",
            "7.0 MB",
        ]);
        const now = new Date("2026-11-20T12:00:00Z");
        expect(exportName("rosie", now)).toBe("bree-rosie-2026-11-20.tar.gz");
        const text = codesText(["AAAA-BBBB-CCCC-DDDD"], { account: "rosie", host: "b.org", now });
        expect(text).toContain("Recovery codes of rosie at b.org, made on 2026-11-20.");
        expect(text).toContain("\nAAAA-BBBB-CCCC-DDDD\n");
    });
});
