/** The games that are served here, asked for once. */
import type { DescribeGameResponse } from "$gen/bree/engine/v1/engine_pb";
import type { Wire } from "../wire/contract";
import { Fetched } from "./fetched.svelte";
import { capital } from "./words";

export class Catalogue extends Fetched<readonly DescribeGameResponse[]> {
    constructor(wire: Wire) {
        super(async () => (await wire.clients.catalog.listGames({})).games);
    }

    game(name: string): DescribeGameResponse | undefined {
        return this.value?.find((game) => game.game === name);
    }

    /** What people call a game; its word until the catalogue is there. */
    title(name: string): string {
        return this.game(name)?.title ?? capital(name);
    }

    /** The short title, for lists: "The Lord of the Rings: Duel for Middle-earth" without its series. */
    short(name: string): string {
        return shortTitle(this.title(name));
    }
}

/** A title without what all of them begin with. */
export function shortTitle(title: string): string {
    return title.replace(/^The Lord of the Rings: /, "").replace(/: The Lord of the Rings.*$/, "");
}
