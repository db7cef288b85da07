/** How much room words need. An SVG breaks no lines, so widths are reckoned, as for a wide face. */
const NARROW = /[ijlftI.,:;'’!|()[\]/-]/;
const WIDE = /[mwMWOQGD—%@]/;

/** Nobody's letters are wider than DejaVu's; most are narrower. */
export function widthOf(text: string, size: number, bold = false): number {
    let ems = 0;
    for (const letter of text) {
        if (letter === " ") ems += 0.32;
        else if (NARROW.test(letter)) ems += 0.38;
        else if (WIDE.test(letter)) ems += 0.88;
        else if (letter >= "A" && letter <= "Z") ems += 0.7;
        else ems += 0.62;
    }
    return ems * size * (bold ? 1.1 : 1);
}

/** Text broken into lines no wider than `width`; what is beyond `most` lines ends in an ellipsis. */
export function broken(text: string, size: number, width: number, most = 9): string[] {
    const lines: string[] = [];
    let line = "";
    for (const word of text.split(" ")) {
        const longer = line ? `${line} ${word}` : word;
        if (line && widthOf(longer, size) > width) {
            lines.push(line);
            line = word;
        } else {
            line = longer;
        }
    }
    lines.push(line);
    if (lines.length <= most) return lines.map((text) => cut(text, size, width));
    return [...lines.slice(0, most - 1), cut(`${lines[most - 1] ?? ""}…`, size, width)];
}

/** A word that fits: its end is left out if it must be. */
export function cut(text: string, size: number, width: number): string {
    if (widthOf(text, size) <= width) return text;
    const letters = Array.from(text.replace(/…$/, ""));
    while (letters.length > 1 && widthOf(`${letters.join("")}…`, size) > width) letters.pop();
    return `${letters.join("").trimEnd()}…`;
}
