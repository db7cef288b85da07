/** Passkeys: what the platform says of them as JSON, and what the browser's own calls take and give.
 *
 * Design. Browsers have learnt to read and write that JSON themselves only lately, and what stands in
 * for them, such as a password manager, often has not; so it is done here.
 */

/** What was said instead of a passkey, for people; empty if somebody only thought better of it. */
export class NoPasskey extends Error {}

type Bytes = Uint8Array<ArrayBuffer>;

export function bytesOf(text: string): Bytes {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

export function textOf(bytes: ArrayBuffer | Uint8Array): string {
    const plain = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
    return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

type Described = Omit<PublicKeyCredentialDescriptor, "id"> & { id: string };

function described(those: readonly Described[] = []): PublicKeyCredentialDescriptor[] {
    return those.map((one) => ({ ...one, id: bytesOf(one.id) }));
}

/** The options of `navigator.credentials.create`, from their JSON. */
export function creationOf(text: string): PublicKeyCredentialCreationOptions {
    const said = JSON.parse(text) as Omit<
        PublicKeyCredentialCreationOptions,
        "challenge" | "excludeCredentials" | "user"
    > & {
        challenge: string;
        user: Omit<PublicKeyCredentialUserEntity, "id"> & { id: string };
        excludeCredentials?: Described[];
    };
    return {
        ...said,
        challenge: bytesOf(said.challenge),
        user: { ...said.user, id: bytesOf(said.user.id) },
        excludeCredentials: described(said.excludeCredentials),
    };
}

/** The options of `navigator.credentials.get`, from their JSON. */
export function requestOf(text: string): PublicKeyCredentialRequestOptions {
    const said = JSON.parse(text) as Omit<
        PublicKeyCredentialRequestOptions,
        "allowCredentials" | "challenge"
    > & { challenge: string; allowCredentials?: Described[] };
    return {
        ...said,
        challenge: bytesOf(said.challenge),
        allowCredentials: described(said.allowCredentials),
    };
}

/** What the browser answered, as JSON. */
export function answerOf(credential: PublicKeyCredential): string {
    const { response } = credential;
    return JSON.stringify({
        id: credential.id,
        rawId: textOf(credential.rawId),
        type: credential.type,
        ...(credential.authenticatorAttachment
            ? { authenticatorAttachment: credential.authenticatorAttachment }
            : {}),
        clientExtensionResults: {},
        response: {
            clientDataJSON: textOf(response.clientDataJSON),
            ...("attestationObject" in response
                ? made(response as AuthenticatorAttestationResponse)
                : shown(response as AuthenticatorAssertionResponse)),
        },
    });
}

function made(response: AuthenticatorAttestationResponse): Record<string, unknown> {
    return {
        attestationObject: textOf(response.attestationObject),
        transports: response.getTransports(),
    };
}

function shown(response: AuthenticatorAssertionResponse): Record<string, unknown> {
    return {
        authenticatorData: textOf(response.authenticatorData),
        signature: textOf(response.signature),
        ...(response.userHandle ? { userHandle: textOf(response.userHandle) } : {}),
    };
}

/** Whether this browser can have passkeys for this page at all. */
export function canHavePasskeys(): boolean {
    return "PublicKeyCredential" in globalThis && "credentials" in navigator;
}

/** Has the browser make a passkey; what it answered, or `NoPasskey`. */
export async function makePasskey(options: string): Promise<string> {
    const publicKey = creationOf(options);
    return asked(() => navigator.credentials.create({ publicKey }), "make");
}

/** Has the browser show a passkey; what it answered, or `NoPasskey`. */
export async function showPasskey(
    options: string,
    how: { mediation?: CredentialMediationRequirement; signal?: AbortSignal } = {},
): Promise<string> {
    const publicKey = requestOf(options);
    return asked(() => navigator.credentials.get({ publicKey, ...how }), "show");
}

async function asked(
    ask: () => Promise<Credential | null>,
    what: "make" | "show",
): Promise<string> {
    try {
        const found = await ask();
        if (found === null) throw new NoPasskey("");
        return answerOf(found as PublicKeyCredential);
    } catch (error) {
        if (error instanceof NoPasskey) throw error;
        throw new NoPasskey(passkeyWords(error instanceof Error ? error.name : "", what), {
            cause: error,
        });
    }
}

/** What is said when a browser makes or shows no passkey; nothing if the page itself gave up. */
export function passkeyWords(name: string, what: "make" | "show"): string {
    if (name === "AbortError") return "";
    if (name === "InvalidStateError") return "This device already has a passkey for your account.";
    if (name === "SecurityError") {
        return "Passkeys do not work at this address of the page. Open it at the one that the host gives.";
    }
    if (name === "NotSupportedError" || name === "ConstraintError") {
        return "This device has no lock that could keep a passkey: a PIN, a finger or a face.";
    }
    return what === "make"
        ? "No passkey was made: it was given up, or it took too long. Try again when you like."
        : "No passkey was shown: it was given up, it took too long, or this device has none for this page.";
}
