"""An authenticator and the browser before it: what answers WebAuthn, right or wrong."""

from __future__ import annotations

import base64
import hashlib
import json
import os

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

PRESENT, VERIFIED, ELIGIBLE, BACKED_UP, ATTESTED = 1, 4, 8, 16, 64
USUAL = PRESENT | VERIFIED


def written(data):
    """Bytes as WebAuthn writes them in JSON."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def read(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Authenticator:
    """One passkey, on one device. What is given by name goes before what would be right."""

    def __init__(self, origin="http://localhost:7080", kind="es256", *, counts=True):
        self.origin, self.kind, self.counts = origin, kind, counts
        self.id = os.urandom(32)
        self.key = (
            ec.generate_private_key(ec.SECP256R1())
            if kind == "es256"
            else ed25519.Ed25519PrivateKey.generate()
        )
        self.count = 0
        self.user = b""

    @property
    def name(self):
        return written(self.id)

    @property
    def cose(self):
        """The public key, as it is kept."""
        public = self.key.public_key()
        if self.kind == "es256":
            numbers = public.public_numbers()
            x, y = (n.to_bytes(32, "big") for n in (numbers.x, numbers.y))
            return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        return cbor2.dumps({1: 1, 3: -8, -1: 6, -2: public.public_bytes_raw()})

    def make(self, options, flags=USUAL, attested=b"", **given):
        """What navigator.credentials.create answers, as JSON."""
        said = json.loads(options)
        self.user = read(said["user"]["id"])
        data = self._data(given.get("host", said["rp"]["id"]), flags | ATTESTED, given.get("count"))
        data += attested or bytes(16) + len(self.id).to_bytes(2, "big") + self.id + self.cose
        attestation = {"fmt": "none", "attStmt": {}, "authData": data} | given.get(
            "attested_by", {}
        )
        client = self._client("webauthn.create", said, given)
        if "vouched" in given:
            signed = data + hashlib.sha256(read(client)).digest()
            vouched = self._signature(signed if given["vouched"] else b"something else")
            attestation |= {"fmt": "packed", "attStmt": {"alg": -7, "sig": vouched}}
        return self._answer(
            {
                "clientDataJSON": client,
                "attestationObject": written(cbor2.dumps(attestation)),
                "transports": ["internal", "hybrid"],
            }
        )

    def show(self, options, flags=USUAL, **given):
        """What navigator.credentials.get answers, as JSON."""
        said = json.loads(options)
        data = self._data(given.get("host", said["rpId"]), flags, given.get("count"))
        client = self._client("webauthn.get", said, given)
        signed = data + hashlib.sha256(read(client)).digest()
        user = given.get("user", self.user)
        return self._answer(
            {
                "clientDataJSON": client,
                "authenticatorData": written(data),
                "signature": written(given.get("signature") or self._signature(signed)),
                "userHandle": user if user is None else written(user),
            }
        )

    def _data(self, host, flags, count):
        if count is None:
            self.count += self.counts
            count = self.count
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + count.to_bytes(4, "big")

    def _client(self, kind, said, given):
        client = {
            "type": given.get("kind", kind),
            "challenge": given.get("challenge", said["challenge"]),
            "origin": given.get("origin", self.origin),
            "crossOrigin": given.get("cross", False),
        }
        return written(json.dumps(client).encode())

    def _signature(self, signed):
        if self.kind == "es256":
            return self.key.sign(signed, ec.ECDSA(hashes.SHA256()))
        return self.key.sign(signed)

    def _answer(self, response):
        answer = {"id": self.name, "rawId": self.name, "type": "public-key", "response": response}
        return json.dumps(answer)
