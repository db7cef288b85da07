/** What War of the Ring's own data say of nations, figures, dice, tiles and cards, and what people call them. */
import cardData from "$data/warofthering/data/cards.json";
import characterData from "$data/warofthering/data/characters.json";
import regionData from "$data/warofthering/data/regions.json";
import tileData from "$data/warofthering/data/tiles.json";
import {
    type Board,
    type Figures,
    type NationFigures,
    Side,
} from "$gen/bree/warofthering/v1/board_pb";
import { titled } from "../../parts/words";

export type { Board, Figures } from "$gen/bree/warofthering/v1/board_pb";

export type SideName = "free" | "shadow";
export const SIDES: readonly SideName[] = ["free", "shadow"];
export const SIDE_TITLES = { free: "Free Peoples", shadow: "Shadow" } as const;
export const sideName = (side: Side): SideName => (side === Side.SHADOW ? "shadow" : "free");
export const other = (side: SideName): SideName => (side === "free" ? "shadow" : "free");

/** Where a side leads no figures of a kind, there are none: only five nations have Leaders. */
export const NATIONS = {
    dwarves: { name: "Dwarves", code: "Dw", people: "Dwarven", side: "free" },
    elves: { name: "Elves", code: "El", people: "Elven", side: "free" },
    gondor: { name: "Gondor", code: "Go", people: "Gondor", side: "free" },
    north: { name: "The North", code: "Nh", people: "North", side: "free" },
    rohan: { name: "Rohan", code: "Ro", people: "Rohan", side: "free" },
    isengard: { name: "Isengard", code: "Is", people: "Isengard", side: "shadow" },
    sauron: { name: "Sauron", code: "Sa", people: "Sauron", side: "shadow" },
    southrons: { name: "Southrons", code: "So", people: "Southron", side: "shadow" },
} as const;
export type NationName = keyof typeof NATIONS;
export const NATION_NAMES = Object.keys(NATIONS) as NationName[];
export const isNation = (name: string): name is NationName => name in NATIONS;
export const codeOf = (nation: string): string =>
    isNation(nation) ? NATIONS[nation].code : nation.slice(0, 2);
/** What its figures are called: "Dwarven". */
export const peopleOf = (nation: string): string =>
    isNation(nation) ? NATIONS[nation].people : titled(nation);

export const KINDS = ["regular", "elite", "leader"] as const;
export type Kind = (typeof KINDS)[number];
export const KIND_TITLES = { regular: "Regular", elite: "Elite", leader: "Leader" } as const;
const COUNTED = { regular: "regulars", elite: "elites", leader: "leaders" } as const;

export const countOf = (of: NationFigures, kind: Kind): number => of[COUNTED[kind]];
export const unitsOf = (figures: Figures | undefined): number =>
    (figures?.nations ?? []).reduce((sum, { regulars, elites }) => sum + regulars + elites, 0);
export const leadersOf = (figures: Figures | undefined): number =>
    (figures?.nations ?? []).reduce((sum, { leaders }) => sum + leaders, 0);

export const SEAT_TITLES: Readonly<Record<string, string>> = {
    free_peoples: "Free Peoples",
    shadow: "Shadow",
    gondor: "Gondor",
    rohan: "Rohan",
    witch_king: "Witch-king",
    saruman: "Saruman",
};
export const seatTitle = (seat: string): string => SEAT_TITLES[seat] ?? titled(seat);

/** A seat and what it does: the Free Peoples are many. */
export const seatDoes = (seat: string, one: string, more: string): string =>
    seat === "free_peoples" ? `The Free Peoples ${more}` : `${seatTitle(seat)} ${one}`;

