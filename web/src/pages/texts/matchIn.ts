/** The match in what somebody has typed or pasted: its name, or a link to its page. */

const NAME = /^[a-z0-9-]{4,40}$/;

export function matchIn(typed: string): string | undefined {
    const said = typed.trim();
    if (NAME.test(said)) return said;
    const [, name] = /\/m\/([^/?#]+)/.exec(said) ?? [];
    return name !== undefined && NAME.test(name) ? name : undefined;
}
