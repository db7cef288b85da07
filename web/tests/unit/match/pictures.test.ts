/** Where pictures are, and what is told of one that there is not. */
import { afterEach, expect, test, vi } from "vitest";
import { pictureAt, pictureOf } from "../../../src/match/pictures";

afterEach(() => {
    vi.unstubAllGlobals();
});

test("an address says no more than what is not usual", () => {
    const match = "c-7f3k2m9pqa";

    expect(pictureAt({ match, form: "picture.png" })).toBe(`/m/${match}/picture.png`);
    expect(pictureAt({ match, form: "picture.svg", at: 12n, seat: "good", isDark: true })).toBe(
        `/m/${match}/picture.svg?at=12&seat=good&theme=dark`,
    );
    expect(pictureAt({ match: "a/b?c", form: "replay.svg", seat: "" })).toBe(
        "/m/a%2Fb%3Fc/replay.svg",
    );
});

test("a seat's own picture is asked for as only this page can", async () => {
    const asked = vi.fn(() => Promise.resolve(new Response("<svg/>")));
    vi.stubGlobal("fetch", asked);
    const { file, name } = await pictureOf({
        match: "c-1",
        form: "picture.svg",
        at: 7n,
        seat: "good",
    });

    expect(asked).toHaveBeenCalledWith("/m/c-1/picture.svg?at=7&seat=good", {
        headers: { "connect-protocol-version": "1" },
    });
    expect(name).toBe("c-1-good-7.svg");
    expect(await file.text()).toBe("<svg/>");
});

test.each([
    [JSON.stringify({ message: "the drawings are not built" }), "the drawings are not built"],
    ["no JSON", "Not Implemented"],
    ["{}", "Not Implemented"],
])("why there is none is told in the gateway's words: %s", async (body, why) => {
    const answer = new Response(body, { status: 501, statusText: "Not Implemented" });
    vi.stubGlobal("fetch", () => Promise.resolve(answer));

    await expect(pictureOf({ match: "c-1", form: "picture.svg", seat: "good" })).rejects.toThrow(
        why,
    );
});
