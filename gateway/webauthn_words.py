"""What WebAuthn asks of a browser, and what its answers are worth: the library's part of passkeys.

Design. Only `webauthn` reads what authenticators send. It refuses in many ways, some of which are
plain errors of Python where bytes are none of what they should be; every one of them is `Wrong`. It
does not matter who made an authenticator: so no attestation is asked for, and none is read. The
passkey has to be one that is found without a name, and the person has to have been verified by it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import webauthn
from webauthn.helpers import (
    bytes_to_base64url,
    parse_attestation_object,
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.structs import (
    AttestationFormat,
    AuthenticationCredential,
    AuthenticatorSelectionCriteria,
    AuthenticatorTransport,
    CredentialDeviceType,
    PublicKeyCredentialDescriptor,
    RegistrationCredential,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from gateway.keyring import Passkey
from gateway.once import bytes_of
from gateway.public_url import PublicUrl

LABEL = "Bree"
TIMEOUT_MS = 300_000
ALGORITHMS = [
    COSEAlgorithmIdentifier.EDDSA,
    COSEAlgorithmIdentifier.ECDSA_SHA_256,
    COSEAlgorithmIdentifier.RSASSA_PKCS1_v1_5_SHA_256,
]
UNATTESTED = {AttestationFormat.NONE, AttestationFormat.PACKED}
"""What a browser sends where none is asked for; `packed` then is signed by the passkey itself."""

LONGEST_ID = 1023
"""Bytes of the id of a credential, as WebAuthn bounds it."""


class Wrong(Exception):
    """What an authenticator did not say, or not for this."""


class Made(NamedTuple):
    """What was said with a new passkey."""

    credential: RegistrationCredential
    challenge: str


class Shown(NamedTuple):
    """What was said with a passkey that is kept."""

    credential: AuthenticationCredential
    challenge: str

    @property
    def passkey(self) -> str:
        """Its id."""
        return self.credential.id

    @property
    def account(self) -> str:
        """The id of the account that it says it is of."""
        return (self.credential.response.user_handle or b"").decode("ascii", "replace")


# Asking.


def creation(
    where: PublicUrl, account: str, name: str, challenge: str, held: Iterable[Passkey]
) -> str:
    """What a browser needs to make a passkey, as JSON."""
    options = webauthn.generate_registration_options(
        rp_id=where.host,
        rp_name=LABEL,
        user_id=account.encode("ascii"),
        user_name=name,
        challenge=bytes_of(challenge),
        timeout=TIMEOUT_MS,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[_described(one) for one in held],
        supported_pub_key_algs=ALGORITHMS,
    )
    return webauthn.options_to_json(options)


def _described(one: Passkey) -> PublicKeyCredentialDescriptor:
    transports = [AuthenticatorTransport(word) for word in one.transports.split()]
    return PublicKeyCredentialDescriptor(
        id=webauthn.base64url_to_bytes(one.id), transports=transports or None
    )


def request(where: PublicUrl, challenge: str) -> str:
    """What a browser needs to ask for one, as JSON."""
    options = webauthn.generate_authentication_options(
        rp_id=where.host,
        challenge=bytes_of(challenge),
        timeout=TIMEOUT_MS,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return webauthn.options_to_json(options)


# Answers.


def made(text: str) -> Made:
    """What a browser has answered with a new passkey; nothing of it is proved."""
    try:
        credential = parse_registration_credential_json(text)
        _check_attestation(credential.response.attestation_object)
        return Made(credential, _challenge_of(credential.response.client_data_json))
    except Exception as error:
        raise Wrong(str(error)) from error


def shown(text: str) -> Shown:
    """What a browser has answered with one that is kept; nothing of it is proved."""
    try:
        credential = parse_authentication_credential_json(text)
        return Shown(credential, _challenge_of(credential.response.client_data_json))
    except Exception as error:
        raise Wrong(str(error)) from error


def _check_attestation(data: bytes) -> None:
    said = parse_attestation_object(data)
    if said.fmt not in UNATTESTED or said.att_stmt.x5c:
        raise Wrong("it is attested, which nobody has asked for")


def _challenge_of(client_data: bytes) -> str:
    said = parse_client_data_json(client_data)
    if said.cross_origin:
        raise Wrong("it was asked for within a page of another site")
    return bytes_to_base64url(said.challenge)


def proved_new(said: Made, where: PublicUrl, account: str, name: str, now_ms: int) -> Passkey:
    """The passkey that was made, if it was made here for this challenge."""
    try:
        found = webauthn.verify_registration_response(
            credential=said.credential,
            expected_challenge=bytes_of(said.challenge),
            expected_rp_id=where.host,
            expected_origin=where.origin,
            require_user_verification=True,
            supported_pub_key_algs=ALGORITHMS,
        )
    except Exception as error:
        raise Wrong(str(error)) from error
    if found.credential_id != said.credential.raw_id or len(found.credential_id) > LONGEST_ID:
        raise Wrong("its id is another one, or too long")
    return Passkey(
        id=bytes_to_base64url(found.credential_id),
        account=account,
        public_key=found.credential_public_key,
        sign_count=found.sign_count,
        name=name,
        transports=_transports(said.credential),
        created_ms=now_ms,
        used_ms=now_ms,
        eligible=found.credential_device_type is CredentialDeviceType.MULTI_DEVICE,
        backed_up=found.credential_backed_up,
    )


def _transports(credential: RegistrationCredential) -> str:
    return " ".join(sorted({one.value for one in credential.response.transports or ()}))


def proved(said: Shown, where: PublicUrl, kept: Passkey) -> Passkey:
    """The passkey as it is after this use, if it was used here for this challenge."""
    try:
        found = webauthn.verify_authentication_response(
            credential=said.credential,
            expected_challenge=bytes_of(said.challenge),
            expected_rp_id=where.host,
            expected_origin=where.origin,
            credential_public_key=kept.public_key,
            credential_current_sign_count=kept.sign_count,
            require_user_verification=True,
        )
    except Exception as error:
        raise Wrong(str(error)) from error
    if said.account != kept.account:
        raise Wrong("it is another account's")
    return kept._replace(sign_count=found.new_sign_count, backed_up=found.credential_backed_up)
