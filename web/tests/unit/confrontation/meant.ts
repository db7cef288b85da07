/** What must be seen in a position of The Confrontation: said by its view and by what is printed, and by no code of the board. */
import { type Board, EntryKind, type Pieces, Stage } from "$gen/bree/confrontation/v1/board_pb";
import {
    called,
    card,
    cardFace,
    face,
    FORWARD,
    HOMES,
    inWords,
    isNamesake,
    named,
    other,
    own,
    PAIRS,
    plate,
    regionName,
    REGIONS,
    SETS,
    short,
    type SideName,
    SIDES,
    strength,
    TITLES,
} from "./printed";
import { bare, type Chosen, type Half } from "./seen";

export interface Piece {
    region: string;
    side: SideName;
    character?: string;
    isShown: boolean;
}

/** Who stands where; while pieces are placed, the viewer's own as he has placed them. */
export function piecesIn(view: Board): Piece[] {
    const side = own(view);
    const isPlacing = view.setup?.stage === Stage.PLACE && side !== undefined;
    const standing = view.regions.flatMap((of) =>
        SIDES.filter((one) => !(isPlacing && one === side)).flatMap((one) =>
            standingIn(of.region, one, of[one]),
        ),
    );
    return isPlacing ? [...standing, ...placedBy(view, side)] : standing;
}

function standingIn(region: string, side: SideName, pieces: Pieces | undefined): Piece[] {
    const known = (pieces?.pieces ?? []).map(({ character, shown }) => ({
        region,
        side,
        character,
        isShown: shown,
    }));
    const hidden = (pieces?.count ?? 0) - known.length;
    return [...known, ...Array.from({ length: hidden }, () => ({ region, side, isShown: false }))];
}

function placedBy(view: Board, side: SideName): Piece[] {
    const yours = view.setup?.yours ?? [];
    const placed = new Map(yours.map((text) => text.split(" ") as [string, string]));
    const isDone = yours.length === FORWARD[side].length;
    return (view.rosters?.[side]?.names ?? []).flatMap((character) => {
        const region = placed.get(character) ?? (isDone ? HOMES[side] : undefined);
        return region ? [{ region, side, character, isShown: false }] : [];
    });
}

/** Each piece, as it is drawn and as it is said. */
export const pieces = (view: Board): string[] =>
    piecesIn(view).map(({ region, side, character, isShown }) => {
        const where = `in ${inWords(region)}`;
        if (!character)
            return `${region} ${side} back <> A hidden piece of ${TITLES[side]}’s ${where}`;
        const carries = view.ringBearer === character;
        const marks = (isShown ? " shown" : "") + (carries ? " ring" : "");
        const said = `${strength(face(character))} ${called(character)}, ${where}${isShown ? ", seen by both sides" : ""}${carries ? ", carries the Ring" : ""}`;
        return `${region} ${plate(character)}${marks} <${character}> ${said}`;
    });

export const names = (): string[] => REGIONS.map(({ id, name }) => `${id} ${name}`);

/** How many places are left in each region that has some. */
export function bareIn(view: Board): Record<string, number> {
    const all = piecesIn(view);
    const left = REGIONS.map(({ id, capacity_per_side }): [string, number] => [
        id,
        capacity_per_side - all.filter(({ region }) => region === id).length,
    ]);
    return Object.fromEntries(left.filter(([, count]) => count > 0));
}

export const fights = ({ battle }: Board): string[] =>
    battle ? [`framed ${battle.region}`, `swords ${battle.region}`] : [];

export const travellers = ({ journey }: Board): string[] =>
    journey ? [`${named(journey.by) ?? ""} back in tunnel`] : [];

export function corners(view: Board): object[] {
    const below = own(view) ?? "good";
    return [other(below), below].map((side) => {
        const fallen = view.fallen?.[side] ?? [];
        const specials = view.specials?.[side] ?? [];
        const moves = view.result === undefined && named(view.turn) === side;
        const isOwn = own(view) === side;
        const said = moves ? (isOwn ? "your turn" : "to move") : isOwn ? "you" : "";
        return {
            side,
            emblem: side === "good" ? "star" : "eye",
            isBelow: side === below,
            title: TITLES[side],
            said: [...(said ? [said] : []), ...(fallen.length ? [`Fallen: ${fallen.length}`] : [])],
            moves: moves ? 1 : 0,
            specials: specials.map(cardFace),
            fallen: fallen.map((id) => `${plate(id)} gone`),
            told: [...specials.map((id) => id.replace(/^sp_/, ":")), ...fallen],
        };
    });
}

