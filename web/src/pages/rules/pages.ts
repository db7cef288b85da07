/** The pages of rules, rendered when Bree was built, each fetched when it is read. */
import type { RulesPage } from "../../../rulesPages";

const found = import.meta.glob<RulesPage>("../../../../docs/rules/*.md", {
    query: "?rules",
    import: "default",
});

const LOADERS = new Map(
    Object.entries(found).map(([path, load]) => [/([a-z]+)\.md$/.exec(path)?.[1] ?? path, load]),
);

export const GAMES_WITH_RULES: readonly string[] = [...LOADERS.keys()].sort();

export function hasRules(game: string): boolean {
    return LOADERS.has(game);
}

export async function rulesPage(game: string): Promise<RulesPage> {
    const load = LOADERS.get(game);
    if (!load) throw new Error(`there are no rules of ${game}`);
    return load();
}
