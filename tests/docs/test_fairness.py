"""docs/fairness.md and its vectors agree with the code, and are enough to write the code again."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from services.core import fair
from services.core.errors import Invalid

DOCS = Path(__file__).resolve().parents[2] / "docs"
VECTORS = json.loads((DOCS / "fairness-vectors.json").read_text(encoding="utf-8"))


# A second implementation, from the page alone. It makes its own HMAC, as RFC 2104 has it.


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    padded = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def ported_commitment(secret: bytes) -> str:
    return hashlib.sha256(b"bree commitment 1\n" + secret).hexdigest()


def ported_seed(secret: bytes, nonces: list[bytes]) -> bytes:
    if len(secret) != 32 or not all(1 <= len(nonce) <= 64 for nonce in nonces):
        raise Invalid("refused")
    message = "bree seed 1\n".encode("ascii")
    for nonce in nonces:
        message += len(nonce).to_bytes(1, "big") + nonce
    return hmac_sha256(secret, message)


def ported_draw(seed: bytes, number: int, choices: int) -> tuple[int, int]:
    """The draw, and how many attempts it took."""
    limit = 2**64 - 2**64 % choices
    attempts = 0
    while True:
        message = number.to_bytes(8, "big") + attempts.to_bytes(4, "big")
        value = int.from_bytes(hmac_sha256(seed, message)[:8], "big")
        attempts += 1
        if value < limit:
            return value % choices, attempts


@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_commitments(vector):
    """Both implementations commit to the secret as the vector does."""
    secret = bytes.fromhex(vector["secret"])

    assert vector["commitment"] == fair.commitment(secret)
    assert vector["commitment"] == ported_commitment(secret)


@pytest.mark.parametrize("vector", VECTORS["seeds"])
def test_seeds(vector):
    """Both implementations mix the nonces, of whatever length, into the seed of the vector."""
    secret, nonces = bytes.fromhex(vector["secret"]), list(map(bytes.fromhex, vector["nonces"]))

    assert vector["seed"] == fair.seed(secret, nonces).hex()
    assert vector["seed"] == ported_seed(secret, nonces).hex()


@pytest.mark.parametrize("vector", VECTORS["refused"], ids=lambda vector: vector["why"])
def test_refusals(vector):
    """Both implementations refuse a secret or a nonce of the wrong length."""
    secret, nonces = bytes.fromhex(vector["secret"]), list(map(bytes.fromhex, vector["nonces"]))

    for seed in (fair.seed, ported_seed):
        with pytest.raises(Invalid):
            seed(secret, nonces)


@pytest.mark.parametrize("vector", VECTORS["draws"])
def test_draws(vector):
    """Both implementations draw what the vector says, after as many attempts."""
    seed = bytes.fromhex(vector["seed"])
    number, choices = int(vector["number"]), int(vector["choices"])

    assert int(vector["draw"]) == fair.draw(seed, number, choices)
    assert (int(vector["draw"]), vector["attempts"]) == ported_draw(seed, number, choices)


def test_fate_counts_the_draws_from_nought():
    """The nth pick of a match is draw n, and one of a single choice takes a number too."""
    seed = bytes(32)
    fate = fair.Fate(seed)

    assert [ported_draw(seed, n, c)[0] for n, c in enumerate((6, 1, 52))] == [
        fate.pick(choices) for choices in (6, 1, 52)
    ]


def test_the_vectors_reach_every_branch():
    """There are draws of one to nine attempts, and nonces of one byte and of sixty-four."""
    attempts = {vector["attempts"] for vector in VECTORS["draws"]}
    lengths = {len(nonce) // 2 for vector in VECTORS["seeds"] for nonce in vector["nonces"]}

    assert set(range(1, 10)) <= attempts
    assert {1, 64} <= lengths
    assert {str(2**63 + 1), str(2**64)} <= {vector["choices"] for vector in VECTORS["draws"]}


def test_leaving_out_the_rejection_would_be_noticed():
    """A port that takes the first value whatever it is fails several vectors."""
    wrong = 0
    for vector in VECTORS["draws"]:
        message = int(vector["number"]).to_bytes(8, "big") + bytes(4)
        value = int.from_bytes(hmac_sha256(bytes.fromhex(vector["seed"]), message)[:8], "big")
        wrong += int(vector["draw"]) != value % int(vector["choices"])

    assert wrong >= 5


def test_the_example_of_the_page_is_true():
    """Secret, commitment, nonces, seed and draw are as they are printed."""
    page = (DOCS / "fairness.md").read_text(encoding="utf-8")
    shown = re.findall(r"^    (secret|commitment|nonce|seed) +([0-9a-f]+)$", page, re.MULTILINE)
    facts = dict(shown)
    nonces = [bytes.fromhex(value) for name, value in shown if name == "nonce"]
    secret, seed = bytes.fromhex(facts["secret"]), bytes.fromhex(facts["seed"])
    digest = hmac_sha256(seed, bytes(12)).hex()

    assert facts["commitment"] == ported_commitment(secret)
    assert seed == ported_seed(secret, nonces)
    assert f"`{digest[:16]}`, which is {int(digest[:16], 16)}, below" in page
    assert f"the draw is {ported_draw(seed, 0, 6)[0]}," in page
