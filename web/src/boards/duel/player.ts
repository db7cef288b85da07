/** What lies before one side, line by line. */
import { chainBit } from "./bits";
import type { Marks } from "./changes";
import { type Chip, flow, type PlacedChip } from "./chips";
import {
    type Board,
    capital,
    COLOURS,
    many,
    nameOf,
    type Player,
    RACES,
    SIDE_TITLES,
    type SideName,
    sideName,
    TOKENS,
} from "./facts";
import { cardChip } from "./table";
import { aboutTaken, aboutToken, tokenTitle } from "./words";

export interface Row {
    caption: string;
    y: number;
}

export interface PlayerPlan {
    rows: Row[];
    chips: PlacedChip[];
    height: number;
}

export const CAPTION = 74;
const HEADER = 40;

/** All lines of a side; those with nothing in them are left out. */
export function playerPlan(
    view: Board,
    side: SideName,
    width: number,
    marks: Marks,
    races: boolean,
): PlayerPlan {
    const has = view[side];
    const plan: PlayerPlan = { rows: [], chips: [], height: HEADER };
    if (!has) return plan;
    const add = (caption: string, chips: Chip[]): void => {
        if (!chips.length) return;
        const keyed = chips.map((chip) => ({ ...chip, key: `${caption}.${chip.key}` }));
        const placed = flow(keyed, CAPTION, plan.height, width - CAPTION);
        plan.rows.push({ caption, y: plan.height });
        plan.chips.push(...placed.chips);
        plan.height = placed.bottom;
    };
    const mark = (id: string): string | undefined => marks.get(`${side}.${id}`);
    add("Supply", supplyChips(has, side));
    add("Skills", skillChips(has));
    add("Races", raceChips(has));
    add("Chains", chainChips(has));
    add(
        "Tokens",
        has.tokens.map((token) => ({
            key: token.token,
            noun: token.token,
            label: `${tokenTitle(token)}, kept`,
            about: aboutToken(token),
            bits: [{ icon: token.race }, { text: TOKENS.get(token.token)?.name ?? token.token }],
            mark: mark(token.token),
        })),
    );
    add(
        "Landmarks",
        has.landmarks.map((id) => ({
            key: id,
            noun: id,
            label: `${nameOf(id) ?? id}, landmark taken`,
            about: aboutTaken(id),
            bits: [{ icon: `${side}_fort` }, { text: nameOf(id) ?? id }],
            mark: mark(id),
        })),
    );
    add("Cards", cardChips(view, has, side, marks, races));
    return plan;
}

function supplyChips(has: Player, side: SideName): Chip[] {
    const dearer = has.surcharge ? ` Landmarks cost ${many(has.surcharge, "coin")} more.` : "";
    const chip = (key: string, icon: string, text: string, label: string): Chip => ({
        key,
        label,
        about: { title: SIDE_TITLES[side], lines: [label] },
        bits: [{ icon }, { text }],
        look: "plain",
    });
    return [
        chip("units", "unit", many(has.units, "unit"), `${many(has.units, "unit")} in supply.`),
        chip(
            "forts",
            `${side}_fort`,
            has.fortresses === 1 ? "1 fortress" : `${has.fortresses} fortresses`,
            `${has.fortresses} fortresses in supply.${dearer}`,
        ),
        chip(
            "present",
            "place",
            `${has.presence} of 7 regions`,
            `Present in ${has.presence} of 7 regions.`,
        ),
        chip(
            "income",
            "discard",
            `+${has.discardIncome} a discard`,
            `A card that is discarded brings ${many(has.discardIncome, "coin")}.`,
        ),
    ];
}

function skillChips(has: Player): Chip[] {
    const words = (label: string): Pick<Chip, "label" | "about"> => ({
        label,
        about: { title: "Skills", lines: [label] },
    });
    return [
        ...has.skills.map(({ skill, count }) => ({
            key: skill,
            ...words(`${capital(skill)}: ${many(count, "symbol")} every turn.`),
            bits: [{ icon: skill }, { text: String(count) }],
            look: count ? "plain" : "plain none",
        })),
        ...has.choices.map(({ skills }, at) => ({
            key: `choice ${at}`,
            ...words(`One a turn of ${skills.join(" or ")}.`),
            bits: skills.flatMap((skill, at) => [...(at ? [{ text: "/" }] : []), { icon: skill }]),
        })),
    ];
}

function raceChips(has: Player): Chip[] {
    const counts = has.races.filter(({ count }) => count);
    const eagle = has.tokens.some(({ token }) => token === "hobbits_eagle");
    if (!has.support && !counts.length) return [];
    const support = `Supported by ${has.support} of the six races${eagle ? ", the Eagle counted" : ""}.`;
    const about = (line: string): Pick<Chip, "label" | "about"> => ({
        label: line,
        about: { title: "Races", lines: [line, support] },
    });
    return [
        ...counts.map(({ race, count }) => ({
            key: race,
            ...about(`${capital(race)}: ${many(count, "symbol")}.`),
            bits: [{ icon: race }, { text: String(count) }],
            look: "plain",
        })),
        ...(eagle
            ? [{ key: "eagle", ...about("The Eagle."), bits: [{ icon: "eagle" }], look: "plain" }]
            : []),
        {
            key: "support",
            ...about(support),
            bits: [{ text: `${has.support} of ${RACES.length}` }],
            look: "plain",
        },
        ...(has.threeRaces
            ? [
                  {
                      key: "three",
                      ...about("The alliance of three races has been made."),
                      bits: [{ text: "allied" }],
                      look: "plain",
                  },
              ]
            : []),
    ];
}

const chainChips = (has: Player): Chip[] =>
    has.chains.map((chain) => ({
        key: chain,
        label: `The ${chain}, for a chain`,
        about: { title: capital(chain), lines: ["Makes the card that asks for it free."] },
        bits: [chainBit(chain, "to"), { text: ` ${chain}` }],
        look: "plain",
    }));

/** By colour, each in the order in which they were played. */
function cardChips(view: Board, has: Player, side: SideName, marks: Marks, races: boolean): Chip[] {
    const who = sideName(view.side) === side ? "you" : SIDE_TITLES[side];
    return COLOURS.flatMap((wanted) =>
        has.cards
            .filter(({ colour }) => colour === wanted)
            .map(({ card, colour }) => ({
                ...cardChip(card, colour, `Played by ${who}.`, races),
                mark: marks.get(`${side}.${card}`),
            })),
    );
}
