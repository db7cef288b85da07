/** Words on a drawing. An SVG breaks no lines: how wide words are is reckoned, and they are broken here.
 *
 * A board reckons with the widths of the face that it draws in; what is made of them is the same for all.
 */

/** How wide a text is at most, in letters of this size. */
export type Measure = (text: string, size: number, bold?: boolean) => number;

export interface Writing {
    /** Text in lines no wider than `width`; what is beyond `most` lines ends in an ellipsis. */
    broken: (text: string, size: number, width: number, most?: number) => string[];

    /** A text that fits: its end is left out if it must be. */
    cut: (text: string, size: number, width: number, bold?: boolean) => string;
}

export function writing(measure: Measure): Writing {
    const cut = (text: string, size: number, width: number, bold = false): string => {
        if (measure(text, size, bold) <= width) return text;
        const letters = Array.from(text.replace(/…$/, ""));
        const shortened = (): string => `${letters.join("").trimEnd()}…`;
        while (letters.length > 1 && measure(shortened(), size, bold) > width) letters.pop();
        return shortened();
    };
    const broken = (text: string, size: number, width: number, most = Infinity): string[] => {
        const lines = linesOf(text, (line) => measure(line, size) <= width);
        const whole = lines.length <= most ? lines : lines.slice(0, most - 1);
        const shown = whole.map((line) => cut(line, size, width));
        return lines.length <= most ? shown : [...shown, cut(`${lines[most - 1]}…`, size, width)];
    };
    return { broken, cut };
}

/** As many words in a line as fit; a word that does not fit by itself has a line of its own. */
function linesOf(text: string, fits: (line: string) => boolean): string[] {
    const lines: string[] = [];
    let line = "";
    for (const word of text.split(" ")) {
        const longer = line ? `${line} ${word}` : word;
        if (line && !fits(longer)) {
            lines.push(line);
            line = word;
        } else {
            line = longer;
        }
    }
    return [...lines, line];
}
