/** Text as UTF-8 and back, for engines that have the language and nothing else; imported first. */

class Encoder {
    encode(text: string): Uint8Array {
        const bytes: number[] = [];
        for (const letter of text) push(bytes, letter.codePointAt(0) ?? 0);
        return Uint8Array.from(bytes);
    }
}

class Decoder {
    decode(bytes: Uint8Array): string {
        let escaped = "";
        for (const byte of bytes) escaped += `%${byte.toString(16).padStart(2, "0")}`;
        return decodeURIComponent(escaped);
    }
}

function push(bytes: number[], point: number): void {
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), low(point));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), low(point >> 6), low(point));
    else bytes.push(0xf0 | (point >> 18), low(point >> 12), low(point >> 6), low(point));
}

const low = (point: number): number => 0x80 | (point & 0x3f);

const here = globalThis as Record<string, unknown>;
here["TextEncoder"] ??= Encoder;
here["TextDecoder"] ??= Decoder;
