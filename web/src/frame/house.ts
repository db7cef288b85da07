/** What every page finds in the house. */
import type { Account } from "$gen/bree/gateway/v1/gateway_pb";
import { getContext, setContext } from "svelte";
import type { Wire } from "../wire/contract";
import type { Catalogue } from "./catalogue.svelte";
import type { Router } from "./router.svelte";
import type { SettingsStore } from "./settings.svelte";
import type { Toasts } from "./toasts.svelte";
import type { Turns } from "./turns.svelte";

export interface House {
    readonly wire: Wire;
    readonly router: Router;
    readonly catalogue: Catalogue;
    readonly settings: SettingsStore;
    readonly toasts: Toasts;
    readonly turns: Turns;

    /** The account; undefined before there is one. */
    readonly account: Account | undefined;

    /** How often the platform has come back after an outage. */
    readonly recoveries: number;

    /** What this page is called in the browser's own title. */
    title: string;
}

const key = Symbol("house");

export function setHouse(house: House): void {
    setContext(key, house);
}

export function house(): House {
    return getContext<House>(key);
}
