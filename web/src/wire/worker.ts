/** Holds the browser's stream for all tabs of this page: a SharedWorker. */
import { patient } from "./calls";
import { clientsOver, transportAt } from "./clients";
import { Desk } from "./desk";
import { Exchange } from "./exchange";
import type { FromTab } from "./messages";
import { Waiting } from "./patience";

interface Addressed {
    from: string;
    body: FromTab;
}

const around = { waiting: new Waiting(), trouble: () => undefined };
const exchange = new Exchange(clientsOver(patient(transportAt(location.origin), around)));
const desk = new Desk(exchange, "locks" in navigator ? navigator.locks : undefined);

addEventListener("connect", (event) => {
    const port = (event as MessageEvent).ports[0];
    if (!port) return;
    port.onmessage = ({ data }: MessageEvent<Addressed>) => {
        desk.hear(data.from, data.body, (message) => {
            port.postMessage(message);
        });
    };
});
