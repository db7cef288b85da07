/** Patterns that tell areas apart for whoever cannot tell their colours. */
export const PATTERNS = [
    "stripes",
    "dots",
    "hatch",
    "counter",
    "bars",
    "rings",
    "zigzag",
    "levels",
    "bricks",
] as const;

export type Pattern = (typeof PATTERNS)[number];

/** How an area is painted: a colour, and a pattern upon it. */
export interface Paint {
    /** A class that has the colour as its `fill`, for each theme: for pages and pictures. */
    tone?: string;
    /** A colour that is the same in each theme. */
    fill?: string;
    pattern?: Pattern;
}

/** One tile of 12 by 12: what is stroked and what is filled. */
export const TILES: Record<Pattern, { line?: string; dots?: string }> = {
    stripes: { line: "M-3 3L3 -3M0 12L12 0M9 15L15 9" },
    counter: { line: "M-3 9L3 15M0 0L12 12M9 -3L15 3" },
    hatch: { line: "M0 12L12 0M0 0L12 12" },
    bars: { line: "M3 0V12M9 0V12" },
    levels: { line: "M0 3H12M0 9H12" },
    zigzag: { line: "M0 4.5L3 1.5L6 4.5L9 1.5L12 4.5M0 10.5L3 7.5L6 10.5L9 7.5L12 10.5" },
    bricks: { line: "M0 .5H12M0 6.5H12M3 .5V6.5M9 6.5V12.5" },
    rings: { line: "M6 3.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 1 1 0 -5.6" },
    dots: {
        dots: "M3 1.3a1.7 1.7 0 1 1 0 3.4a1.7 1.7 0 1 1 0 -3.4M9 7.3a1.7 1.7 0 1 1 0 3.4a1.7 1.7 0 1 1 0 -3.4",
    },
};

/** By which a pattern is found; several maps on one page have patterns of their own. */
export const patternId = (of: string, pattern: Pattern): string => `${of}-${pattern}`;
