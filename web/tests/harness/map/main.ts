/** Shows the maps with a piece on every place, for whoever draws them: never part of the page.
 *
 *     scripts/node npx vite        # then /tests/harness/map/?game=warofthering&pieces=all&theme=dark
 */
import { mount } from "svelte";
import { dressed, here } from "../dress";
import Harness from "./Harness.svelte";

const asked = dressed();
mount(Harness, {
    target: here(),
    props: {
        game: asked.get("game") ?? "warofthering",
        pieces: asked.get("pieces") ?? "none",
        start: asked.get("start") ?? "",
        paints: asked.has("paint"),
        pulls: asked.get("pull") ?? "",
        lit: (asked.get("lit") ?? "").split(",").filter(Boolean),
    },
});
