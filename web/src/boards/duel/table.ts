/** What lies on the table besides cards and map: tiles of landmarks and tokens, as things to draw. */
import type { Price } from "$gen/bree/duel/v1/board_pb";
import { type Bit, effectBits, skillBits } from "./bits";
import type { Chip } from "./chips";
import { type Board, capital, CARDS, many, nameOf, ownerOf, RACES, REGIONS } from "./facts";
import type { Tile } from "./tiles";
import { aboutLandmark, aboutPrinted, aboutToken, priceWords, tokenTitle } from "./words";

const priceBits = (price: Price | undefined): Bit[] =>
    price ? [{ text: String(price.coins) }, { icon: "coin" }] : [];

/** The landmarks that may be taken. */
export const landmarkTiles = (view: Board): Tile[] =>
    view.landmarks.map((tile) => {
        const price = tile[ownerOf(view)];
        const lacking = new Map(price?.short.map(({ skill, count }) => [skill, count]));
        const bits = tile.skills.flatMap(({ skill, count }) => {
            const short = Math.min(count, lacking.get(skill) ?? 0);
            return [
                ...skillBits([{ skill, count: count - short } as never], "faint"),
                ...skillBits([{ skill, count: short } as never], "short"),
            ];
        });
        const where = REGIONS.get(tile.region) ?? tile.region;
        return {
            key: tile.landmark,
            noun: tile.landmark,
            label: `${tile.name}, landmark in ${where}, costs ${priceWords(price)}`,
            about: aboutLandmark(view, tile),
            icon: `${ownerOf(view)}_fort`,
            title: tile.name,
            tag: priceBits(price),
            dear: !price?.affordable,
            bits,
            text: `${capital(tile.text)}.`,
        };
    });

/** The tokens of which one is being kept. */
export const revealedTiles = (view: Board): Tile[] =>
    view.revealed.map((token) => ({
        key: token.token,
        noun: token.token,
        label: `${tokenTitle(token)}, revealed`,
        about: aboutToken(token),
        icon: token.race,
        title: tokenTitle(token),
        tag: [],
        bits: [],
        text: `${capital(token.text)}.`,
    }));

/** The stacks of alliance tokens. `muted` is a race whose name means a card now. */
export const stackTiles = (view: Board, muted: (race: string) => boolean): Tile[] =>
    view.stacks.map(({ race, unseen, top }) => {
        const left = unseen + (top ? 1 : 0);
        return {
            key: race,
            noun: muted(race) ? "" : race,
            label: `Stack of the ${capital(race)}: ${many(left, "token")}${top ? `, on top: ${top.text}` : ""}`,
            about: {
                title: `Tokens of the ${capital(race)}`,
                lines: [
                    left ? `${many(left, "token")} left, ${unseen} never seen.` : "None is left.",
                    ...(top ? [`On top, seen by both: ${top.text}.`] : []),
                ],
            },
            icon: race,
            title: capital(race),
            tag: [{ text: `×${left}` }],
            bits: [],
            text: top ? `Top: ${top.text}` : "",
            look: left ? "" : "spent",
        };
    });

/** Whether a race's name means a card that may be had, so that its stack is not meant. */
export function meansCard(view: Board, lit: ReadonlySet<string>, race: string): boolean {
    if (RACES.some((other) => other !== race && lit.has(other))) return false;
    const open = view.display.some((slot) => slot.available && slot.card?.card === race);
    return open || (view.discard?.known.some(({ card }) => card === race) ?? false);
}

/** The cards of the discard pile that the viewer knows. */
export const discardChips = (view: Board, races: boolean): Chip[] =>
    (view.discard?.known ?? []).map(({ card, colour }) =>
        cardChip(card, colour, "In the discard pile.", races),
    );

/** A card that has been played or discarded, as a small box. `races`: its name may mean a race. */
export function cardChip(id: string, colour: string, where: string, races: boolean): Chip {
    const effects = CARDS.get(id)?.effects ?? [];
    return {
        key: id,
        noun: races && RACES.includes(id) ? "" : id,
        label: `${nameOf(id) ?? id}, ${colour} card. ${where}`,
        about: aboutPrinted(id, where),
        bits: [{ icon: colour, look: "colour" }, ...effectBits(effects)],
        look: `card-chip c-${colour}`,
    };
}

export function discardLine(view: Board): string {
    const pile = view.discard;
    const coins =
        view.reserve === undefined
            ? "coins without end"
            : `${many(view.reserve, "coin")} in reserve`;
    const known = pile?.count ? `, ${pile.known.length} of them known` : "";
    return `${many(pile?.count ?? 0, "card")}${known}; ${coins}`;
}

export function searchedLine(view: Board): string {
    const who = [
        ...(view.discard?.fellowshipSearched ? ["the Fellowship"] : []),
        ...(view.discard?.sauronSearched ? ["Sauron"] : []),
    ];
    return who.length ? `Looked through in this chapter by ${who.join(" and ")}.` : "";
}
