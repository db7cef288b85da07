/** The terms of a bot, as a form has them. */
import { Pace } from "$gen/bree/gateway/v1/gateway_pb";
import { Opponents, type Terms } from "$gen/bree/gateway/v1/programs_pb";

export interface TermsForm {
    readonly games: readonly string[];
    readonly paces: readonly Pace[];
    readonly opponents: Opponents;

    /** As they are typed; empty for no limit of one's own. */
    readonly most: string;
    readonly withBots: string;
}

export const PACES = [
    { value: Pace.LIVE, text: "Live", about: "A clock of an hour a seat, at most." },
    { value: Pace.SLOW, text: "Slow", about: "A longer clock." },
    { value: Pace.FREE, text: "Free", about: "No clock." },
] as const;

export const OPPONENTS = [
    { value: "everybody", text: "Everybody" },
    { value: "people", text: "People" },
    { value: "bots", text: "Other bots" },
] as const;

const OPPONENTS_OF: Readonly<Record<string, Opponents>> = {
    everybody: Opponents.UNSPECIFIED,
    people: Opponents.PEOPLE,
    bots: Opponents.BOTS,
};

const MOST_MATCHES = 1_000_000;
const MOST_WITH_BOTS = 100;

export function formOf(terms: Terms | undefined): TermsForm {
    return {
        games: terms?.games ?? [],
        paces: terms?.paces ?? [],
        opponents: terms?.opponents ?? Opponents.UNSPECIFIED,
        most: terms?.mostMatches ? String(terms.mostMatches) : "",
        withBots: terms?.mostBotMatches === undefined ? "" : String(terms.mostBotMatches),
    };
}

/** With whom it plays, by the name of the choice, and back. */
export function opponentsOf(value: string): Opponents {
    return OPPONENTS_OF[value] ?? Opponents.UNSPECIFIED;
}

export function opponentsWord(opponents: Opponents): string {
    return OPPONENTS.find(({ value }) => OPPONENTS_OF[value] === opponents)?.value ?? "everybody";
}

/** What is wrong with the figures, by the name of the field. */
export function problemIn({ most, withBots }: TermsForm): { most?: string; withBots?: string } {
    return {
        ...(isFigure(most, 1, MOST_MATCHES)
            ? {}
            : { most: "A whole number of at least 1, or nothing." }),
        ...(isFigure(withBots, 0, MOST_WITH_BOTS)
            ? {}
            : { withBots: `A whole number from 0 to ${MOST_WITH_BOTS}, or nothing.` }),
    };
}

export function termsOf({ games, paces, opponents, most, withBots }: TermsForm): {
    games: string[];
    paces: Pace[];
    opponents: Opponents;
    mostMatches: number;
    mostBotMatches?: number;
} {
    return {
        games: [...games],
        paces: [...paces],
        opponents,
        mostMatches: Number(most.trim()),
        ...(withBots.trim() ? { mostBotMatches: Number(withBots.trim()) } : {}),
    };
}

function isFigure(typed: string, least: number, most: number): boolean {
    const said = typed.trim();
    if (said === "") return true;
    return /^\d{1,6}$/.test(said) && Number(said) >= least && Number(said) <= most;
}
