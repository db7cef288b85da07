/** The Hunt for the Ring: what has been rolled and drawn, what is open, and what can still be drawn. */
import type { TileCount } from "$gen/bree/warofthering/v1/board_pb";
import { titled } from "../../parts/words";
import { aboutCharacter, tileFace } from "./abouts";
import type { Block, Chip, Panel } from "./blocks";
import type { Claims } from "./claims";
import { diceChip } from "./dice";
import { type Board, called, CARDS, many, optionOf, PERSONS, regionName } from "./facts";
import type { Hunted, Tale } from "./told";

// The tiles.

const sum = (tiles: readonly TileCount[]): number =>
    tiles.reduce((all, { count }) => all + count, 0);

const TILE_VALUES: Readonly<Record<string, string>> = { eye: "Eye", die: "Die" };

function tileBits(tile: string): { bits: Chip["bits"]; words: string } {
    const { value, icons, words } = tileFace(tile);
    const text = TILE_VALUES[value] ?? value.replace("-", "−");
    return { bits: [{ text }, ...icons.map((icon) => ({ icon }))], words };
}

function tileChips(tiles: readonly TileCount[], where: string): Chip[] {
    return tiles.map(({ tile, count }) => {
        const { bits, words } = tileBits(tile);
        const here = `${many(count, "tile")} ${where === "pool" ? "can be drawn" : "here"}.`;
        return {
            key: `${where}.${tile}`,
            label: `${words}: ${many(count, "tile")}`,
            about: { title: words, lines: [here] },
            bits: [...bits, { text: `×${count}`, look: "count" }],
            look: "tile",
        };
    });
}

// What it did last.

const CAME: Readonly<Record<string, (about: string) => string>> = {
    companion_picked: (who) => `Chance picks ${called(who)}.`,
    companion_lost: (who) => `${called(who)} is lost to the Fellowship.`,
    separated: (who) => `${called(who)} leaves the Fellowship.`,
    table_card_discarded: (card) => `${CARDS.get(card)?.name ?? titled(card)} leaves the table.`,
    corruption_changed: (now) => `Corruption is ${now} now.`,
    fellowship_revealed: () => "The Fellowship is revealed.",
    fellowship_found: (region) => `It is found in ${regionName(region)}.`,
    mordor_step: (step) => `It is on step ${step} of the Mordor Track.`,
};

/** What was rolled, what was drawn, and what came of it. */
function huntedBlocks(
    { dice, again, successes, tiles, came, at }: Hunted,
    isFresh: boolean,
): Block[] {
    const counted =
        successes === undefined
            ? ""
            : `: ${successes === 1 ? "1 success" : `${successes} successes`}`;
    const rolled = dice.length
        ? [diceChip(`hunted.dice.${at}`, "The Hunt rolls", dice, again, isFresh ? "tumbling" : "")]
        : [];
    const drawn = tiles.map(({ tile, isVoid, die }, n): Chip => {
        const { bits, words } = tileBits(tile);
        return {
            key: `hunted.tile.${at}.${n}`,
            label: `Drawn: ${words}${die ? `, die ${die}` : ""}${isVoid ? ", no effect" : ""}`,
            about: { title: words, lines: isVoid ? ["It has no effect."] : [] },
            bits: [
                ...bits,
                ...(die ? [{ icon: `die${die}` }] : []),
                ...(isVoid ? [{ text: "no effect", look: "faint" }] : []),
            ],
            look: "tile drawn",
        };
    });
    const words = came.map(({ kind, about }) => CAME[kind]?.(about) ?? "");
    return [
        ...(rolled.length
            ? [{ kind: "chips", caption: `The Hunt has rolled${counted}`, chips: rolled } as const]
            : []),
        ...(drawn.length ? [{ kind: "chips", caption: "Drawn", chips: drawn } as const] : []),
        ...(words.length ? [{ kind: "line", text: words.join(" "), look: "small" } as const] : []),
    ];
}

/** The Hunt that is under way, or is just over: with the damage that is open, and what meets it. */
export function huntedPanel(view: Board, { hunted, since }: Tale, claims: Claims): Panel[] {
    const damage = view.huntDamage?.damage;
    const blocks = hunted?.isNow ? huntedBlocks(hunted, hunted.at >= since) : [];
    if (damage === undefined && !blocks.length) return [];
    return [
        {
            key: "damage",
            title: damage === undefined ? "The Hunt" : `Hunt damage ${damage} is open`,
            blocks: [...blocks, ...damageBlocks(view, claims)],
            isAsked: damage !== undefined,
        },
    ];
}

const ANSWERS: Readonly<Record<string, string>> = {
    corruption: "Corruption",
    guide: "The Guide falls",
    random: "A random Companion",
    separate: "The Guide leaves",
    reveal: "Gollum reveals",
    table: "A card on the table",
};
const ANSWER_ICONS: Readonly<Record<string, string>> = {
    corruption: "ring",
    reveal: "reveal",
    table: "card",
};
const LAST_CORRUPTION = 12;