interface Person {
    id: string;
    name: string;
    side: string;
    level: number;
    leadership: number;
    rouses: string | null;
    die: number;
    hobbit: boolean;
}
export const PERSONS: ReadonlyMap<string, Person> = new Map(
    characterData.characters.map((person) => [person.id, person]),
);
/** The first name of somebody, short enough for a figure. */
export const CALLED: Readonly<Record<string, string>> = {
    gandalf_the_grey: "Gandalf",
    gandalf_the_white: "Gandalf (White)",
    meriadoc: "Merry",
    peregrin: "Pippin",
    aragorn: "Aragorn",
    witch_king: "Witch-king",
    mouth_of_sauron: "Mouth of Sauron",
};
export const called = (who: string): string => CALLED[who] ?? PERSONS.get(who)?.name ?? titled(who);
/** Two letters, each pair once. */
const LETTERS: Readonly<Record<string, string>> = {
    gandalf_the_grey: "GG",
    strider: "St",
    boromir: "Bo",
    legolas: "Le",
    gimli: "Gi",
    meriadoc: "Me",
    peregrin: "Pe",
    aragorn: "Ar",
    gandalf_the_white: "GW",
    saruman: "SM",
    witch_king: "WK",
    mouth_of_sauron: "MS",
};
export const lettersOf = (who: string): string => LETTERS[who] ?? titled(who).slice(0, 2);

export const FACES: Readonly<Record<string, { title: string; icon: string; use: string }>> = {
    character: {
        title: "Character",
        icon: "sword",
        use: "Moves the Fellowship, characters, or an army that is led.",
    },
    army: { title: "Army", icon: "banner", use: "Moves two armies, or attacks with one." },
    muster: {
        title: "Muster",
        icon: "helm",
        use: "Recruits, advances a nation, or brings a Minion.",
    },
    muster_army: {
        title: "Muster/Army",
        icon: "helm_banner",
        use: "Is a Muster or an Army, as you wish.",
    },
    event: { title: "Event", icon: "scroll", use: "Draws an event card, or plays any." },
    will_of_the_west: {
        title: "Will of the West",
        icon: "will",
        use: "Is any other result; or brings Aragorn or Gandalf the White.",
    },
    eye: { title: "Eye", icon: "eye", use: "Goes to the Hunt Box." },
};
const COMMON = ["character", "army", "muster", "muster_army", "event"];
/** What the dice of a side can show. */
export const FACES_OF = {
    free: [...COMMON, "will_of_the_west"],
    shadow: [...COMMON, "eye"],
} as const;

export const DEEDS: Readonly<Record<string, string>> = {
    move_fellowship: "Move the Fellowship",
    hide: "Hide the Fellowship",
    separate: "Separate Companions",
    move_companions: "Move Companions",
    move_minions: "Move Nazgûl and Minions",
    lead_army: "Move a led army",
    lead_attack: "Attack with a led army",
    move_armies: "Move up to two armies",
    attack: "Attack",
    advance: "Advance a nation",
    recruit: "Recruit",
    bring_minion: "Bring a Minion",
    voice_of_saruman: "Voice of Saruman",
    draw_event: "Draw an event card",
    crown_aragorn: "Crown Aragorn",
    send_gandalf: "Gandalf the White",
    strider_hides: "Strider hides the Fellowship",
    companion_advances: "A Companion advances his nation",
    play_event: "Play an event card",
    force_discard: "Have a card discarded",
};

export interface Printed {
    id: string;
    name: string;
    side: string;
    deck: string;
    icon: string;
    needs: string | null;
    text: string;
    combat: string;
}
const byId = <T extends { id: string }>(all: readonly T[]): ReadonlyMap<string, T> =>
    new Map(all.map((one) => [one.id, one]));
export const CARDS: ReadonlyMap<string, Printed> = byId(cardData.cards);
export const COMBATS = byId(cardData.combats);
export const TILES = byId(tileData.tiles);
export const REGIONS: ReadonlyMap<string, string> = new Map(
    regionData.regions.map(({ id, name }) => [id, name]),
);
export const regionName = (id: string): string => REGIONS.get(id) ?? titled(id);

export const GARRISON = "_garrison";
export const garrisonOf = (region: string): string => `${region}${GARRISON}`;

