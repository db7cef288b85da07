/** Chance of this browser's. These work on plain http, too, where crypto.randomUUID does not. */

export function randomBytes(count: number): Uint8Array<ArrayBuffer> {
    return crypto.getRandomValues(new Uint8Array(count));
}

/** A name that nothing else has: 32 hexadecimal digits. */
export function randomId(): string {
    return [...randomBytes(16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** One of some things, each as likely as the next. */
export function oneOf<T>(things: readonly T[]): T | undefined {
    const fair = 256 - (256 % things.length);
    for (;;) {
        const [byte = 0] = randomBytes(1);
        if (byte < fair || things.length === 0) return things[byte % things.length];
    }
}
