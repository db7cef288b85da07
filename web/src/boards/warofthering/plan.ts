/** Which panels there are, and in which column each stands. */
import { askedPanels } from "./asked";
import { battlePanels, type SeenBattle } from "./battle";
import { laidOut, type Panel } from "./blocks";
import { discardsPanel, handPanels, pilesPanel } from "./cards";
import { Claims } from "./claims";
import type { Board } from "./facts";
import { deedsPanel, dicePanels, turnPanel } from "./table";
import { fellowshipPanel, huntPanel, politicsPanel } from "./tracks";
import { LEGEND } from "./legend";
import { charactersPanel, unitsPanel } from "./units";

export interface Marked {
    lit: ReadonlySet<string>;
    picked: ReadonlySet<string>;
}
const NOTHING: Marked = { lit: new Set(), picked: new Set() };

/** All panels, the most pressing first: in this order they claim their nouns. */
export function panelsOf(
    view: Board,
    seen?: SeenBattle,
    { lit, picked }: Marked = NOTHING,
): Panel[] {
    const claims = new Claims();
    const asked = askedPanels(view, claims);
    const battle = battlePanels(view, seen, claims);
    const [mine, theirs] = dicePanels(view, claims);
    const deeds = deedsPanel(lit, picked, claims);
    return [
        ...asked,
        ...battle,
        turnPanel(view),
        ...(mine ? [{ ...mine, isAsked: deeds.length > 0 }] : []),
        ...deeds,
        ...(theirs ? [theirs] : []),
        fellowshipPanel(view, claims),
        ...handPanels(view, claims),
        huntPanel(view),
        politicsPanel(view, claims),
        pilesPanel(view, claims),
        charactersPanel(view, claims),
        unitsPanel(view, claims),
        ...discardsPanel(view, claims),
        LEGEND,
    ];
}

/** Beside the map these stand, where there is room for it. */
const BESIDE = /^(damage|losses|picked|stacking|battle|turn|deeds|dice\..*|fellowship)$/;

export interface Columns {
    /** Above the map; beside it, where there is room. */
    first: Panel[];
    /** Below it, column by column. */
    below: Panel[][];
    mapWidth: number;
    firstWidth: number;
    belowWidth: number;
}

export const WIDE = 1000;
const MIDDLING = 620;
export const GAP = 12;
export const PAD = 10;
export const TITLE = 26;
const SIDE = 352;
/** As wide as a column below the map is at least. */
const COLUMN = 300;
/** The map's height for its width, and what stands over it. */
const MAP = { tall: 0.8, buttons: 46 };

export const heightOf = (panel: Panel, width: number): number =>
    panel.folds === "always"
        ? TITLE + 2 * PAD
        : laidOut(panel, width - 2 * PAD).height + TITLE + 2 * PAD;

export function columnsOf(panels: readonly Panel[], width: number): Columns {
    const isWide = width >= WIDE;
    const mapWidth = isWide ? width - SIDE - GAP : width;
    const count = width < MIDDLING ? 1 : Math.max(2, Math.floor((mapWidth + GAP) / (COLUMN + GAP)));
    const belowWidth = (mapWidth + GAP) / count - GAP;
    const firstWidth = isWide ? SIDE : width;
    const isFirst = ({ key, isAsked }: Panel): boolean =>
        isWide ? BESIDE.test(key) : isAsked === true;
    const first = panels.filter(isFirst);
    const below: Panel[][] = Array.from({ length: count }, () => []);
    const ends = below.map(() => mapWidth * MAP.tall + MAP.buttons);
    let beside = isWide ? endOf(first, firstWidth) : Infinity;
    for (const panel of panels) {
        if (isFirst(panel)) continue;
        const least = ends.indexOf(Math.min(...ends));
        if (beside < (ends[least] ?? 0)) {
            first.push(panel);
            beside += heightOf(panel, firstWidth) + GAP;
            continue;
        }
        below[least]?.push(panel);
        ends[least] = (ends[least] ?? 0) + heightOf(panel, belowWidth) + GAP;
    }
    return { first, below, mapWidth, firstWidth, belowWidth };
}

const endOf = (panels: readonly Panel[], width: number): number =>
    panels.reduce((end, panel) => end + heightOf(panel, width) + GAP, 0);
