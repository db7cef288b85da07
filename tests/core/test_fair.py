"""Fair chance: every draw as likely as the next, the same for whoever computes it."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.errors import Invalid
from services.core.fair import Fate, commitment, draw, seed

SECRET = bytes(range(32))


def expected_draw(key: bytes, number: int, choices: int) -> tuple[int, int]:
    """The draw written again from its description, and how many attempts it took."""
    for attempt in range(1000):
        message = number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
        value = int.from_bytes(hmac.new(key, message, hashlib.sha256).digest()[:8], "big")
        if value < 2**64 // choices * choices:
            return value % choices, attempt + 1
    raise AssertionError("no draw in a thousand attempts")


@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**40), st.integers(1, 2**64))
def test_a_draw_follows_from_the_seed_and_its_number(key: bytes, number: int, choices: int) -> None:
    assert expected_draw(key, number, choices)[0] == draw(key, number, choices)


def test_values_that_would_favour_low_choices_are_rejected() -> None:
    """With one choice more than half of all values, nearly every other value is drawn again."""
    choices = 2**63 + 1
    attempts = [expected_draw(SECRET, number, choices)[1] for number in range(200)]

    assert 3 <= max(attempts)
    assert 60 < sum(attempt > 1 for attempt in attempts) < 140
    assert all(0 <= draw(SECRET, number, choices) < choices for number in range(200))


@pytest.mark.parametrize("choices", [2, 3, 6, 7, 10, 52])
def test_every_choice_is_as_likely_as_the_next(choices: int) -> None:
    """Chi-square over a fixed seed: within five deviations of what fair dice would give."""
    rolls = 600 * choices
    counts = Counter(draw(SECRET, number, choices) for number in range(rolls))
    chi_square = sum((counts[choice] - 600) ** 2 / 600 for choice in range(choices))
    freedom = choices - 1

    assert rolls == sum(counts[choice] for choice in range(choices))
    assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5


def test_large_numbers_of_choices_are_fair_at_both_ends() -> None:
    """Two thirds of all values: without rejection the lower half would come twice as often."""
    choices = 2**64 // 3 * 2
    low = sum(draw(SECRET, number, choices) < choices // 2 for number in range(2000))

    assert abs(low - 1000) < 5 * 500**0.5


def test_neighbouring_draws_have_nothing_to_do_with_each_other() -> None:
    pairs = Counter(
        (draw(SECRET, number, 4), draw(SECRET, number + 1, 4)) for number in range(0, 9600, 2)
    )
    chi_square = sum((pairs[a, b] - 300) ** 2 / 300 for a in range(4) for b in range(4))

    assert chi_square < 15 + 5 * 30**0.5


def test_fate_numbers_its_draws_from_nought() -> None:
    fate = Fate(SECRET)

    assert [draw(SECRET, number, 6) for number in range(20)] == [fate.pick(6) for _ in range(20)]
    assert 20 == fate.drawn
    assert draw(SECRET, 7, 6) == Fate(SECRET, drawn=7).pick(6)


def test_one_choice_is_still_a_draw() -> None:
    fate = Fate(SECRET)

    assert 0 == fate.pick(1)
    assert 1 == fate.drawn


@pytest.mark.parametrize("choices", [0, -1, 2**64 + 1])
def test_a_draw_among_nothing_or_too_much_is_our_own_error(choices: int) -> None:
    with pytest.raises(AssertionError):
        draw(SECRET, 0, choices)


def test_a_commitment_is_the_hash_of_the_secret() -> None:
    assert hashlib.sha256(b"bree commitment 1\n" + SECRET).hexdigest() == commitment(SECRET)
    assert commitment(SECRET) != commitment(SECRET[::-1])


def test_the_seed_mixes_the_secret_and_every_nonce_in_order() -> None:
    message = b"bree seed 1\n" + b"\x03one" + b"\x02to"

    assert hmac.digest(SECRET, message, "sha256") == seed(SECRET, [b"one", b"to"])
    assert seed(SECRET, [b"one", b"to"]) != seed(SECRET, [b"to", b"one"])
    assert seed(SECRET, [b"onet", b"o"]) != seed(SECRET, [b"one", b"to"])
    assert seed(SECRET[::-1], [b"one", b"to"]) != seed(SECRET, [b"one", b"to"])


@pytest.mark.parametrize("secret", [b"", b"short", bytes(31), bytes(33)])
def test_a_secret_of_another_length_is_refused(secret: bytes) -> None:
    with pytest.raises(Invalid, match="a secret has 32 bytes"):
        seed(secret, [b"one"])


@pytest.mark.parametrize("nonce", [b"", bytes(65)])
def test_a_nonce_of_a_wrong_length_is_refused(nonce: bytes) -> None:
    with pytest.raises(Invalid, match="a nonce has 1 to 64 bytes"):
        seed(SECRET, [b"one", nonce])


@pytest.mark.parametrize("nonce", [b"x", bytes(64)])
def test_the_shortest_and_the_longest_nonce_will_do(nonce: bytes) -> None:
    assert 32 == len(seed(SECRET, [nonce, nonce]))
