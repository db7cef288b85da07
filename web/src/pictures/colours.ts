/** Style sheets for programs that know no variables and no themes: each colour is said. */
export type Theme = "light" | "dark";

/** How deep variables may stand in one another. */
const DEEPEST = 8;

/** The rules with one theme chosen and no variable left; what depends on a screen is left out. */
export function resolved(sheet: string, theme: Theme): string {
    const bare = sheet
        .replace(/\/\*[^]*?\*\//g, "")
        .replace(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, "");
    const chosen = bare.replace(
        /light-dark\(\s*([^,()]+),\s*([^()]+)\)/g,
        (_, light: string, dark: string) => (theme === "dark" ? dark : light).trim(),
    );
    const values = new Map<string, string>();
    for (const [, name = "", value = ""] of chosen.matchAll(/(--[\w-]+):\s*([^;{}]+);/g))
        if (!values.has(name)) values.set(name, value.trim());
    let rules = chosen.replace(/--[\w-]+:\s*[^;{}]+;/g, "");
    for (let depth = 0; depth < DEEPEST && rules.includes("var("); depth++)
        rules = rules.replace(
            /var\((--[\w-]+)(?:,\s*([^()]*))?\)/g,
            (_, name: string, other?: string) => values.get(name) ?? other ?? "inherit",
        );
    return rules
        .replace(/[^{}]*\{\s*\}/g, "")
        .replace(/\s+/g, " ")
        .trim();
}
