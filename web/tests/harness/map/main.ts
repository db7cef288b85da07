/** Shows the maps with a piece on every place, for whoever draws them: never part of the page.
 *
 *     scripts/node npx vite        # then /tests/harness/map/?game=warofthering&pieces=all&theme=dark
 */
import { mount } from "svelte";
import "../../../src/theme.css";
import Harness from "./Harness.svelte";

const asked = new URLSearchParams(location.search);
document.documentElement.dataset["theme"] = asked.get("theme") ?? "light";
document.body.style.cssText = "margin: 8px; background: var(--ground); color: var(--ink)";
mount(Harness, {
    target: document.querySelector("#here") ?? document.body,
    props: {
        game: asked.get("game") ?? "warofthering",
        pieces: asked.get("pieces") ?? "none",
        start: asked.get("start") ?? "",
        paints: asked.has("paint"),
        pulls: asked.get("pull") ?? "",
        lit: (asked.get("lit") ?? "").split(",").filter(Boolean),
    },
});