export function hands(view: Board): object[] {
    const below = own(view) ?? "good";
    return [below, other(below)].map((side) => {
        const used = view.used?.[side] ?? [];
        const chosen = own(view) === side ? view.battle?.yourCard : undefined;
        const tags = (id: string): string =>
            (used.includes(id) ? " used struck" : "") +
            (id === view.battle?.cards?.[side] ? " played" : id === chosen ? " chosen" : "");
        return {
            emblem: side === "good" ? "star" : "eye",
            title: `${TITLES[side]}’s cards${own(view) === side ? " (yours)" : ""}`,
            said: `${view.hands?.[side].length ?? 0} in hand, ${used.length} used`,
            cards: SETS.combat[side].map((id) => cardFace(id) + tags(id)),
            nouns: SETS.combat[side],
        };
    });
}

export function stage(view: Board): { title: string; halves: Half[] }[] {
    const { battle } = view;
    if (!battle) return [];
    const attacking = named(battle.attacking) ?? "good";
    const half = (side: SideName): Half => {
        const isAttacker = side === attacking;
        const who = isAttacker ? battle.attacker : battle.defender;
        const open = battle.cards?.[side];
        const counts = battle.inForce?.[side] ?? open;
        const yours = own(view) === side ? battle.yourCard : undefined;
        const isSealed = side === "good" ? battle.goodSealed : battle.darkSealed;
        const [drawn, said] =
            open && counts && counts !== open
                ? [cardFace(counts), `played as ${TITLES[side]}’s ${short(card(open).name)}`]
                : open
                  ? [cardFace(open), "open"]
                  : yours
                    ? [cardFace(yours), "yours, still face down"]
                    : isSealed
                      ? [`${side} back`, "face down"]
                      : [`${side} empty`, "no card yet"];
        const power = who ? `${short(face(who).name)}: ${face(who).description}` : "";
        const isOfText = counts !== undefined && open !== undefined && !card(counts).value;
        const text = isOfText ? `${short(card(counts).name)}: ${card(counts).description}` : "";
        const without = isAttacker ? "No cards are used: the strengths decide." : "";
        return {
            plate: who ? plate(who) : `${side} back`,
            card: battle.noCards ? "" : drawn,
            words: bare(
                `${TITLES[side]} ${isAttacker ? "attacks" : "defends"}${battle.noCards ? "" : said}${power}${text}${battle.noCards ? without : ""}`,
            ),
        };
    };
    return [
        {
            title: `Battle in ${inWords(battle.region)}`,
            halves: [half(attacking), half(other(attacking))],
        },
    ];
}

const STAGES: Record<Stage, string> = {
    [Stage.UNSPECIFIED]: "",
    [Stage.DRAFT]: "Choosing characters",
    [Stage.SPECIALS]: "Choosing special cards",
    [Stage.PLACE]: "Placing the characters",
};

export function choosing(view: Board): Chosen[] {
    const { setup } = view;
    if (!setup) return [];
    const side = own(view);
    const isDraft = setup.stage === Stage.DRAFT;
    const pairs = PAIRS.filter(([id = ""]) => face(id).side === "good").length;
    const done = [setup.goodDone, setup.darkDone].map(
        (count, at) =>
            `${at ? "Dark" : "Good"} has chosen ${count}${isDraft ? ` of ${pairs}` : ""}`,
    );
    const heads = isDraft && side ? ["Classic face", "Variant face"] : [];
    return [
        {
            title: STAGES[setup.stage],
            done: [done.join(" · "), ...heads].join(" | "),
            words: bare(placing(view)),
            rows:
                side && isDraft
                    ? drafted(view, side)
                    : setup.stage === Stage.SPECIALS
                      ? specials(view)
                      : waiting(view),
        },
    ];
}

function placing(view: Board): string {
    const side = own(view);
    if (!side || view.setup?.stage !== Stage.PLACE) return "";
    const { yours } = view.setup;
    const placed = yours.map((text, at) => {
        const [who = "", where = ""] = text.split(" ");
        return `${at + 1}. ${regionName(where)}: ${who === "nobody" ? who : called(who)}`;
    });
    const next = FORWARD[side][yours.length];
    const home = inWords(HOMES[side]);
    return (
        placed.join(", ") +
        (next ? `Next: ${regionName(next)}. Still in ${home}:` : `The others stay in ${home}.`)
    );
}

function drafted(view: Board, side: SideName): string[][] {
    const yours = view.setup?.yours ?? [];
    return PAIRS.filter(([id = ""]) => face(id).side === side).map((pair, at) => [
        ...(at === yours.length ? ["now"] : []),
        ...pair.map((id) => {
            const isGone = yours.some((chosen) => chosen !== id && pair.includes(chosen));
            return `${plate(id)}${isGone ? " gone" : ""} <${id}>${yours.includes(id) ? " chosen" : ""}`;
        }),
    ]);
}

function specials(view: Board): string[][] {
    const agreed = view.options.find(({ name }) => name === "special_cards")?.value;
    const set = agreed === "set_2002" ? SETS.special_2002 : SETS.special_deluxe;
    const isChosen = (id: string): boolean => view.setup?.yours.includes(id) ?? false;
    return set.good.map((id, at) =>
        [id, set.dark[at] ?? ""].map(
            (id) => `${cardFace(id)} <${id}>${isChosen(id) ? " chosen" : ""}`,
        ),
    );
}

