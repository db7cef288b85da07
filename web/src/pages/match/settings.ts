/** The settings of the page, as the page of a match reads them. */
import type { PageSettings } from "../../frame/settings.svelte";
import type { Settings } from "../../match/settings";

export function toSettings(settings: PageSettings): Settings {
    return settings;
}
