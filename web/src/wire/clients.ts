/** The gateway's services, over Connect. The browser itself adds the session's cookie. */
import type { DescService } from "@bufbuild/protobuf";
import { createClient, type Client, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import {
    AccountService,
    CatalogService,
    MatchService,
    NewsService,
    NoteService,
    RatingService,
    SessionService,
} from "$gen/bree/gateway/v1/gateway_pb";

export interface Clients {
    accounts: Client<typeof AccountService>;
    catalog: Client<typeof CatalogService>;
    matches: Client<typeof MatchService>;
    news: Client<typeof NewsService>;
    notes: Client<typeof NoteService>;
    ratings: Client<typeof RatingService>;
    sessions: Client<typeof SessionService>;

    /** One of the services that only few pages call: its messages travel with those. */
    of<S extends DescService>(service: S): Client<S>;
}

export function transportAt(baseUrl: string): Transport {
    return createConnectTransport({ baseUrl, useBinaryFormat: true });
}

export function clientsOver(transport: Transport): Clients {
    return {
        accounts: createClient(AccountService, transport),
        catalog: createClient(CatalogService, transport),
        matches: createClient(MatchService, transport),
        news: createClient(NewsService, transport),
        notes: createClient(NoteService, transport),
        ratings: createClient(RatingService, transport),
        sessions: createClient(SessionService, transport),
        of: (service) => createClient(service, transport),
    };
}
