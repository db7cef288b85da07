import { mount } from "svelte";
import App from "./App.svelte";
import { ownStorage, SettingsStore } from "./frame/settings.svelte";
import { createWire } from "./wire";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no place for the application");
// Before anything is drawn, so that nothing flashes.
new SettingsStore(ownStorage()).mark(document.documentElement);
mount(App, { target, props: { wire: createWire() } });
