/** Notifications of the browser, for whoever allows them and looks elsewhere. */
import icon from "./favicon.svg";

export async function allowNotifying(): Promise<boolean> {
    if (!("Notification" in globalThis)) return false;
    return (await Notification.requestPermission()) === "granted";
}

export function notify(text: string, chosen: () => void): void {
    if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
    try {
        const shown = new Notification("Bree", { body: text, tag: "turn", icon });
        shown.addEventListener("click", () => {
            window.focus();
            shown.close();
            chosen();
        });
    } catch {
        // Some phones allow them only to workers.
    }
}
