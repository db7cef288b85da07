/** How wide words are, and how they are broken: a drawing has nobody who does it for it.
 *
 * Design. Widths are those of the widest letters that the page may be shown in, in hundredths of
 * their height. So words in other letters need less room than they get, and never more.
 */

const BY_WIDTH: readonly (readonly [number, string])[] = [
    [32, " \u00a0,.IJijl'’‘"],
    [36, "-/:;|"],
    [40, "!()[]frt"],
    [52, "sczL?*“”"],
    [61, "FPTYaekovxyê"],
    [65, "0123456789EKSbdghnpquûéúíëó–"],
    [70, "ABCRVXZ"],
    [79, "DGHNUOQ&w"],
    [86, "M+<=>~"],
    [98, "mW@%—"],
];
const WIDTHS = new Map(
    BY_WIDTH.flatMap(([width, all]) => Array.from(all, (one) => [one, width] as const)),
);
const BOLD = 1.12;

export interface Lettering {
    size: number;
    bold?: boolean;
}

/** How wide a text is at most. */
export function widthOf(text: string, { size, bold }: Lettering): number {
    let sum = 0;
    for (const letter of text) sum += WIDTHS.get(letter) ?? 70;
    return (sum / 100) * size * (bold ? BOLD : 1);
}

/** A text in as many lines as it needs; a word that is too long stands alone. */
export function broken(text: string, width: number, lettering: Lettering): string[] {
    const lines: string[] = [];
    for (const word of text.split(" ")) {
        const last = lines.at(-1);
        const longer = last === undefined ? word : `${last} ${word}`;
        if (last !== undefined && widthOf(longer, lettering) <= width)
            lines[lines.length - 1] = longer;
        else lines.push(word);
    }
    return lines;
}

export interface Fitted {
    lines: string[];
    size: number;
    /** The widest line is squeezed into so much, if it is too wide as it is. */
    squeezed?: number;
}

/** Where a word may be broken, with a hyphen then. */
export const SOFT = "\u00ad";

/** A name in one or two lines of letters of this size, squeezed if there is no room otherwise. */
export function fitted(name: string, width: number, size: number, bold = false, rows = 2): Fitted {
    const lettering = { size, bold };
    const text = name.replaceAll(SOFT, "");
    if (widthOf(text, lettering) <= width) return { lines: [text], size };
    const parts = rows > 1 ? halves(name, lettering) : [text];
    return widest(parts, lettering) <= width
        ? { lines: parts, size }
        : { lines: parts, size, squeezed: width };
}

const widest = (parts: readonly string[], lettering: Lettering): number =>
    Math.max(...parts.map((part) => widthOf(part, lettering)));

/** The two halves of a name that are most alike, broken at a space or after a hyphen. */
function halves(name: string, lettering: Lettering): string[] {
    const cuts = [...name.matchAll(new RegExp(` |-|${SOFT}`, "g"))];
    const ways = cuts.map(({ 0: mark, index }) => {
        const before = name.slice(0, index) + (mark === " " ? "" : "-");
        return [before, name.slice(index + 1)];
    });
    return ways.sort((a, b) => widest(a, lettering) - widest(b, lettering))[0] ?? [name];
}
