/** Some things by what they have in common, each group in the order of the things. */
export function grouped<T, K>(things: readonly T[], keyOf: (thing: T) => K): Map<K, T[]> {
    const groups = new Map<K, T[]>();
    for (const thing of things) {
        const key = keyOf(thing);
        const group = groups.get(key);
        if (group) group.push(thing);
        else groups.set(key, [thing]);
    }
    return groups;
}
