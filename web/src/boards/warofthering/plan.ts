/** Which panels there are, and in which column each stands. */
import { askedPanels } from "./asked";
import { battlePanels } from "./battle";
import { laidOut, nounsIn, type Panel } from "./blocks";
import { discardsPanel, handPanels, pilesPanel } from "./cards";
import { Claims, type Marked } from "./claims";
import type { Board } from "./facts";
import { huntedPanel, huntPanel } from "./hunt";
import { LEGEND } from "./legend";
import { deedsPanel, dicePanels, turnPanel } from "./table";
import { NO_TALE, type Tale } from "./told";
import { fellowshipPanel, politicsPanel } from "./tracks";
import { charactersPanel, unitsPanel } from "./units";

/** All panels, the most pressing first: in this order they claim their nouns. */
export function panelsOf(view: Board, tale: Tale = NO_TALE, marked?: Marked): Panel[] {
    const claims = new Claims(marked);
    const asked = askedPanels(view, claims);
    const hunted = huntedPanel(view, tale, claims);
    const battle = battlePanels(view, tale, claims);
    const [mine, theirs] = dicePanels(view, claims, tale);
    const deeds = deedsPanel(claims);
    const all = [
        ...asked,
        ...hunted,
        ...battle,
        turnPanel(view, tale),
        ...(mine ? [mine] : []),
        ...deeds,
        ...(theirs ? [theirs] : []),
        fellowshipPanel(view, claims),
        ...handPanels(view, claims, tale),
        huntPanel(view, tale),
        politicsPanel(view, claims),
        pilesPanel(view, claims),
        charactersPanel(view, claims),
        unitsPanel(view, claims),
        ...discardsPanel(view, claims),
        LEGEND,
    ];
    // Where somebody is asked to touch, it stands first where there is little room.
    return all.map((panel) =>
        nounsIn(panel).some((noun) => claims.isMeant(noun)) ? { ...panel, isAsked: true } : panel,
    );
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
    /** How far down all reaches that nobody is asked about: that comes and goes. */
    height: number;
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

/** Where a panel stands that nobody is asked about: beside the map, or in which column below it. */
type Homes = Map<string, number>;
const NEXT_TO_MAP = -1;

export const columnsOf = (panels: readonly Panel[], width: number): Columns =>
    placed(panels, width, new Map());

/** Each panel in its home; what has none finds one. */
function placed(panels: readonly Panel[], width: number, homes: Homes): Columns {
    const isWide = width >= WIDE;
    const mapWidth = isWide ? width - SIDE - GAP : width;
    const count = width < MIDDLING ? 1 : Math.max(2, Math.floor((mapWidth + GAP) / (COLUMN + GAP)));
    const belowWidth = (mapWidth + GAP) / count - GAP;
    const firstWidth = isWide ? SIDE : width;
    const isFirst = ({ key, isAsked }: Panel): boolean =>
        isAsked === true || (isWide && BESIDE.test(key));
    const first = panels.filter(isFirst);
    const below: Panel[][] = Array.from({ length: count }, () => []);
    const ends = below.map(() => mapWidth * MAP.tall + MAP.buttons);
    let beside = isWide ? endOf(first, firstWidth) : Infinity;
    for (const panel of panels) {
        if (isFirst(panel)) continue;
        const least = ends.indexOf(Math.min(...ends));
        const found = beside < (ends[least] ?? 0) ? NEXT_TO_MAP : least;
        const home = homes.get(panel.key) ?? found;
        homes.set(panel.key, home);
        if (home === NEXT_TO_MAP) {
            first.push(panel);
            beside += heightOf(panel, firstWidth) + GAP;
            continue;
        }
        below[home]?.push(panel);
        ends[home] = (ends[home] ?? 0) + heightOf(panel, belowWidth) + GAP;
    }
    const asked = first.filter(({ isAsked }) => isAsked);
    const height = Math.max(...ends, isWide ? beside - endOf(asked, firstWidth) : 0);
    return { first, below, mapWidth, firstWidth, belowWidth, height };
}

/** So much longer the page may become before its panels find other places. */
const LONGER = 320;

/** The same from one position to the next: a panel stays where it was looked for last, and one that comes
 *  back comes home. All find new places where the width is another, or the page has become much longer. */
export function settler(): (panels: readonly Panel[], width: number) => Columns {
    let homes: Homes = new Map();
    let [wide, most] = [0, 0];
    return (panels, width) => {
        if (width === wide) {
            const settled = placed(panels, width, homes);
            if (settled.height <= most) return settled;
        }
        homes = new Map();
        const anew = placed(panels, width, homes);
        [wide, most] = [width, anew.height + LONGER];
        return anew;
    };
}

const endOf = (panels: readonly Panel[], width: number): number =>
    panels.reduce((end, panel) => end + heightOf(panel, width) + GAP, 0);
