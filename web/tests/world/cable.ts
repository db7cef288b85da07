/** A network cable between browsers and the platform, which can be pulled out and plugged in again.
 *
 * What `context.setOffline` takes away is the network of pages; the worker that holds the stream of all
 * tabs keeps its own. A cable has them all. When it is out, nothing arrives and nobody is told, as when a
 * machine sleeps; plugged in, what was open before is broken, as after a sleep.
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

export class Cable {
    private readonly open = new Set<Socket>();
    private isOut = false;

    private constructor(
        private readonly server: Server,
        private readonly port: number,
    ) {
        server.on("connection", (socket) => {
            this.carry(socket);
        });
    }

    /** A cable to an address such as http://127.0.0.1:7080. */
    static async to(address: string): Promise<Cable> {
        const server = createServer();
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        return new Cable(server, Number(new URL(address).port));
    }

    get address(): string {
        return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    }

    pull(): void {
        this.isOut = true;
        for (const socket of this.open) socket.pause();
    }

    plug(): void {
        this.isOut = false;
        for (const socket of this.open) socket.destroy();
    }

    close(): void {
        this.plug();
        this.server.close();
    }

    private carry(near: Socket): void {
        const far = connect(this.port, "127.0.0.1");
        for (const [here, there] of [
            [near, far],
            [far, near],
        ] as const) {
            this.open.add(here);
            here.on("error", () => undefined); // the close that follows ends both
            here.on("close", () => {
                this.open.delete(here);
                there.destroy();
            });
            here.on("data", (data) => {
                if (!this.isOut) there.write(data);
            });
            if (this.isOut) here.pause();
        }
    }
}
