import { mount } from "svelte";
import App from "../../src/App.svelte";
import { fakeWire, happen, populated, type Case } from "./fake";

const wanted = (new URL(location.href).searchParams.get("case") ?? "") as Case;
const wire = fakeWire(populated(wanted));
const target = document.getElementById("app");
if (!target) throw new Error("no place");
mount(App, { target, props: { wire } });
setTimeout(() => {
    happen(wire, wanted);
}, 300);
