"""Which brokers there are, and at which of them the turns of a payer wait."""

from __future__ import annotations

from collections import Counter

import pytest

from bree.process.brokers import Spread, brokers_of, place_of

FOUR = tuple(f"redis://:hush@10.0.0.{n}:6379/0" for n in range(4))
PAYERS = [f"account-{n}" for n in range(10_000)]


def homes(urls):
    """At which place each payer is."""
    spread = Spread(urls, place_of)
    return {payer: spread.of(payer) for payer in PAYERS}


def test_brokers_are_parted_by_blanks():
    """However many; commas and semicolons belong to a URL."""
    sentinels = "redis+sentinel://:hush@s:1,t:2/bree"
    odd = "redis://:a;b,c@h:6379/0"

    assert () == brokers_of(" ")
    assert (odd,) == brokers_of(odd)
    assert (sentinels, odd, "rediss://h/1") == brokers_of(f"{sentinels}\n {odd}  rediss://h/1 ")


@pytest.mark.parametrize(
    "text",
    [
        "amqp://rabbit",
        "redis://a:1/0;redis://b:1/0",
        "redis://a:1/0,redis://b:1/0",
        "redis://a:1/0 b:1",
        "redis://a:1/0 redis+sentinel://s:1",
        "redis://a:99999/0",
        "redis://a:1/x",
        "redis://a:1/0 redis://:hush@a:1",
    ],
)
def test_brokers_that_are_spelt_wrong_are_refused(text):
    """In one sentence, which has no password."""
    with pytest.raises(ValueError, match=r"\w") as refused:
        brokers_of(text)

    assert "hush" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_without_a_broker_it_is_the_store():
    """Unless that is a cluster, which can be none; nor can one of several."""
    assert ("redis://s:1/0",) == brokers_of(" ", "redis://s:1/0")
    assert ("redis://a:1/0",) == brokers_of("redis://a:1/0", "redis+cluster://s:1")
    for text in ("", "redis://a:1/0 redis+cluster://s:1"):
        with pytest.raises(ValueError, match="the broker is no cluster"):
            brokers_of(text, "redis+cluster://s:1")


def test_payers_spread_evenly():
    """Of ten thousand, each of four has a quarter, within a twentieth of it."""
    counted = Counter(homes(FOUR).values())

    assert 4 == len(counted)
    assert all(abs(count - 2500) <= 125 for count in counted.values())


def test_everybody_chooses_the_same_whatever_his_list_looks_like():
    """Its order, and as whom and how he is let in."""
    plain = tuple(url.replace(":hush@", "sweeper:other@") for url in reversed(FOUR))
    sentinels = [f"redis+sentinel://{hosts}/bree" for hosts in ("s:1,t:2", ":hush@t:2,s:1")]

    assert homes(FOUR) == homes(plain)
    assert place_of(sentinels[0]) == place_of(sentinels[1])
    assert place_of("unix:///run/redis.sock") == place_of("redis+socket:///run/redis.sock")


def test_databases_of_one_server_are_brokers_of_their_own():
    """They have nothing in common but their thread."""
    assert 2 == len(brokers_of("redis://a:1/0 redis://a:1/1"))
    assert 2 == len(brokers_of("unix:///a?db=0 unix:///a?db=1"))


def test_only_the_payers_of_a_broker_that_is_taken_away_move():
    """All others stay where their turns wait."""
    before, after = homes(FOUR), homes(FOUR[1:])
    gone = place_of(FOUR[0])

    assert all(after[payer] == at for payer, at in before.items() if at != gone)
    assert gone not in after.values()