/** A unit, a Leader: "Gondor Elite". */
export function figureTitle(figure: string): string {
    if (figure === "nazgul") return "Nazgûl";
    const at = figure.lastIndexOf("_");
    const [nation, kind] = [figure.slice(0, at), figure.slice(at + 1)];
    if (isNation(nation) && KINDS.includes(kind as Kind))
        return `${peopleOf(nation)} ${KIND_TITLES[kind as Kind]}`;
    return called(figure);
}

const isFigure = (noun: string): boolean =>
    noun === "nazgul" || PERSONS.has(noun) || /_(regular|elite|leader)$/.test(noun);

/** Answers that have a place on the board. */
const ANSWERS: Readonly<Record<string, string>> = {
    character_deck: "Character deck",
    strategy_deck: "Strategy deck",
    corruption: "Corruption",
    guide: "The Guide",
    random: "A random Companion",
    reveal: "Gollum",
};

/** What people call a noun of an action. */
export function nameOf(noun: string): string | undefined {
    const named =
        ANSWERS[noun] ??
        FACES[noun]?.title ??
        DEEDS[noun] ??
        CARDS.get(noun)?.name ??
        REGIONS.get(noun);
    if (named) return named;
    if (isNation(noun)) return NATIONS[noun].name;
    if (noun.endsWith(GARRISON))
        return `Stronghold of ${regionName(noun.slice(0, -GARRISON.length))}`;
    return isFigure(noun) ? (PERSONS.get(noun)?.name ?? figureTitle(noun)) : undefined;
}

export const many = (count: number, thing: string): string => {
    if (count === 1 || thing === "Nazgûl") return `${count} ${thing}`;
    return thing.endsWith("die") ? `${count} ${thing.slice(0, -3)}dice` : `${count} ${thing}s`;
};

type Several = {
    nations: readonly NationFigures[];
    nazgul: number;
    characters: readonly string[];
};

/** Figures in words, unit by unit, then Leaders, Nazgûl and characters. */
export function figureWords(figures: Several | undefined): string[] {
    if (!figures) return [];
    const units = figures.nations.flatMap((of) =>
        KINDS.filter((kind) => countOf(of, kind)).map((kind) =>
            many(countOf(of, kind), figureTitle(`${of.nation}_${kind}`)),
        ),
    );
    const nazgul = figures.nazgul ? [many(figures.nazgul, "Nazgûl")] : [];
    return [...units, ...nazgul, ...figures.characters.map((who) => nameOf(who) ?? who)];
}

export const seatOfNation = (view: Board, nation: string): string =>
    view.nations.find((one) => one.nation === nation)?.seat ?? "";
export const seatsOf = (view: Board, side: SideName): string[] =>
    view.seats.filter((seat) => sideName(seat.side) === side).map(({ seat }) => seat);
export const sideOfSeat = (view: Board, seat: string): SideName | undefined => {
    const found = view.seats.find((one) => one.seat === seat);
    return found && sideName(found.side);
};
/** How many units each seat has among some figures, in the order of the seats: "Gondor 5, Rohan 3". */
export function unitsBySeat(view: Board, figures: Figures | undefined): [string, number][] {
    const all = view.seats.map(({ seat }): [string, number] => {
        const own = (figures?.nations ?? []).filter(
            ({ nation }) => seatOfNation(view, nation) === seat,
        );
        return [seat, own.reduce((sum, of) => sum + of.regulars + of.elites, 0)];
    });
    return all.filter(([, units]) => units > 0);
}
export const seatWords = (view: Board, figures: Figures | undefined): string =>
    unitsBySeat(view, figures)
        .map(([seat, units]) => `${seatTitle(seat)} ${units}`)
        .join(", ");
/** What was agreed on. */
export const optionOf = (view: Board, option: string): string | undefined =>
    view.options.find(({ name }) => name === option)?.value;
/** Whose panels come first: the viewer's, else those of the Free Peoples. */
export const mySide = (view: Board): SideName => sideOfSeat(view, view.seat ?? "") ?? "free";