/** What can be done about the damage, and what each costs. */
function damageBlocks(view: Board, claims: Claims): Block[] {
    const { huntDamage } = view;
    if (!huntDamage) return [];
    const chips = huntDamage.answers.map(({ answer, least, most, companion, returns }): Chip => {
        const met = least === most ? `${least}` : `${least} to ${most}`;
        const lines = [
            answer === "corruption"
                ? corruptionWords(view, least)
                : `Meets ${met} of ${huntDamage.damage}.`,
            ...(companion === undefined
                ? []
                : [
                      `${called(companion)}${answer === "separate" ? " leaves the Fellowship." : " falls."}`,
                  ]),
            ...(returns ? ["He comes back at the end of the turn."] : []),
            ...(answer === "random" ? hobbitWords(view) : []),
        ];
        return {
            key: `damage.${answer}`,
            noun: claims.take(answer),
            label: `${ANSWERS[answer] ?? answer} ${met}. ${lines.join(" ")}`,
            about: companion === undefined ? undefined : aboutCharacter(view, companion),
            bits: [
                { icon: ANSWER_ICONS[answer] ?? "companion" },
                { text: ANSWERS[answer] ?? answer },
                { text: met, look: "count" },
            ],
            lines,
        };
    });
    return [{ kind: "chips", chips, least: 220 }];
}

function corruptionWords(view: Board, more: number): string {
    const now = view.fellowship?.corruption ?? 0;
    const then = Math.min(LAST_CORRUPTION, now + more);
    const lost = then === LAST_CORRUPTION ? " The Ring-bearers are lost." : "";
    return `Corruption ${now} becomes ${then}.${lost}`;
}

/** Whether Merry and Pippin come back at the end of a turn in which they fall. */
export const mayReturn = (view: Board): boolean =>
    optionOf(view, "hobbit_elimination") === "guide" && view.fellowship?.mordor === undefined;

/** Who of the company would come back, if chance picked him. */
function hobbitWords(view: Board): string[] {
    const company = view.fellowship?.company ?? [];
    const hobbits = mayReturn(view) ? company.filter((who) => PERSONS.get(who)?.hobbit) : [];
    if (!hobbits.length) return [];
    const names = hobbits.map(called).join(" and ");
    return [`${names} would come back at the end of the turn.`];
}

// The box and the pool.

export function huntPanel(view: Board, { hunted }: Tale): Panel {
    const { hunt } = view;
    const [free, shadow] = [hunt?.freeDice ?? 0, hunt?.shadowDice ?? 0];
    const dice = (key: string, icon: string, count: number, words: string): Chip => ({
        key: `hunt.${key}`,
        label: `${words}: ${count}`,
        bits: [{ icon }, { text: words }, { text: String(count), look: "count" }],
        look: `${key} die`,
    });
    const piles = [
        ["pool", "Can be drawn", hunt?.pool ?? []],
        ["drawn", "Drawn", hunt?.drawn ?? []],
        ["waiting", "Join the pool in Mordor", hunt?.waiting ?? []],
        ["set_aside", "Not in play", hunt?.setAside ?? []],
        ["removed", "Out of the game", hunt?.removed ?? []],
    ] as const;
    return {
        key: "hunt",
        title: "The Hunt for the Ring",
        folds: "narrow",
        blocks: [
            {
                kind: "chips",
                caption: `The Hunt Box: ${huntWords(view)}`,
                chips: [
                    dice("shadow", "eye", shadow, "Shadow dice"),
                    dice("free", "sword", free, "Free dice"),
                ],
            },
            // While it is under way it has a panel of its own.
            ...(hunted && !hunted.isNow
                ? [
                      { kind: "line", text: "Last this turn", look: "strong" } as const,
                      ...huntedBlocks(hunted, false),
                  ]
                : []),
            {
                kind: "line",
                text: "On tiles: a lens reveals the Fellowship, a bar stops it in Mordor.",
                look: "small faint",
            },
            ...piles
                .filter(([, , tiles]) => tiles.length)
                .map(([key, title, tiles]): Block => ({
                    kind: "chips",
                    caption: `${title}: ${many(sum(tiles), "tile")}`,
                    chips: tileChips(tiles, key),
                })),
        ],
    };
}

/** What the Hunt would roll if the Fellowship moved now. */
function huntWords(view: Board): string {
    const [free, shadow] = [view.hunt?.freeDice ?? 0, view.hunt?.shadowDice ?? 0];
    if (view.fellowship?.mordor !== undefined)
        return `an Eye in Mordor is ${many(free + shadow, "point")} of damage`;
    if (!shadow) return "nothing hunts";
    return `${many(Math.min(5, shadow), "die")} would be rolled for ${Math.max(2, 6 - free)} or more`;
}
