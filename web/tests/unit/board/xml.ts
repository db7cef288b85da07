/** Whether a text is well-formed XML, as strictly as whoever shows a picture is. */
const NAME = "[A-Za-z_:][\\w:.-]*";
const ATTRIBUTE = `\\s+${NAME}="(?:[^<&"]|&(?:amp|lt|gt|quot|apos|#\\d+|#x[0-9a-f]+);)*"`;
const PIECE = new RegExp(
    `<!--(?:(?!--)[^])*-->|<(${NAME})((?:${ATTRIBUTE})*)\\s*(/?)>|</(${NAME})\\s*>|((?:[^<&]|&(?:amp|lt|gt|quot|apos|#\\d+|#x[0-9a-f]+);)+)`,
    "y",
);

/** The names of its elements, each as often as it occurs; throws where it is not well-formed. */
export function elements(xml: string): string[] {
    const open: string[] = [];
    const found: string[] = [];
    let roots = 0;
    PIECE.lastIndex = 0;
    while (PIECE.lastIndex < xml.length) {
        const start = PIECE.lastIndex;
        const piece = PIECE.exec(xml);
        if (!piece) throw new Error(`not XML: ${xml.slice(start, start + 80)}`);
        const [, begun, attributes = "", closed, ended, text] = piece;
        if (begun) {
            const names = [...attributes.matchAll(/\s([\w:.-]+)=/g)].map(([, name]) => name);
            if (new Set(names).size < names.length)
                throw new Error(`an attribute twice: ${piece[0]}`);
            if (!open.length) roots += 1;
            found.push(begun);
            if (!closed) open.push(begun);
        } else if (ended) {
            if (open.pop() !== ended) throw new Error(`${ended} ends where it has not begun`);
        } else if (text?.trim() && !open.length) {
            throw new Error("text outside of the root");
        }
    }
    if (open.length || roots !== 1)
        throw new Error(`${open.join(", ")} does not end; ${roots} roots`);
    return found;
}
