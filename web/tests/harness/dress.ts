/** What a bare page has of the real one: its theme and its colours. */
import "../../src/theme.css";

/** What stands in the page's address, and the theme that is asked for there. */
export function dressed(): URLSearchParams {
    const asked = new URLSearchParams(location.search);
    document.documentElement.dataset["theme"] = asked.get("theme") ?? "light";
    document.body.style.cssText = "margin: 8px; background: var(--ground); color: var(--ink)";
    return asked;
}

/** Where the page is shown. */
export const here = (): Element => document.querySelector("main") ?? document.body;
