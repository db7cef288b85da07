"""Whose bot thinks next: fair among accounts, people first, whatever one of them does."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bree.process.turns import Turns
from tests.redis_server import redis_server

TWO = ("w1", 2)  # a worker with two processes
THOUGHT = 8_000  # ms, the cap of the dearest level


class Clock:
    """A time that passes when it is told to."""

    now = 1_000_000

    def __call__(self):
        return self.now


@pytest.fixture(scope="module")
def server():
    with redis_server("--appendonly", "no") as server:
        yield server


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def turns(server, clock):
    server.say("FLUSHALL")
    turns = Turns(server.url, clock)
    yield turns
    turns.close()


def turn(match, question=1):
    return {"match": match, "question": question}


class Hall:
    """A platform with some processes, in a time of its own: each thought takes what it takes."""

    def __init__(self, turns, clock, processes, cost):
        self.turns, self.clock, self.processes, self.cost = turns, clock, processes, cost
        self.busy = {}  # by task: when it ends, the match, the payer
        self.tasks = 0
        self.began = {}
        self.spent = Counter()

    def take_all(self):
        """Let every free process take what it may."""
        while len(self.busy) < self.processes:
            self.tasks += 1
            taken = self.turns.take(f"t{self.tasks}", "w1", self.processes)
            if taken is None:
                return
            match, takes = taken.turn["match"], self.cost(taken.payer)
            self.began[match] = self.clock.now
            self.spent[taken.payer] += takes
            self.busy[f"t{self.tasks}"] = (self.clock.now + takes, match, taken.payer)

    def next(self, until):
        """Go on to the next end of a thought, if that comes before; whether it does."""
        if not self.busy or min(self.busy.values())[0] > until:
            self.clock.now = max(self.clock.now, until)
            return False
        task = min(self.busy, key=self.busy.__getitem__)
        self.clock.now = self.busy.pop(task)[0]
        self.turns.done(task)
        return True

    def run(self, until):
        self.take_all()
        while self.next(until):
            self.take_all()


@pytest.mark.parametrize("evil_alone", [True, False])
def test_one_accounts_flood_does_not_hold_up_another(turns, clock, evil_alone):
    """373 matches of the dearest bots, two processes: another's turn is begun at once."""
    hall = Hall(turns, clock, 2, lambda payer: THOUGHT if payer == "evil" else 500)
    for number in range(373):
        turns.add(turn(f"e{number}"), "evil", alone=evil_alone)
        clock.now += 40
        hall.run(clock.now)
    waited = []
    for number in range(50):
        came = clock.now
        turns.add(turn(f"g{number}"), "good", alone=False)
        hall.run(clock.now + 700)
        waited.append(hall.began[f"g{number}"] - came)

    assert 0 == max(waited)
    assert len(hall.began) > 50 + 5, "the flood goes on meanwhile"


def test_with_one_process_a_turn_waits_for_one_thought(turns, clock):
    """What is being thought is not broken off; what waits behind it is overtaken."""
    hall = Hall(turns, clock, 1, lambda _: THOUGHT)
    for number in range(100):
        turns.add(turn(f"e{number}"), "evil", alone=False)
    hall.run(clock.now + 1)
    came = clock.now
    turns.add(turn("g"), "good", alone=False)
    hall.run(clock.now + 2 * THOUGHT)

    assert hall.began["g"] - came <= THOUGHT


def test_time_is_shared_and_not_turns(turns, clock):
    """Ten accounts that always have turns waiting think for as long as each other."""
    chance = random.Random(7)
    costs = {f"p{n}": 200 * (n + 1) for n in range(10)}
    hall = Hall(turns, clock, 4, lambda payer: int(costs[payer] * chance.uniform(0.5, 1.5)))
    for payer in costs:
        for number in range(300):
            turns.add(turn(f"{payer}-{number}"), payer, alone=False)
    hall.run(clock.now + 100_000)
    shares = sorted(hall.spent.values())

    assert shares[-1] - shares[0] < 0.2 * shares[-1]


def test_matches_with_people_go_first_and_the_others_do_not_starve(turns, clock):
    """Of eight turns one is of a match without people."""
    for number in range(80):
        turns.add(turn(f"a{number}"), "watcher", alone=True)
        turns.add(turn(f"p{number}"), f"player{number % 3}", alone=False)
    lanes = []
    for number in range(16):
        lanes.append(turns.take(f"t{number}", "w1", 4).alone)
        turns.done(f"t{number}")

    assert 2 == sum(lanes)
    assert not any(lanes[:7])


