/** Title and favicon say that it is my turn, for whoever looks at another tab. */

const quiet = "/favicon.svg";
const asked = "/favicon-turn.svg";

/** Marks the page until it is called again, or what it gives back is called. */
export function markTurn(title: string, isMine: boolean): () => void {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const before = document.title;
    document.title = isMine ? `● Your turn: ${title}` : title;
    icon?.setAttribute("href", isMine ? asked : quiet);
    return () => {
        document.title = before;
        icon?.setAttribute("href", quiet);
    };
}
