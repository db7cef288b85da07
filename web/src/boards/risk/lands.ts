/** What stands on each territory, and what it says of itself. */
import type { Explained } from "../../parts/touching";
import { Place, Via } from "$gen/bree/risk/v1/board_pb";
import { type Board, capital, isLand, listed, many, nameOfLand, SYMBOL_NAMES } from "./facts";
import type { CardSymbol } from "./facts";
import { PATH } from "./ground";
import { armyName } from "./owners";

export interface Stand {
    id: string;
    name: string;

    /** A seat, "neutral", or "" before it has been claimed. */
    holder: string;
    battalions: number;
    leader: boolean;
    rested: boolean;
    place: "stronghold" | "site_of_power" | "";

    /** Battalions that the viewer has placed but not confirmed. */
    planned: number;

    /** Whether it neither invades nor is invaded. */
    stormed: boolean;
    ring: boolean;

    /** Whether the viewer's secret card of a Local Uprising is of this territory. */
    secret: boolean;
    label: string;
}

const PLACES = {
    [Place.UNSPECIFIED]: "",
    [Place.STRONGHOLD]: "stronghold",
    [Place.SITE_OF_POWER]: "site_of_power",
} as const;

export const placeWords = (place: string): string => place.replaceAll("_", " ");

/** By its name, everything that stands there. */
export type Stands = ReadonlyMap<string, Stand>;

export function standing(view: Board): Stand[] {
    const planned = new Map(view.planned.map((one) => [one.territory, one.battalions]));
    const stormed = new Set(view.effects.flatMap(({ territories }) => territories));
    const secrets = new Set(view.players.flatMap(({ secrets }) => secrets?.known ?? []));
    const ringAt = PATH[view.ring - 1]?.territory;
    return view.territories.map((territory) => {
        const land = view.map?.territories[territory.territory];
        const id = land?.territory ?? "";
        const stand = {
            id,
            name: land?.name ?? nameOfLand(id),
            holder: territory.holder ?? "",
            battalions: Number(territory.battalions),
            leader: territory.leader,
            rested: territory.rested,
            place: PLACES[territory.place],
            planned: planned.get(id) ?? 0,
            stormed: stormed.has(id),
            ring: id === ringAt,
            secret: secrets.has(id),
        };
        return { ...stand, label: labelOf(stand) };
    });
}

function labelOf(stand: Omit<Stand, "label">): string {
    const { holder, battalions, planned } = stand;
    const told = [
        holder
            ? `${capital(armyName(holder))}, ${many(battalions, "battalion")}`
            : "nobody stands here",
        ...(planned ? [`${planned} more planned`] : []),
        ...(stand.leader ? [stand.rested ? "a Leader who has moved" : "a Leader"] : []),
        ...(stand.place ? [`a ${placeWords(stand.place)}`] : []),
        ...(stand.ring ? ["the Ring"] : []),
        ...(stand.stormed ? ["Winter Storms"] : []),
        ...(stand.secret ? ["your secret card"] : []),
    ];
    return `${stand.name}: ${told.join(", ")}`;
}

const WAYS: readonly (readonly [Via, string])[] = [
    [Via.LAND, "Borders on"],
    [Via.BRIDGE, "Over a bridge"],
    [Via.SEA, "By sea"],
];

/** All that is to be known of a territory. */
export function aboutLand(view: Board, id: string, stand: Stand | undefined): Explained {
    const lands = view.map?.territories ?? [];
    const at = lands.findIndex(({ territory }) => territory === id);
    const land = lands[at];
    const region = land && view.map?.regions[land.region];
    const near = (via: Via): string[] =>
        (view.map?.roads ?? [])
            .filter((road) => road.via === via && (road.a === at || road.b === at))
            .map((road) => lands[road.a === at ? road.b : road.a]?.name ?? "");
    const ranges = (view.map?.mountains ?? []).filter(({ territories }) =>
        territories.includes(at),
    );
    const said = stand?.label.slice(stand.name.length + 2) ?? "";
    return {
        title: land?.name ?? id,
        lines: [
            ...(said ? [`${capital(said)}.`] : []),
            ...(stand?.place ? [`${land?.placeName ?? ""}: a ${placeWords(stand.place)}.`] : []),
            ...(region ? [`${region.name}, all of which is worth ${region.bonus}.`] : []),
            ...WAYS.flatMap(([via, words]) => {
                const names = near(via);
                return names.length ? [`${words}: ${listed(names)}.`] : [];
            }),
            ...(ranges.length
                ? [`Below mountains: ${listed(ranges.map(({ name }) => name))}.`]
                : []),
            ...(land ? [`Its card: ${SYMBOL_NAMES[land.symbol as CardSymbol]}.`] : []),
        ],
    };
}

/** Which of these nouns are territories. */
export const landsIn = (nouns: Iterable<string>): string[] => [...nouns].filter(isLand);
