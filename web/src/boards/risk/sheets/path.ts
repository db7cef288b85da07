/** The panel of the Fellowship: its way, step by step, with the die spaces. */
import { type Item, paragraph, type Sheet, type ThingItem } from "../items";
import type { StagePoint } from "../path";

const PLACE = 26;

const DIE = 24;

/** The die that fell last, and what it was for. */
export interface Rolled {
    die: number;
    nth: number;
    line: string;
}

export function pathSheet(
    all: readonly StagePoint[],
    lines: readonly string[],
    rolled: Rolled | undefined,
    width: number,
): Sheet {
    const rows = Math.ceil((all.length * (PLACE + 3)) / width);
    const inRow = Math.ceil(all.length / rows);
    const column = width / inRow;
    const items: Item[] = all.map((stage, at) =>
        stageAt(
            stage,
            (at % inRow) * column + (column - PLACE) / 2,
            Math.floor(at / inRow) * (PLACE + 8),
        ),
    );
    let y = Math.ceil(all.length / inRow) * (PLACE + 8) + 2;
    lines.forEach((line, at) => {
        const said = paragraph(`line.${at}`, line, { x: 2, y, width });
        items.push(...said.items);
        y = said.bottom + 1;
    });
    if (rolled) {
        const { die, nth, line } = rolled;
        const place = { x: DIE + 12, y: y + 5, width: width - DIE - 12 };
        const said = paragraph("rolled", line, place);
        items.push(...said.items, {
            kind: "die",
            key: `die.${nth}`,
            x: 2,
            y: y + 3,
            face: die,
            size: DIE,
            lost: false,
            nth: 0,
        });
        y = Math.max(said.bottom, y + DIE + 6);
    }
    return { items, height: y + 3 };
}

function stageAt(stage: StagePoint, x: number, y: number): ThingItem {
    const middle = PLACE / 2;
    const inner: Item[] = [
        {
            kind: "box",
            key: "box",
            x: 1,
            y: 1,
            w: PLACE - 2,
            h: PLACE - 2,
            r: stage.die ? 5 : middle,
            look: "stage",
        },
    ];
    if (stage.state === "here")
        inner.push({ kind: "icon", key: "ring", icon: "ring", x: 3, y: 3, size: 20, look: "gold" });
    else if (stage.die)
        inner.push({ kind: "icon", key: "die", icon: "die", x: 6, y: 6, size: 14, look: "faint" });
    else
        inner.push({
            kind: "text",
            key: "step",
            x: middle,
            y: middle,
            text: String(stage.step),
            size: 11,
            anchor: "middle",
            look: "faint",
        });
    const here = stage.state === "here" ? ", the Ring is here" : "";
    return {
        kind: "thing",
        key: `step.${stage.step}`,
        nouns: [],
        label: `${stage.about.title}${stage.die ? ", with a die" : ""}${here}`,
        about: stage.about,
        x,
        y,
        w: PLACE,
        h: PLACE,
        look: stage.state,
        items: inner,
    };
}