/** Whom the viewer may still place, two in a row. */
function waiting(view: Board): string[][] {
    const side = own(view);
    if (!side || view.setup?.stage !== Stage.PLACE) return [];
    const placed = piecesIn(view).filter((piece) => piece.side === side);
    const left = (view.rosters?.[side]?.names ?? []).filter(
        (name) => !placed.some(({ character }) => character === name),
    );
    const drawn = left.map((id) => `${plate(id)} <${id}>`);
    return drawn.flatMap((_, at) => (at % 2 ? [] : [drawn.slice(at, at + 2)]));
}

/** What is read first: whose turn it is, or how it ended. */
export function status(view: Board): string {
    const turn = named(view.turn);
    const said = view.result
        ? view.result.sentence
        : turn
          ? `Turn ${view.ply + 1} · ${TITLES[turn]}${turn === own(view) ? " (you)" : ""} to move`
          : "Setting up";
    const match =
        view.games > 1
            ? `Game ${view.game} of ${view.games} · points ${view.points.join(" : ")}`
            : "";
    const { journey, duty } = view;
    const by = named(journey?.by);
    const travels =
        journey && by
            ? `${TITLES[by]} goes through the tunnel from ${inWords(journey.from)} to ${inWords(journey.to)}.`
            : "";
    const owes = named(duty?.side);
    const demanded =
        duty && owes
            ? `${TITLES[owes]} ${duty.mustMove ? "must" : "may not"} move ${duty.character ? face(duty.character).name.replace(/^The /, "the ") + (isNamesake(face(duty.character)) ? " (variant)" : "") : "one hidden character"} now.`
            : "";
    return bare(said + match + travels + demanded);
}

/** What follows from what the viewer has seen: each of the enemy's characters once, with its regions. */
export function conclusions(view: Board): string[] {
    if (!view.inference) return [];
    const { worlds, couldBe } = view.inference;
    const ways = worlds === 1n ? "One way" : `${worlds.toLocaleString("en")} ways`;
    const where = new Map<string, string[]>();
    for (const { character, regions } of couldBe) {
        const key = regions.map(regionName).join(", ") || "in the tunnel";
        where.set(key, [
            ...(where.get(key) ?? []),
            `${called(character)} (${face(character).strength})`,
        ]);
    }
    return [
        "What you may conclude",
        `${ways} in which the enemy may stand.`,
        ...[...where].map(([regions, who]) => `${who.join(", ")}: ${regions}`),
    ].map(bare);
}

/** A side's chart: all that plays or may, but for cards that only have a number, and what has become of each. */
export function chart(view: Board, side: SideName): string {
    const entries = view.charts?.[side] ?? [];
    const told = entries
        .filter(
            ({ inGame, kind, title }) =>
                inGame && !(kind === EntryKind.CARD && /^\d+$/.test(title)),
        )
        .map(({ name, title, kind, strength, text, exceptions }) => {
            const heading =
                kind === EntryKind.CHARACTER
                    ? `${title}, strength ${strength ?? ""}`
                    : `${TITLES[side]}’s ${kind === EntryKind.CARD ? "card" : "special card"}: ${title}`;
            const isFallen = view.fallen?.[side].includes(name);
            const isUsed = view.used?.[side].includes(name);
            const state = isFallen
                ? "Fallen."
                : isUsed
                  ? "Used; comes back when all nine have been used."
                  : view.ringBearer === name
                    ? "Carries the Ring."
                    : "";
            return [heading, state, text, ...exceptions].join("");
        });
    return bare(`The chart of ${TITLES[side]}${told.join("")}`);
}

/** On the backs of each region: who is there for certain, else who may be or how many those are. */
export function hints(view: Board): Record<string, string[][]> {
    const side = own(view);
    if (!side || !view.inference) return {};
    const enemy = other(side);
    const found: Record<string, string[][]> = {};
    for (const { region, ...of } of view.regions) {
        const backs = (of[enemy]?.count ?? 0) - (of[enemy]?.pieces.length ?? 0);
        const seen = (of[enemy]?.pieces ?? []).map(({ character }) => character);
        const may = view.inference.couldBe.filter(
            ({ character, regions }) => regions.includes(region) && !seen.includes(character),
        );
        const certain = may.filter(({ regions }) => regions.length === 1);
        const unsure = may
            .filter((one) => !certain.includes(one))
            .map(({ character }) => called(character));
        if (backs)
            found[region] = Array.from({ length: backs }, (_, at) => {
                const known = certain[at];
                return known
                    ? [bare(called(known.character))]
                    : [bare(unsure.join(", ")), bare(`one of ${unsure.length}`)];
            });
    }
    return found;
}
