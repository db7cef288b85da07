/** The ways in that an account has, as far as the host offers them. */
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { MailService } from "$gen/bree/gateway/v1/mail_pb";
import { PasskeyService, type Passkey } from "$gen/bree/gateway/v1/passkeys_pb";
import { ProviderService, type Identity } from "$gen/bree/gateway/v1/providers_pb";
import { RecoveryService } from "$gen/bree/gateway/v1/recovery_pb";
import type { Clients } from "../../wire/clients";
import { refusalOf } from "../../wire/refusal";

export interface Ways {
    /** Absent where the host offers none. */
    passkeys?: readonly Passkey[];
    codes: { left: number; made?: Timestamp };
    provider?: { name: string; issuer: string };
    identities: readonly Identity[];

    /** The address, which may be empty; absent where the host has no mail server. */
    mail?: string;
}

export async function waysOf(clients: Clients): Promise<Ways> {
    const [passkeys, codes, provider, identities, mail] = await Promise.all([
        offered(async () => (await clients.of(PasskeyService).listPasskeys({})).passkeys),
        offered(() => clients.of(RecoveryService).countRecoveryCodes({})),
        offered(() => clients.of(ProviderService).getProvider({})),
        offered(async () => (await clients.of(ProviderService).listIdentities({})).identities),
        offered(() => clients.of(MailService).getAddress({})),
    ]);
    return {
        ...(passkeys ? { passkeys } : {}),
        codes: {
            left: codes?.codes ?? 0,
            ...(codes?.createTime ? { made: codes.createTime } : {}),
        },
        ...(provider?.name ? { provider } : {}),
        identities: identities ?? [],
        ...(mail?.offered || mail?.address ? { mail: mail.address } : {}),
    };
}

/** What was asked for; nothing where the host does not offer it. */
export async function offered<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
        return await ask();
    } catch (error) {
        if (isNotOffered(error)) return undefined;
        throw error;
    }
}

export function isNotOffered(error: unknown): boolean {
    const { reason } = refusalOf(error);
    // An older gateway has no such method, and says so without a reason.
    if (reason === "") return ConnectError.from(error).code === Code.Unimplemented;
    return reason === "NOT_ALLOWED";
}

/** Whether there is a way in that is not lost with this browser. */
export function lasts({ passkeys, codes, provider, identities, mail }: Ways): boolean {
    const isLinked = identities.some(({ issuer }) => issuer === provider?.issuer);
    return Boolean(passkeys?.length) || codes.left > 0 || isLinked || Boolean(mail);
}
