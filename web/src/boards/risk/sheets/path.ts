/** The panel of the Fellowship: its way, step by step, with the die spaces. */
import { type Item, paragraph, type Sheet, type ThingItem } from "../items";
import type { StagePoint } from "../path";

const PLACE = 26;

export function pathSheet(
    all: readonly StagePoint[],
    lines: readonly string[],
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
