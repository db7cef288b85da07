"""Which refusals of a Redis pass, in the words of its versions."""

from __future__ import annotations

import pytest

from bree.redis.refusals import SENTENCES, word_of

WRAPPED = "ERR Error running script (call to f_8f3a): @user_script:12: @user_script: 12: -"
FULL = "command not allowed when used memory > 'maxmemory'."


@pytest.mark.parametrize(
    ("said", "word"),
    [
        (f"OOM {FULL}", "OOM"),
        (f"OOM {FULL} script: 8f3a, on @user_script:12.", "OOM"),
        (f"-OOM {FULL} script: 8f3a, on @user_script:12.", "OOM"),
        (f"{WRAPPED}OOM {FULL}", "OOM"),
        (f"{WRAPPED}READONLY You can't write against a read only replica. ", "READONLY"),
        ("NOREPLICAS Not enough good replicas to write.", "NOREPLICAS"),
        ("MISCONF Errors writing to the AOF file: No space left on device", "MISCONF"),
        ("LOADING Redis is loading the dataset in memory", "LOADING"),
        ("CLUSTERDOWN Hash slot not served", "CLUSTERDOWN"),
        ("TRYAGAIN Multiple keys request during rehashing of slot", "TRYAGAIN"),
        ("MASTERDOWN Link with MASTER is down", "MASTERDOWN"),
        ("ERR max number of clients reached", "MAXCLIENTS"),
    ],
)
def test_why_redis_refuses_is_its_word_wherever_it_stands(said, word):
    """Before version 7 a script wraps it."""
    assert word == word_of(said)
    assert SENTENCES[word]


@pytest.mark.parametrize(
    "said",
    [
        "",
        "WRONGTYPE Operation against a key holding the wrong kind of value",
        "ERR unknown command 'OOM '",
        "ERR value is not an integer -OOM or out of range",
        "NOSCRIPT No matching script. Please use EVAL.",
        "ERR Error running script (call to f_8f3a): @user_script:3: attempt to index a nil value",
    ],
)
def test_a_fault_of_ours_is_not_taken_for_one_that_passes(said):
    """It would be sent again for ever."""
    assert "" == word_of(said)
