/** Words broken into lines: an SVG breaks none, so their widths are reckoned, as for a wide face. */
import { widthOf as ems } from "../../parts/map/names";

const BOLD = 1.12;

export const widthOf = (text: string, size: number, bold = false): number =>
    ems(text) * size * (bold ? BOLD : 1);

/** Text in lines no wider than `width`. */
export function broken(text: string, size: number, width: number): string[] {
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
    return lines.map((one) => cut(one, size, width));
}

/** A text that fits: its end is left out if it must be. */
export function cut(text: string, size: number, width: number, bold = false): string {
    if (widthOf(text, size, bold) <= width) return text;
    const letters = Array.from(text);
    while (letters.length > 1 && widthOf(`${letters.join("")}…`, size, bold) > width) letters.pop();
    return `${letters.join("").trimEnd()}…`;
}
