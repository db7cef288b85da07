import { describe, expect, test } from "vitest";
import { filtered, placeOf, to } from "../../src/frame/places";

const at = (path: string) => placeOf(`https://bree.example${path}`);

describe("addresses", () => {
    test.each([
        [to.home, "home", {}],
        [to.play(), "play", {}],
        [to.play("duel"), "play", { game: "duel" }],
        [to.lobby({ game: "duel", state: "" }), "lobby", {}],
        [to.open("risk"), "new", { game: "risk" }],
        [to.match("c-7f3k", { seat: "dark", at: 12 }), "match", { match: "c-7f3k" }],
        [to.history, "history", {}],
        [to.player("bot:novice"), "player", { name: "bot:novice" }],
        [to.ranks("duel"), "ranks", { game: "duel" }],
        [to.settings, "settings", {}],
        [to.account("recovery"), "account", {}],
        [to.rules("duel", "d4"), "rules", { game: "duel" }],
        [to.about, "about", {}],
        [to.fairness, "fairness", {}],
        [to.verify("c-7f3k"), "verify", {}],
        [to.login, "login", {}],
    ])("%s is the page %s", (path, page, params) => {
        expect(at(path)).toMatchObject({ page, params });
    });

    test("what a link says besides is read again", () => {
        const place = at(to.match("c-7f3k", { seat: "free_peoples", at: 12 }));

        expect([place.query.get("seat"), place.query.get("at")]).toEqual(["free_peoples", "12"]);
        expect(at(to.rules("risk", "61-how-an-invasion-goes")).hash).toBe(
            "61-how-an-invasion-goes",
        );
    });

    test("what is not said is not in a link", () => {
        expect(to.lobby({ game: "", state: undefined })).toBe("/lobby");
        expect(to.match("c-1", {})).toBe("/m/c-1");
    });

    test.each(["👑".repeat(12), "a/b?c#d", "<script>", "\u202Egnihton", "100%"])(
        "a name that is %s comes back as it was",
        (name) => {
            expect(at(to.player(name)).params["name"]).toBe(name);
        },
    );

    test.each(["/nowhere", "/m", "/m/a/b", "/player/", "/m/%E0%A4%A", "/LOBBY"])(
        "%s is no page of ours",
        (path) => {
            expect(at(path).page).toBe("unknown");
        },
    );

    test("a part that cannot be read breaks nothing", () => {
        expect(at("/rules/duel#%E0%A4%A").hash).toBe("");
    });

    test("a filter changes what it names, and leaves the rest", () => {
        const href = "https://bree.example/lobby?game=duel&x=1#there";

        expect(filtered(href, { game: "", state: "open" })).toBe(
            "https://bree.example/lobby?x=1&state=open#there",
        );
    });

    test("a slash at the end is no matter", () => {
        expect(at("/lobby/").page).toBe("lobby");
    });

    test("another page is built for other parameters, and not for another query", () => {
        expect(at("/m/a").key).not.toBe(at("/m/b").key);
        expect(at("/lobby?game=duel").key).toBe(at("/lobby?game=risk").key);
    });
});
