/** What people may recognize a device by: "Firefox on Linux". */

const browsers: readonly (readonly [RegExp, string])[] = [
    [/Edg(?:A|iOS)?\//, "Edge"],
    [/OPR\//, "Opera"],
    [/SamsungBrowser\//, "Samsung Internet"],
    [/Firefox\/|FxiOS\//, "Firefox"],
    [/Chrom(?:e|ium)\/|CriOS\//, "Chrome"],
    [/Safari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
    [/Android/, "Android"],
    [/iPhone|iPad|iPod/, "iOS"],
    [/Windows/, "Windows"],
    [/CrOS/, "ChromeOS"],
    [/Mac OS X|Macintosh/, "macOS"],
    [/Linux/, "Linux"],
];

export function deviceOf(userAgent: string): string {
    const first = (names: typeof browsers): string | undefined =>
        names.find(([form]) => form.test(userAgent))?.[1];
    const [browser = "A browser", system] = [first(browsers), first(systems)];
    return system ? `${browser} on ${system}` : browser;
}
