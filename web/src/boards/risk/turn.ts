/** Whose turn it is, what it has come to, and what is left of it. */
import { type Board, listed, many, nameOfLand } from "./facts";
import { ownerOf } from "./owners";

export interface Due {
    key: string;
    text: string;

    /** Whether it is still to come, or is earned. */
    state: "due" | "done" | "open";

    /** What leads there, if it may be done now, and what it means. */
    onward?: { verb: string; line: string };
}

export interface TurnTold {
    /** The seat that is shown beside it; "" if there is none. */
    seat: string;
    title: string;

    /** What goes on now. */
    lines: readonly string[];
    dues: readonly Due[];
}

const REASONS: Readonly<Record<string, string>> = {
    ring_destroyed: "The Ring is destroyed.",
    last_player: "Nobody else is left.",
};

const WINDOWS: Readonly<Record<string, string>> = {
    invasion_declared_defender: "The defender may play a card.",
    battle_declared_defender: "The defender of the port may play a card.",
    fellowship_before_leaving: "The Ring is about to move on; cards may be played.",
    fellowship_after_roll: "The Ring has rolled; cards may be played.",
    fellowship_final: "The Ring leaves unless a card holds it.",
};

export function turnTold(view: Board): TurnTold {
    if (view.result) return ended(view);
    if (view.turn === undefined) return settingUp(view);
    const name = ownerOf(view.turn).name;
    const isYours = view.turn === view.seat;
    return {
        seat: view.turn,
        title: `Turn ${view.number}: ${isYours ? `yours, ${name}` : name}`,
        lines: now(view),
        dues: dues(view),
    };
}

function ended({ result, players }: Board): TurnTold {
    const winners = result?.winners ?? [];
    const names = winners.map((seat) => ownerOf(seat).name);
    const points = [...players].sort((a, b) => (a.place ?? 9) - (b.place ?? 9));
    const told = points.map(({ seat, points }) => `${ownerOf(seat).name} ${points?.total ?? 0}`);
    return {
        seat: winners[0] ?? "",
        title: `${listed(names)} ${names.length > 1 ? "win" : "wins"}`,
        lines: [
            REASONS[result?.reason ?? ""] ?? "The game is over.",
            `Points: ${told.join(", ")}.`,
        ],
        dues: [],
    };
}

function settingUp(view: Board): TurnTold {
    const free = view.territories.filter(({ holder }) => holder === undefined).length;
    const left = view.players.map(({ reserve }) => reserve);
    const line = free
        ? `Territories are claimed; ${free} are free.`
        : left.some(Boolean)
          ? "Battalions are placed on one's own territories."
          : "Leaders are placed.";
    return { seat: view.seat ?? "", title: "Setup", lines: [line, ...placing(view)], dues: [] };
}

function placing({ toPlace, planned }: Board): string[] {
    const laid = planned.reduce((sum, { battalions }) => sum + battalions, 0);
    if (!toPlace && !laid) return [];
    const left = toPlace ? `${many(toPlace, "battalion")} to place` : "All battalions are placed";
    return [laid ? `${left}; ${laid} placed, not confirmed yet.` : `${left}.`];
}

function now(view: Board): string[] {
    const { invasion, march, window } = view;
    const told: string[] = [];
    if (invasion) {
        const target = invasion.to === undefined ? "another territory" : nameOfLand(invasion.to);
        told.push(`${target} is invaded from ${nameOfLand(invasion.from)}.`);
    } else if (march) {
        const end = march.to === undefined ? "somewhere else" : `to ${nameOfLand(march.to)}`;
        const who = march.leader ? "A Leader goes" : "Battalions go";
        told.push(`${who} from ${nameOfLand(march.from)} ${end}.`);
    }
    if (window !== undefined) told.push(WINDOWS[window] ?? "Cards may be played.");
    return [...told, ...placing(view)];
}

/** What the turn still brings. */
function dues({ step }: Board): Due[] {
    if (!step) return [];
    const { movesLeft, conquered, adventureEarned, extraCards } = step;
    const cards = extraCards + Number(conquered);
    return [
        {
            key: "moves",
            text: movesLeft ? `${many(movesLeft, "fortify move")} left` : "no fortify move",
            state: movesLeft ? "open" : "done",
            onward: { verb: "end_combat", line: "Touched, it ends your combat." },
        },
        {
            key: "territory",
            text: `Territory: ${cards ? many(cards, "card") : "none yet"}`,
            state: cards ? "due" : "open",
        },
        {
            key: "adventure",
            text: `Adventure: ${adventureEarned ? "1 card" : "none yet"}`,
            state: adventureEarned ? "due" : "open",
        },
        {
            key: "ring",
            text: "then the Ring",
            state: "open",
            onward: { verb: "stay", line: "Touched, you move no more battalions." },
        },
    ];
}
