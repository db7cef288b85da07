/** Reinforcements, the fallen, the Shadow's pool; and where all Companions and Minions are. */
import { Place } from "$gen/bree/warofthering/v1/board_pb";
import { aboutCharacter } from "./abouts";
import type { Block, Chip, Panel } from "./blocks";
import type { Claims } from "./claims";
import {
    type Board,
    called,
    codeOf,
    countOf,
    type Figures,
    figureTitle,
    type Kind,
    KINDS,
    many,
    NATION_NAMES,
    NATIONS,
    type NationName,
    regionName,
    type SideName,
} from "./facts";
import { iconOf } from "./figures";

const inPile = (pile: Figures | undefined, nation: NationName, kind: Kind): number => {
    const of = pile?.nations.find((one) => one.nation === nation);
    return of ? countOf(of, kind) : 0;
};

export function unitsPanel(view: Board, claims: Claims): Panel {
    const rows = (side: SideName): Block => ({
        kind: "grid",
        head:
            side === "free"
                ? ["Free Peoples", "Regular", "Elite", "Leader", "Fallen"]
                : ["Shadow's pool", "Regular", "Elite", "Nazgûl", ""],
        weights: [1.4, 0.9, 0.9, 0.9, 2.1],
        tall: 26,
        rows: NATION_NAMES.filter((nation) => NATIONS[nation].side === side).map((nation) => ({
            key: nation,
            cells: [
                NATIONS[nation].name,
                ...KINDS.filter((kind) => side === "free" || kind !== "leader").map((kind) =>
                    reserveChip(view, nation, kind, claims),
                ),
                ...(side === "free"
                    ? [fallenChip(view, nation)]
                    : [nation === "sauron" ? nazgulChip(view, claims) : "", ""]),
            ],
        })),
    });
    return {
        key: "units",
        title: "Reinforcements and the fallen",
        folds: "narrow",
        blocks: [{ kind: "columns", columns: [[rows("free")], [rows("shadow")]], least: 290 }],
    };
}

function reserveChip(view: Board, nation: NationName, kind: Kind, claims: Claims): Chip {
    const count = inPile(view.reserve, nation, kind);
    const figure = `${nation}_${kind}`;
    return {
        key: `reserve.${figure}`,
        noun: claims.take(figure),
        label: `${figureTitle(figure)}: ${count} can still be recruited`,
        bits: [
            { icon: kind, ...(count ? {} : { look: "faint" }) },
            { text: String(count), look: count ? "count" : "faint" },
        ],
        look: `n-${nation}${count ? "" : " none"}`,
    };
}

function nazgulChip(view: Board, claims: Claims): Chip {
    const count = view.reserve?.nazgul ?? 0;
    return {
        key: "reserve.nazgul",
        noun: claims.take("nazgul"),
        label: `Nazgûl: ${count} can still be recruited`,
        bits: [{ icon: "nazgul" }, { text: String(count), look: "count" }],
        look: `n-sauron${count ? "" : " none"}`,
    };
}

function fallenChip(view: Board, nation: NationName): Chip {
    const counts = KINDS.map((kind) => [kind, inPile(view.fallen, nation, kind)] as const).filter(
        ([, count]) => count,
    );
    const words = counts.map(([kind, count]) => many(count, figureTitle(`${nation}_${kind}`)));
    return {
        key: `fallen.${nation}`,
        label: words.length
            ? `Out of the game: ${words.join(", ")}`
            : `Nothing of ${codeOf(nation)} has fallen`,
        bits: counts.flatMap(([kind, count]) => [
            { icon: kind, look: "faint" },
            { text: String(count), look: "count" },
        ]),
        look: "fallen",
    };
}

const PLACES: readonly (readonly [Place, string])[] = [
    [Place.MAP, "On the map"],
    [Place.RETURNING, "Back at the end of this turn"],
    [Place.ASIDE, "Not yet in play"],
    [Place.FALLEN, "Out of the game"],
];

/** Short enough to stand beside the longest name of a region. */
const SHORTLY: Readonly<Record<string, string>> = {
    gandalf_the_white: "Gandalf (W)",
    mouth_of_sauron: "The Mouth",
};
const shortly = (who: string): string => SHORTLY[who] ?? called(who);

/** Everyone who is not in the Fellowship. */
export function charactersPanel(view: Board, claims: Claims): Panel {
    const blocks = PLACES.flatMap(([place, title]): Block[] => {
        const chips = view.characters
            .filter((one) => one.place === place)
            .map(({ character, region, leadership }): Chip => ({
                key: `character.${character}`,
                noun: claims.take(character),
                label: `${shortly(character)}${region ? ` ${regionName(region)}` : ""}: ${title}, Leadership ${leadership}`,
                about: aboutCharacter(view, character),
                bits: [
                    { icon: iconOf(character) },
                    { text: shortly(character) },
                    ...(region ? [{ text: regionName(region), look: "faint" }] : []),
                ],
                look: `person ${place === Place.FALLEN ? "none" : ""}`,
            }));
        return chips.length ? [{ kind: "chips", caption: title, chips }] : [];
    });
    return { key: "characters", title: "Companions and Minions", blocks, folds: "narrow" };
}
