/** How much room words need, reckoned as for a wide face. */
import { writing } from "../../parts/letters";

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

export const { broken, cut } = writing(widthOf);
