/** Whether a point lies within a ring: an edge to its right is crossed an odd number of times. */
export function inside(
    [x, y]: readonly [number, number],
    ring: readonly (readonly number[])[],
): boolean {
    let isIn = false;
    ring.forEach(([ax = 0, ay = 0], at) => {
        const [bx = 0, by = 0] = ring[(at + 1) % ring.length] ?? [];
        const isCrossed = ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax;
        if (isCrossed) isIn = !isIn;
    });
    return isIn;
}
