/** `drawn` for those who wait: what is refused is refused by a promise. */
import { drawn, type PictureOf } from "./drawing";

export { type PictureOf, Refused } from "./drawing";

/** A position as the text of an SVG file. */
export function picture(of: PictureOf): Promise<string> {
    return Promise.resolve().then(() => drawn(of));
}
