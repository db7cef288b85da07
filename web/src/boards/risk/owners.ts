/** Armies, told apart by colour, by the shape of what they have, and by a pattern on their land. */
import type { Pattern } from "../../parts/map/patterns";
import { Alignment, type Board, type Player } from "$gen/bree/risk/v1/board_pb";
import { capital } from "./facts";

export interface Owner {
    seat: string;
    name: string;
    letter: string;

    /** The outline of all that it has, about a circle of radius 10. */
    shape: string;
    pattern: Pattern | undefined;
}

const owner = (seat: string, shape: string, pattern?: Pattern): Owner => ({
    seat,
    name: capital(seat),
    letter: seat.slice(0, 1).toUpperCase(),
    shape,
    pattern,
});

/** Everybody's outline takes a number in its middle. */
export const OWNERS: ReadonlyMap<string, Owner> = new Map(
    [
        owner("yellow", "M0 -10.5a10.5 10.5 0 1 1 0 21a10.5 10.5 0 1 1 0 -21z", "dots"),
        owner("red", "M0 -13.5L13.5 0L0 13.5L-13.5 0z", "stripes"),
        owner("green", "M-10.5 -10H10.500V1C10.5 7 5 10.5 0 13C-5 10.5 -10.5 7 -10.5 1z", "zigzag"),
        owner("black", "M-10 -10H10V10H-10z", "hatch"),
        owner(
            "neutral",
            "M-4.5 -11H4.500L11 -4.500V4.500L4.5 11H-4.500L-11 4.500V-4.500z",
            "levels",
        ),
    ].map((one) => [one.seat, one]),
);

const NOBODY = owner("", "M0 -4a4 4 0 1 1 0 8a4 4 0 1 1 0 -8z");

export const ownerOf = (seat: string | undefined): Owner => OWNERS.get(seat ?? "") ?? NOBODY;

/** What an army is called within a sentence. */
export const armyName = (seat: string): string =>
    seat === "neutral" ? "the neutral army" : ownerOf(seat).name;

export const alignmentName = (alignment: Alignment): string =>
    alignment === Alignment.EVIL ? "evil" : "good";

/** The player whose eyes these are. */
export const own = (view: Board): Player | undefined =>
    view.players.find(({ seat }) => seat === view.seat);

export const option = (view: Board, name: string): string | undefined =>
    view.options.find((one) => one.name === name)?.value;
