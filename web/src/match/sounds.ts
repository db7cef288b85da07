/** Two short sounds, made by the browser itself: it is my turn, and the match is over. */

const notes = { turn: [523.25, 659.25], over: [392, 329.63, 261.63] } as const;
const noteSeconds = 0.14;

let context: AudioContext | undefined;

export function sound(what: keyof typeof notes): void {
    if (!("AudioContext" in globalThis)) return;
    try {
        context ??= new AudioContext();
        // Before anybody has touched the page, browsers are silent; then nothing is lost.
        if (context.state === "suspended") void context.resume().catch(() => undefined);
        notes[what].forEach((pitch, n) => {
            ring(context as AudioContext, pitch, n * noteSeconds);
        });
    } catch {
        context = undefined;
    }
}

function ring(on: AudioContext, pitch: number, after: number): void {
    const begin = on.currentTime + after;
    const [tone, volume] = [on.createOscillator(), on.createGain()];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(0.15, begin + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + noteSeconds * 2);
    tone.connect(volume).connect(on.destination);
    tone.start(begin);
    tone.stop(begin + noteSeconds * 2);
}
