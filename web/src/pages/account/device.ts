/** What a browser is called in the list of devices. */

const BROWSERS: readonly (readonly [RegExp, string])[] = [
    [/\bFirefox\/|\bFxiOS\//, "Firefox"],
    [/\bEdg(e|A|iOS)?\//, "Edge"],
    [/\bOPR\//, "Opera"],
    [/\bChrom(e|ium)\/|\bCriOS\//, "Chrome"],
    [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
    [/\biPhone\b/, "iPhone"],
    [/\biPad\b/, "iPad"],
    [/\bAndroid\b/, "Android"],
    [/\bWindows\b/, "Windows"],
    [/\bMac OS X\b/, "Mac"],
    [/\bCrOS\b/, "ChromeOS"],
    [/\bLinux\b/, "Linux"],
];

/** "Firefox on Linux": what people recognize, and no more of what the browser tells of itself. */
export function deviceName(userAgent: string): string {
    const found = (names: typeof BROWSERS): string | undefined =>
        names.find(([pattern]) => pattern.test(userAgent))?.[1];
    const [browser, system] = [found(BROWSERS) ?? "A browser", found(SYSTEMS)];
    return system ? `${browser} on ${system}` : browser;
}
