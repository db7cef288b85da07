/** Title and favicon say that it is my turn, for whoever looks at another tab. */
import quiet from "../frame/favicon.svg";
import asked from "../frame/favicon-turn.svg";

/** Marks the page until it is called again, or unmarked. */
export function markTurn(title: string, isMine: boolean): void {
    mark(isMine ? `● Your turn: ${title}` : title, isMine ? asked : quiet);
}

/** The page says again what it said before. */
export function unmarkTurn(title: string): void {
    mark(title, quiet);
}

function mark(title: string, picture: string): void {
    document.title = title;
    document.querySelector('link[rel="icon"]')?.setAttribute("href", picture);
}
