/** What the page of a match reads of a person's settings. */
import type { PageSettings } from "../frame/settings.svelte";

export type Settings = PageSettings;
