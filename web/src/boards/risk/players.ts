/** Every seat: what it has, and what it would score now. */
import type { Player } from "$gen/bree/risk/v1/board_pb";
import type { Explained } from "../../parts/touching";
import { type Board, capital, many, pointsOf, titleOf } from "./facts";
import { alignmentName, ownerOf } from "./owners";

export interface Score {
    kind: "territories" | "strongholds" | "regions" | "cards";
    count: number;
    points: number;
    label: string;
}

export interface PlayedCard {
    card: string;
    title: string;
    points: number;
}

export interface PlayerRow {
    seat: string;
    name: string;
    you: boolean;
    turn: boolean;
    out: boolean;

    /** Where it comes in, if that is settled. */
    place: number | undefined;
    won: boolean;
    alignment: string;
    total: number;
    scores: readonly Score[];
    battalions: number;
    leaders: number;
    territoryCards: number;
    adventureCards: number;

    /** In a few words each, what else is so. */
    notes: readonly string[];
    played: readonly PlayedCard[];
    label: string;
    about: Explained;
}

const STRONGHOLD_POINTS = 2;
const LEAST = 3;
const EACH = 3;

function scoresOf({ points }: Player): Score[] {
    const { territories = 0, strongholds = 0, regions = 0, cards = 0 } = points ?? {};
    return [
        { kind: "territories", count: territories, points: territories, label: "Territories" },
        {
            kind: "strongholds",
            count: strongholds,
            points: STRONGHOLD_POINTS * strongholds,
            label: "Strongholds, two each",
        },
        { kind: "regions", count: regions, points: regions, label: "Whole regions" },
        { kind: "cards", count: cards, points: cards, label: "Cards played" },
    ];
}

/** What a seat would receive if its turn began now. */
export function income({ points, out }: Player): { lands: number; regions: number; walls: number } {
    const { territories = 0, strongholds = 0, regions = 0 } = points ?? {};
    if (out || !territories) return { lands: 0, regions: 0, walls: 0 };
    return {
        lands: Math.max(LEAST, Math.floor(territories / EACH)),
        regions,
        walls: strongholds,
    };
}

export function incomeLine(player: Player): string {
    const { lands, regions, walls } = income(player);
    const parts = [
        `${lands} for land`,
        ...(regions ? [`${regions} for regions`] : []),
        ...(walls ? [`${walls} in strongholds`] : []),
    ];
    return `At the start of a turn: ${parts.join(", ")}.`;
}

export function playerRows(view: Board): PlayerRow[] {
    return view.players.map((player) => {
        const { seat, alignment } = player;
        const name = ownerOf(seat).name;
        const row = {
            seat,
            name,
            you: seat === view.seat,
            turn: !view.result && seat === view.turn,
            out: player.out,
            place: player.place,
            won: view.result?.winners.includes(seat) ?? false,
            alignment: alignmentName(alignment),
            total: player.points?.total ?? 0,
            scores: scoresOf(player),
            battalions: Number(player.battalions),
            leaders: view.territories.filter((one) => one.leader && one.holder === seat).length,
            territoryCards: player.territoryCards?.count ?? 0,
            adventureCards: player.adventureCards?.count ?? 0,
            notes: notesOf(player),
            played: player.played.map((card) => ({
                card,
                title: titleOf(card),
                points: pointsOf(card, alignment),
            })),
        };
        return { ...row, label: labelOf(row), about: aboutPlayer(row, player) };
    });
}

type Row = Omit<PlayerRow, "label" | "about">;

function notesOf(player: Player): string[] {
    return [
        ...(player.out ? ["out of the game"] : []),
        ...(player.reserve ? [`${many(player.reserve, "battalion")} to place`] : []),
        ...(player.secrets?.count ? ["a secret card"] : []),
        ...(player.locked ? ["plays no more cards"] : []),
    ];
}

function labelOf(row: Row): string {
    const who = row.you ? `${row.name}, you` : row.name;
    const told = [
        ...(row.turn ? ["whose turn it is"] : []),
        ...(row.won ? ["the winner"] : []),
        ...(row.place ? [`comes in as number ${row.place}`] : []),
        row.alignment,
        many(row.total, "point"),
        many(row.battalions, "battalion"),
        many(row.leaders, "Leader"),
        many(row.territoryCards, "Territory card"),
        many(row.adventureCards, "Adventure card"),
        ...row.notes,
    ];
    return `${who}: ${told.join(", ")}`;
}

function aboutPlayer(row: Row, player: Player): Explained {
    const scored = row.scores.map(({ label, points }) => `${label.toLowerCase()}: ${points}`);
    const played = row.played.map(({ title, points }) => `${title} (${points})`);
    return {
        title: row.you ? `${row.name}, you` : row.name,
        lines: [
            `${capital(row.alignment)}. ${many(row.total, "point")} now, of ${scored.join(", ")}.`,
            incomeLine(player),
            ...(played.length ? [`Played: ${played.join(", ")}.`] : []),
        ],
    };
}
