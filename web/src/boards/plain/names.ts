/** What the views that were shown so far call the names in actions: views say it, and boards are asked. */
const learnt = new Map<string, string>();

export function learn(names: ReadonlyMap<string, string>): void {
    for (const [noun, name] of names) learnt.set(noun, name);
}

export function nameOf(noun: string): string | undefined {
    return learnt.get(noun);
}
