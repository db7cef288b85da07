/** A side's nine cards: how they lie. */
export const CARD = { height: 50, gap: 4, head: 22 };

export interface Lay {
    columns: number;
    width: number;
    height: number;
}

export function layOf(width: number): Lay {
    const columns = width >= 600 ? 9 : 5;
    const rows = Math.ceil(9 / columns);
    return {
        columns,
        width: (width - (columns - 1) * CARD.gap) / columns,
        height: CARD.head + rows * CARD.height + (rows - 1) * CARD.gap,
    };
}