def test_matches_without_people_never_have_all_processes(turns):
    """However many accounts they are of: the last process is kept for people."""
    for number in range(9):
        turns.add(turn(f"a{number}"), f"watcher{number}", alone=True)
    taken = [turns.take(f"t{number}", "w1", 4) for number in range(4)]

    assert [True, True, True, False] == [bool(one) for one in taken]
    turns.add(turn("p"), "player", alone=False)
    assert "player" == turns.take("t5", "w1", 4).payer


def test_processes_of_all_workers_count(turns):
    """Two workers of two have four; one that is silent for a minute has none."""
    for number in range(9):
        turns.add(turn(f"e{number}"), "evil", alone=False)
    taken = [turns.take(f"t{n}", f"w{n % 2}", 2) for n in range(4)]

    assert [True, True, True, False] == [bool(one) for one in taken]
    turns._clock.now += 70_000
    assert turns.take("t5", "w1", 2)
    assert not turns.take("t6", "w1", 2), "one of two is the most"


def test_a_turn_waits_once(turns):
    """It may be sent again while it waits, and while it is played."""
    assert turns.add(turn("m"), "a", alone=False)
    assert turns.add(turn("m"), "a", alone=False)
    assert turn("m") == turns.take("t1", *TWO).turn
    assert not turns.add(turn("m"), "a", alone=False)
    assert None is turns.take("t2", *TWO)
    assert not turns.done("t1")
    assert turns.add(turn("m"), "a", alone=False)


def test_a_task_that_comes_again_has_the_turn_that_it_had(turns, clock):
    """Its worker was killed. If it does not come, the turn may be sent again after a while."""
    turns.add(turn("m"), "a", alone=False)
    turns.take("t1", *TWO)

    assert turn("m") == turns.take("t1", *TWO).turn
    clock.now += 12_000
    assert turns.add(turn("m"), "a", alone=False)


def test_who_goes_on_keeps_his_turn_unless_others_have_used_less(turns, clock):
    """The next question of the same turn is played at once, if nobody waits for long."""
    turns.add(turn("m", 1), "a", alone=False)
    turns.take("t1", *TWO)
    clock.now += 3_000

    assert turns.may_go_on("t1", turn("m", 2))
    assert not turns.add(turn("m", 2), "a", alone=False), "it is the one that is played"
    turns.add(turn("n"), "b", alone=False)
    clock.now += 10
    assert not turns.may_go_on("t1", turn("m", 3))
    turns.take("t2", *TWO)
    assert turns.may_go_on("t1", turn("m", 3)), "nobody else waits"
    clock.now += 13_000
    assert not turns.may_go_on("t1", turn("m", 4)), "it was not heard of for too long"


def test_who_does_not_go_on_hands_the_turn_on(turns, clock):
    """It is no longer his, so it may wait."""
    turns.add(turn("m", 1), "a", alone=True)
    turns.take("t1", *TWO)
    turns.add(turn("n"), "b", alone=False)

    assert not turns.may_go_on("t1", turn("m", 2))
    assert turns.add(turn("m", 2), "a", alone=True)
    assert turns.done("t1")
    assert [turn("n"), turn("m", 2)] == [turns.take(task, *TWO).turn for task in ("t2", "t3")]


def test_a_match_without_people_makes_way(turns, clock):
    """As soon as its bot has answered."""
    turns.add(turn("m"), "a", alone=True)
    turns.take("t1", *TWO)
    turns.add(turn("n"), "b", alone=True)

    assert turns.may_go_on("t1", turn("m", 2)), "both have used nothing"
    turns.add(turn("o"), "c", alone=False)
    assert not turns.may_go_on("t1", turn("m", 3))


def test_the_end_of_a_turn_says_whether_another_task_is_wanted(turns):
    """Who held what he may hold leaves others of his own waiting."""
    for number in range(3):
        turns.add(turn(f"m{number}"), "a", alone=False)

    assert turns.take("t1", *TWO)
    assert not turns.take("t2", *TWO)
    assert turns.done("t1")
    assert turns.take("t3", *TWO)
    assert turns.done("t3")
    assert turns.take("t4", *TWO)
    assert not turns.done("t4")
