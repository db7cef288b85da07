/** Where one is in the page: the History API, links that are real, and where each page was scrolled.
 *
 * Design. The address is all the state there is: a link that is copied shows the same. A change of
 * the query alone, such as a filter, leaves the page, its focus and its scrolling as they are.
 */
import { randomId } from "./chance";
import { filtered, placeOf, type Place } from "./places";
import { Scrolling } from "./scrolling";

/** How one came to a place: what is to be scrolled and focused hangs on it. */
export type Coming = "first" | "link" | "back" | "filter";

export class Router {
    /** Where one is. */
    place: Place = $state.raw(placeOf(location.href));
    coming: Coming = $state.raw("first");

    /** Counts the arrivals at another page or another part of it. */
    arrivals = $state.raw(0);

    readonly #scrolling = new Scrolling();

    /** Listens to links and to the browser's own buttons, until what it returns is called. */
    listen(): () => void {
        const back = (): void => {
            this.#arrive("back");
        };
        const clicked = (event: MouseEvent): void => {
            const href = innerLink(event);
            if (!href) return;
            event.preventDefault();
            this.go(href);
        };
        addEventListener("popstate", back);
        document.addEventListener("click", clicked);
        const unlisten = this.#scrolling.listen();
        return () => {
            removeEventListener("popstate", back);
            document.removeEventListener("click", clicked);
            unlisten();
        };
    }

    go(href: string): void {
        this.#scrolling.leave();
        // The same again is no step in the history.
        if (innerHref(href) === innerHref(location.href))
            history.replaceState(history.state, "", href);
        else history.pushState({ key: randomId() }, "", href);
        this.#arrive("link");
    }

    /** Goes elsewhere without a way back: the place where one is was only on the way. */
    replace(href: string): void {
        history.replaceState(history.state, "", href);
        this.#arrive("link");
    }

    /** Changes the query of this page; what is empty goes. */
    filter(change: Readonly<Record<string, string>>): void {
        history.replaceState(history.state, "", filtered(location.href, change));
        this.place = placeOf(location.href);
        this.coming = "filter";
    }

    /** Scrolls to where one was, or to what the address names; called when the page is drawn. */
    settle(coming: Coming): void {
        this.#scrolling.release();
        if (coming === "back" || coming === "first") {
            if (this.#scrolling.restore()) return;
        }
        if (this.place.hash) this.#scrolling.seek(this.place.hash);
        else if (coming === "link") scrollTo(0, 0);
    }

    #arrive(coming: Coming): void {
        this.#scrolling.hold();
        this.place = placeOf(location.href);
        this.coming = coming;
        this.arrivals += 1;
    }
}

/** An address without its origin. */
function innerHref(href: string): string {
    return href.startsWith(location.origin) ? href.slice(location.origin.length) : href;
}

/** The address of a link to another of our pages, if the click is for us to follow. */
export function innerLink(event: MouseEvent): string | undefined {
    if (event.defaultPrevented || event.button !== 0) return undefined;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement)) return undefined;
    if ((link.target && link.target !== "_self") || link.hasAttribute("download")) return undefined;
    return link.origin === location.origin ? link.href : undefined;
}
