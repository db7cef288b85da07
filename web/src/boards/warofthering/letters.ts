/** How much room words need, reckoned as for a wide face. */
import { writing } from "../../parts/letters";
import { widthOf as ems } from "../../parts/map/names";

const BOLD = 1.12;

export const widthOf = (text: string, size: number, bold = false): number =>
    ems(text) * size * (bold ? BOLD : 1);

export const { broken, cut } = writing(widthOf);
