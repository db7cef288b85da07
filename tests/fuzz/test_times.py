"""Whether the time that a hosted bot takes tells what it holds, through a whole platform.

In each of 400 matches a bot is asked whether it springs the Balrog's ambush, half of them with the
Balrog in Moria. The two samples of times until the answer is seen through the gateway are compared
by the two-sample Kolmogorov-Smirnov test at the level 0.001: it must not tell them apart, and must
tell them apart when 20 ms are added to one. The clock of the match shows nothing of a bot's time.
"""

from __future__ import annotations

import os
import random
from bisect import bisect_right
from math import log, sqrt
from statistics import median, stdev

import pytest

from bree.client.client import Client
from tests.cli.tunnel import Tunnel, places
from tests.fuzz.answering import Busy, answer
from tests.redis_server import redis_server
from workers.bots import BOTS

pytestmark = [pytest.mark.fuzz, pytest.mark.timeout(900)]

SAMPLE = int(os.environ.get("BREE_TIMES_SAMPLE", "200"))
PLACES = 8
LEVEL = 0.001
PLANTED = 20.0
"""Milliseconds that the test must notice."""


def distance(one, two):
    """The greatest difference between the distributions of two samples."""
    one, two = sorted(one), sorted(two)
    return max(
        abs(bisect_right(one, x) / len(one) - bisect_right(two, x) / len(two)) for x in one + two
    )


def critical(one, two):
    """The distance that samples of one distribution exceed with the chance `LEVEL`."""
    n, m = len(one), len(two)
    return sqrt(-log(LEVEL / 2) / 2) * sqrt((n + m) / (n * m))


@pytest.fixture(scope="module")
def known():
    """Places by the limit of turns that names them: with the choice at odd ones."""
    return {str(n): places(n, choices=1 + n % 2) for n in range(100, 100 + 2 * PLACES)}


@pytest.fixture(scope="module")
def client(known):
    with redis_server() as broker:
        town = Busy(Tunnel(known), broker.url)
        with town.worker(), Client(town.address, patience=30) as client:
            client.register("ann")
            yield client
        town.dispatch.close()
        town.close()


@pytest.mark.parametrize("level", BOTS)
def test_answer_times_tell_nothing(client, known, level):
    """With and without the choice, for every level."""
    for limit in list(known)[:4]:  # until everything is warm
        answer(client, limit, known[limit], level)
    without, with_choice = [], []
    order = [100 + n % (2 * PLACES) for n in range(2 * SAMPLE)]
    random.shuffle(order)  # what a match leaves behind is a burden to the next one
    for n, limit in enumerate(order, 1):
        took = answer(client, str(limit), known[str(limit)], level)
        (with_choice if limit % 2 else without).append(took)
        if n % 100 == 0:
            print(f"{level}: {n} of {2 * SAMPLE} answers")  # noqa: T201
    apart = distance(without, with_choice)
    planted = distance(without, [ms + PLANTED for ms in with_choice])
    limit = critical(without, with_choice)
    print(  # noqa: T201
        f"{level}: medians {median(without):.2f} and {median(with_choice):.2f} ms, deviations "
        f"{stdev(without):.2f} and {stdev(with_choice):.2f} ms; D = {apart:.3f}, with "
        f"{PLANTED:g} ms planted {planted:.3f}, critical {limit:.3f}"
    )

    assert apart < limit
    assert planted > limit
