/** The whole text of what is pointed at. */
import type { Army, Card } from "$gen/bree/warofthering/v1/board_pb";
import type { Explained } from "../../parts/touching";
import { titled } from "../../parts/words";
import {
    type Board,
    CARDS,
    COMBATS,
    FACES,
    figureWords,
    isNation,
    many,
    NATIONS,
    PERSONS,
    regionName,
    seatTitle,
    seatWords,
    SIDE_TITLES,
    sideName,
    TILES,
    unitsBySeat,
} from "./facts";

const stopped = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** A card that the view has with all that is printed on it. */
export function aboutCard(card: Card, more: readonly string[] = []): Explained {
    const players = card.players.length
        ? [`Only ${card.players.map(seatTitle).join(" or ")} may play it as an event.`]
        : [];
    return {
        title: card.name,
        lines: [
            `${titled(card.deck)} card of the ${SIDE_TITLES[sideName(card.side)]}, played with ${diceOf(card.icon)}.`,
            ...(card.needs ? [`Needs: ${stopped(card.needs)}`] : []),
            card.text,
            `In battle: ${card.combat}. ${card.combatNeeds ? `Needs: ${stopped(card.combatNeeds)} ` : ""}${card.combatText}`,
            ...players,
            ...more,
        ],
    };
}

const diceOf = (icon: string): string =>
    `${/^[AEIOU]/.test(FACES[icon]?.title ?? "") ? "an" : "a"} ${FACES[icon]?.title ?? titled(icon)} or an Event die`;

/** A card that the view only names. */
export function aboutPrinted(id: string, where: string): Explained {
    const card = CARDS.get(id);
    if (!card) return { title: titled(id), lines: [where] };
    const combat = COMBATS.get(card.combat);
    return {
        title: card.name,
        lines: [
            where,
            `${titled(card.deck)} card, played with ${diceOf(card.icon)}.`,
            ...(card.needs ? [`Needs: ${stopped(card.needs)}`] : []),
            card.text,
            ...(combat ? [`In battle: ${combat.name}. ${combat.text}`] : []),
        ],
    };
}

const PLACES = [
    "",
    "In the Fellowship.",
    "On the map",
    "Not yet in play.",
    "Out of the game.",
    "Comes back to the Fellowship at the end of this turn.",
];

/** A Companion or a Minion. */
export function aboutCharacter(view: Board, who: string): Explained {
    const person = PERSONS.get(who);
    const here = view.characters.find(({ character }) => character === who);
    const lines: string[] = [];
    if (here) {
        const at = here.region === undefined ? "" : `: ${regionName(here.region)}.`;
        lines.push(`${PLACES[here.place] ?? ""}${at}`);
        const level = here.level > 9 ? "flies to any region" : `Level ${here.level}`;
        lines.push(
            `${level === `Level ${here.level}` ? level : "Flies to any region"}, Leadership ${here.leadership}.`,
        );
    }
    if (view.fellowship?.guide === who) lines.push("The Guide of the Fellowship.");
    if (person?.die) lines.push("While in play, the side has a die more.");
    if (person?.rouses) lines.push(rouseWords(person.rouses));
    if (person?.hobbit) lines.push("A Hobbit: as the Guide he can leave to lower the Hunt damage.");
    return { title: here?.name ?? person?.name ?? titled(who), lines };
}

const rouseWords = (nation: string): string =>
    isNation(nation)
        ? `Makes ${NATIONS[nation].name} active where he comes to a City or Stronghold of theirs.`
        : "Makes a nation active where he comes to one of its Cities or Strongholds.";

/** A tile of the Hunt, in a few letters and in words. */
export function tileFace(id: string): { value: string; icons: string[]; words: string } {
    const tile = TILES.get(id);
    const value = String(tile?.value ?? id);
    const icons = [...(tile?.reveal ? ["reveal"] : []), ...(tile?.stop ? ["stop"] : [])];
    const name = tile?.card ? `${CARDS.get(tile.card)?.name ?? titled(tile.card)}: ` : "";
    const damage = value === "eye" ? "Eye" : value === "die" ? "a die's damage" : `damage ${value}`;
    const words = `${name}${damage}${icons.map((icon) => `, ${titled(icon)}`).join("")}`;
    return { value, icons, words: words.slice(0, 1).toUpperCase() + words.slice(1) };
}

const SETTLEMENTS: Readonly<Record<string, string>> = {
    town: "Town",
    city: "City",
    stronghold: "Stronghold",
    fortification: "Fortification",
};

/** A region, and all that stands in it. */
export function aboutRegion(view: Board, at: number): Explained {
    const region = view.map?.regions[at];
    if (!region) return { title: "", lines: [] };
    const lines: string[] = [];
    const nation =
        region.nation === undefined
            ? "of no nation"
            : isNation(region.nation)
              ? NATIONS[region.nation].name
              : region.nation;
    const kind = SETTLEMENTS[region.settlement ?? ""];
    const points = region.points ? `, worth ${many(region.points, "Victory Point")}` : "";
    lines.push(
        kind
            ? `${kind}, ${nation}${points}.`
            : `Region ${nation === "of no nation" ? nation : `of ${nation}`}.`,
    );
    lines.push(...controlLines(view, region.region));
    const armies = view.armies.filter((one) => one.region === region.region);
    if (view.seats.length > 2)
        lines.push(...armies.map((army) => teamWords(view, army)).filter(Boolean));
    for (const army of armies) {
        const where = army.garrison
            ? "Besieged in the Stronghold"
            : SIDE_TITLES[sideName(army.side)];
        const whose =
            view.seats.length > 2
                ? ` (${seatTitle(army.commander)}${army.mixed ? ", mixed" : ""})`
                : "";
        lines.push(`${where}${whose}: ${figureWords(army.figures).join(", ")}.`);
    }
    if (view.fellowship?.region === region.region) lines.push("The Fellowship was last seen here.");
    const names = (numbers: readonly number[]): string =>
        numbers.map((n) => view.map?.regions[n]?.name ?? "").join(", ");
    lines.push(`Borders on ${names(region.borders)}.`);
    if (region.barriers.length) lines.push(`Impassable: ${names(region.barriers)}.`);
    return { title: region.name, lines };
}

/** Whose units they are, where team-mates stand together: "Free Peoples: Gondor 5, Rohan 3". */
function teamWords(view: Board, { side, garrison, mixed, figures }: Army): string {
    if (unitsBySeat(view, figures).length < 2) return "";
    const where = garrison ? "Besieged" : SIDE_TITLES[sideName(side)];
    return `${where}: ${seatWords(view, figures)}, ${mixed ? "joined into one army" : "two armies"}.`;
}

function controlLines(view: Board, region: string): string[] {
    const held = view.settlements.find((one) => one.region === region);
    if (!held) return [];
    const by = SIDE_TITLES[sideName(held.controller)];
    const taken =
        held.controller === held.owner ? "" : `, taken by ${seatTitle(held.captor ?? "")}`;
    return [`Controlled by the ${by}${taken}${held.besieged ? "; under siege" : ""}.`];
}
