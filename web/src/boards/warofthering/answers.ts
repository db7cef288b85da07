/** What is done with all of something, or with none of it: boxes that stand for what is done and not with what. */
import { doing } from "../../parts/touching";
import type { Block, Chip } from "./blocks";
import type { Claims } from "./claims";

/** By verb what people call it; in this order they stand. */
export type Answers = Readonly<Record<string, string>>;

/** A row of those that are asked about now; none if none is. */
export function answerBlocks(where: string, answers: Answers, claims: Claims): Block[] {
    const chips = Object.entries(answers).flatMap(([verb, title]): Chip[] => {
        const noun = claims.takeMeant(doing(verb));
        if (!noun) return [];
        return [
            { key: `${where}.${noun}`, noun, label: title, bits: [{ text: title }], look: "deed" },
        ];
    });
    return chips.length ? [{ kind: "chips", chips }] : [];
}
