/** What stands for a seat wherever it is named: the colour and outline that its board draws it with. */

export interface SeatMark {
    /** About a circle of radius 10. */
    shape: string;
    fill: string;
    letters: string;
}

const round = "M0 -10.5a10.5 10.5 0 1 1 0 21a10.5 10.5 0 1 1 0 -21z";
const plate = "M-12 -9H12V9H-12z";

const marks: Readonly<Record<string, Omit<SeatMark, "letters"> & { letters?: string }>> = {
    yellow: { shape: round, fill: "light-dark(#f0c419, #f2cf3f)" },
    red: { shape: "M0 -13.5L13.5 0L0 13.5L-13.5 0z", fill: "light-dark(#b3261e, #ff8a7a)" },
    green: {
        shape: "M-10.5 -10H10.500V1C10.5 7 5 10.5 0 13C-5 10.5 -10.5 7 -10.5 1z",
        fill: "light-dark(#1f6b33, #7fd492)",
    },
    black: { shape: "M-10 -10H10V10H-10z", fill: "light-dark(#26262b, #0b0b0d)" },
    gondor: { shape: plate, fill: "light-dark(#aebde0, #333d63)", letters: "Go" },
    rohan: { shape: plate, fill: "light-dark(#9dc48c, #27492f)", letters: "Ro" },
    witch_king: { shape: plate, fill: "light-dark(#c29d9a, #4b2d30)", letters: "WK" },
    saruman: { shape: plate, fill: "light-dark(#e0d07f, #544d22)", letters: "SM" },
};

/** A seat that no board has a colour for is a letter in a ring. */
export function seatMark(seat: string): SeatMark {
    const letters = seat.slice(0, 1).toUpperCase();
    return { letters, ...(marks[seat] ?? { shape: round, fill: "var(--raised)" }) };
}

/** The colours on which letters are light by day and dark by night. */
export const strong: ReadonlySet<string> = new Set(["red", "green"]);
