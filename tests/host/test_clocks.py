"""How time passes for seats."""

from __future__ import annotations

from services.host.clocks import Clock, Clocks

GOOD, DARK = 0, 1


def test_time_for_each_question_begins_anew():
    """Without a bank, what is not used is not saved."""
    clocks = Clocks(Clock(0, 30), (True, True))
    clocks.turn(100, {GOOD: 1})

    assert (130, None) == (clocks.expires(GOOD), clocks.expires(DARK))
    clocks.turn(110, {GOOD: 2, DARK: 2})
    assert (140, 140) == (clocks.expires(GOOD), clocks.expires(DARK))
    assert (10, 30) == (clocks.left(GOOD, 130), clocks.left(GOOD, 110))


def test_a_bank_is_used_up_by_questions_and_grows_with_each():
    """What a question leaves is there for the next one."""
    clocks = Clocks(Clock(100, 10), (True, True))
    clocks.turn(0, {GOOD: 1})

    assert (110, 100) == (clocks.left(GOOD, 0), clocks.left(DARK, 0))
    clocks.turn(50, {DARK: 2})
    assert (60, None) == (clocks.left(GOOD, 50), clocks.expires(GOOD))
    clocks.turn(70, {GOOD: 3})
    assert (70, 140) == (clocks.left(GOOD, 70), clocks.expires(GOOD))
    assert 90 == clocks.left(DARK, 70)


def test_a_question_that_stands_goes_on_using_time():
    """What other seats do changes nothing for it."""
    clocks = Clocks(Clock(0, 30), (True, True))
    clocks.turn(0, {GOOD: 1, DARK: 1})
    clocks.turn(20, {GOOD: 1})

    assert (30, None) == (clocks.expires(GOOD), clocks.expires(DARK))


def test_a_question_under_a_new_number_is_a_new_one():
    """The old one has used its time, and the new one brings its own."""
    clocks = Clocks(Clock(100, 5), (True,))
    clocks.turn(0, {GOOD: 1})
    clocks.turn(40, {GOOD: 2})

    assert 70 == clocks.left(GOOD, 40)


def test_time_left_is_never_below_nothing():
    """Somebody was late, and nobody came to take the seat from him."""
    clocks = Clocks(Clock(50, 1), (True,))
    clocks.turn(0, {GOOD: 1})

    assert 0 == clocks.left(GOOD, 1000)
    clocks.turn(1000, {GOOD: 2})
    assert 1001 == clocks.expires(GOOD)


def test_bots_have_no_clock_to_begin_with_and_none_after_they_take_over():
    """If the host's own bots are slow, nobody shall lose by it."""
    clocks = Clocks(Clock(0, 30), (True, False))
    clocks.turn(0, {GOOD: 1, DARK: 1})
    clocks.release(GOOD, 30)
    clocks.turn(40, {GOOD: 2, DARK: 1})

    assert (None, None) == (clocks.expires(GOOD), clocks.expires(DARK))


def test_a_copy_goes_its_own_way():
    """What is tried on it does not concern the original."""
    clocks = Clocks(Clock(100, 0), (True, True))
    clocks.turn(0, {GOOD: 1})
    twin = clocks.copy()
    twin.turn(60, {DARK: 2})
    twin.release(GOOD, 60)

    assert (100, None) == (clocks.expires(GOOD), clocks.expires(DARK))
    assert (None, 160) == (twin.expires(GOOD), twin.expires(DARK))
