/** Figures as boxes: a symbol of their kind, the letters of their nation, and how many. */
import { aboutCharacter } from "./abouts";
import type { Chip } from "./blocks";
import type { Claims } from "./claims";
import {
    type Board,
    called,
    countOf,
    type Figures,
    figureTitle,
    isNation,
    KINDS,
    nameOf,
    NATIONS,
    peopleOf,
    PERSONS,
} from "./facts";

export interface Counted {
    figure: string;
    nation: string;
    icon: string;
    count: number;
}

/** All figures that are somewhere, kind by kind. */
export function counted(figures: Figures | undefined): Counted[] {
    if (!figures) return [];
    const units = figures.nations.flatMap((of) =>
        KINDS.filter((kind) => countOf(of, kind)).map((kind) => ({
            figure: `${of.nation}_${kind}`,
            nation: of.nation,
            icon: kind,
            count: countOf(of, kind),
        })),
    );
    const nazgul = { figure: "nazgul", nation: "sauron", icon: "nazgul", count: figures.nazgul };
    const people = figures.characters.map((figure) => ({
        figure,
        nation: "",
        icon: iconOf(figure),
        count: 1,
    }));
    return [...units, ...(figures.nazgul ? [nazgul] : []), ...people];
}

export const iconOf = (who: string): string => {
    const person = PERSONS.get(who);
    if (person?.side === "shadow") return "minion";
    return person?.hobbit ? "hobbit" : "companion";
};

const sideLook = (nation: string, figure: string): string => {
    const side = isNation(nation) ? NATIONS[nation].side : PERSONS.get(figure)?.side;
    return `${side ?? "free"} ${nation ? `n-${nation}` : "person"}`;
};

/** As he is called, and his whole name where that is another. */
export function nameWith(who: string): string {
    const name = nameOf(who) ?? who;
    return name.startsWith(called(who)) ? name : `${called(who)}, ${name}`;
}

/** Boxes for figures. `where` begins their keys; `tell` says how many of what is shown. */
export function figureChips(
    view: Board,
    figures: readonly Counted[],
    where: string,
    claims?: Claims,
    tell: (of: Counted) => string = ({ count }) => String(count),
): Chip[] {
    return figures.map((of) => {
        const { figure, nation, icon } = of;
        const isPerson = PERSONS.has(figure);
        const people = figure === "nazgul" ? "Nazgûl" : peopleOf(nation);
        return {
            key: `${where}.${figure}`,
            noun: claims?.take(figure) ?? "",
            label: isPerson ? nameWith(figure) : `${people} ${tell(of)}: ${figureTitle(figure)}`,
            about: isPerson
                ? aboutCharacter(view, figure)
                : { title: figureTitle(figure), lines: [FIGURE_WORDS[icon] ?? ""] },
            bits: [
                { icon },
                { text: isPerson ? called(figure) : people },
                ...(isPerson ? [] : [{ text: tell(of), look: "count" }]),
            ],
            look: sideLook(nation, figure),
        };
    });
}

const FIGURE_WORDS: Readonly<Record<string, string>> = {
    regular: "A Regular unit: one die in battle, lost to one hit.",
    elite: "An Elite unit: one die in battle. One hit makes a Regular of it, two take it away.",
    leader: "A Leader: one missed die may be rolled again. He stays with units of the Free Peoples.",
    nazgul: "A Nazgûl: one missed die may be rolled again. It flies to any region.",
};
