/** What a token may do, in words. */
import { TokenScope } from "$gen/bree/gateway/v1/tokens_pb";

export const SCOPES = [
    {
        value: "play",
        scope: TokenScope.PLAY,
        text: "Play",
        about: "It may do at tables what you may: open, join and play matches.",
    },
    {
        value: "bot",
        scope: TokenScope.BOT,
        text: "Play as a bot",
        about: "It may look, and do what a program needs that plays.",
    },
    {
        value: "read",
        scope: TokenScope.READ,
        text: "Look",
        about: "It sees what you see, and changes nothing.",
    },
] as const;

/** The scope of a choice. */
export function scopeOf(value: string): TokenScope {
    return SCOPES.find((one) => one.value === value)?.scope ?? TokenScope.READ;
}

export function scopeWords(scope: TokenScope): string {
    if (scope === TokenScope.READ) return "may look";
    if (scope === TokenScope.PLAY) return "may play";
    return scope === TokenScope.BOT ? "may play as a bot" : "";
}
