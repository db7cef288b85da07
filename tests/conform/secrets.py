"""Checks of who may know what: views, guessed worlds and events.

Design. A view may tell a seat nothing but what it knows, and a guess may use nothing else. So the
view of a guess is the view of the truth; a guess made from a guess is, draw for draw, the guess
made from the truth, although every secret has changed between; and where another seat or chance
could have done something else unseen, the guess is the same as if it had. Who is waited for, all
see: so it is the same whatever chance has dealt unseen.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from services.core.decisions import CHANCE, Action, Event, Seat
from services.core.frames import Game
from tests.conform.offers import assert_plain
from tests.conform.walks import Moment, Walk, chosen

_AHEAD = 25  # decisions by which a guessed world is played on
_AUDITED = 25  # every how many of these worlds one is audited where it has come to
_BESIDE = 5  # a world that went another way is followed so far
_FOLLOWED = 250  # and one in which chance dealt otherwise so far, as long as nobody can tell
_OTHERS = 6  # other answers of chance that are tried
_LOOKS = 12  # moments of a walk that are searched for told secrets

_KNOWN_SOON = {
    # Where there is no choice any more follows from the numbers of pieces, open before the game.
    ("confrontation", "setup.place"),
}
"""Questions that may have one answer or more, for all that others know, and are not neutral."""

_BELIEVED = {("risk", "fortify.count"): "fortify.march"}
"""Questions of a plan that is private until it is done, with the one that others may believe in."""


def views_are_plain_data(m: Moment) -> None:
    for viewer in m.walk.viewers:
        assert_plain(m.rules.view(m.game, viewer), "view")


def a_guess_looks_the_same_to_its_seat(m: Moment) -> None:
    for seat in m.walk.seats:
        guess = m.rules.guess(m.game, seat, m.pick("guess"))
        m.rules.audit(guess)
        assert looks(m, guess, seat) == looks(m, m.game, seat)


def a_guess_knows_only_what_its_seat_knows(m: Moment) -> None:
    for seat in m.walk.seats:
        once = m.rules.guess(m.game, seat, m.pick("guess"))
        twice = m.rules.guess(once, seat, m.pick("again"))
        assert m.rules.dump(twice) == m.rules.dump(m.rules.guess(m.game, seat, m.pick("again")))


def a_guess_cannot_tell_apart_what_its_seat_cannot(m: Moment) -> None:
    """Follow a world in which one decision was another, for as long as the seat cannot know."""
    other = None if m.action is None else _another_action(m)
    if m.action is None or other is None:
        return
    for seat in m.walk.seats:
        if seat == m.seat:
            continue
        pair: tuple[Game[Any], Game[Any]] = (m.game.copy(), m.game.copy())
        parted = _parts(m, seat, pair, (m.action, other), m.seat)
        for later in [] if parted else m.walk.moments[m.number + 1 :][:_BESIDE]:
            _assert_same_guess(later, seat, pair)
            if later.action is None or not m.rules.allows(pair[1], later.seat, later.action):
                break
            if _parts(m, seat, pair, (later.action, later.action), later.seat):
                break


def a_question_is_neutral_where_others_may_not_know_that_there_is_no_choice(m: Moment) -> None:
    """For others it is the same question, neutral or not, in every world that may be the true one.

    If it is not neutral, they know whether there is a choice.
    """
    for seat in m.asked:
        ask = m.rules.ask(m.game, seat)
        for other in m.walk.seats:
            if other == seat:
                continue
            guess = m.rules.guess(m.game, other, m.pick("guess"))
            there = m.rules.ask(guess, seat)
            believed = _BELIEVED.get((m.rules.name, ask.prompt), ask.prompt)
            assert there.prompt in (ask.prompt, believed)
            assert ask.neutral == there.neutral, ask.prompt
            if not ask.neutral and (m.rules.name, ask.prompt) not in _KNOWN_SOON:
                assert (len(ask.actions) > 1) == (len(there.actions) > 1), ask.prompt


def a_guess_is_a_world_of_its_own(m: Moment) -> None:
    """It leaves the game alone, and can be played on by the rules."""
    for seat in m.walk.seats:
        guess = m.rules.guess(m.game, seat, m.pick("guess"))
        pick = m.pick("ahead")
        for _ in range(_AHEAD):
            if not m.rules.waiting(guess):
                break
            m.rules.apply(guess, *chosen(m.rules, guess, pick, pick))
        if m.number % _AUDITED == 0:
            m.rules.audit(guess)
        assert m.rules.dump(m.game) == m.saved
        assert m.game.events == []


def what_may_be_taken_back_told_nobody_what_it_was(m: Moment) -> None:
    """After another decision of the kind, everyone else would have been shown the same."""
    if not m.undoable:
        return
    after = m.walk.moments[m.number + 1].game
    for other in m.offered(m.seat):
        game = m.game.copy()
        events = m.rules.apply(game, m.seat, other)
        told = any(event.is_seen_by(v) for event in events for v in m.walk.viewers if v != m.seat)
        if told or m.rules.waiting(game) != m.waiting:
            continue
        for viewer in m.walk.viewers:
            if viewer != m.seat:
                assert looks(m, game, viewer) == looks(m, after, viewer)


def what_a_seat_did_not_see_is_not_in_its_view(w: Walk) -> None:
    """No event that a viewer may not know of is told in what that viewer is shown."""
    for viewer in w.viewers:
        told: dict[bool, set[str]] = {True: set(), False: set()}
        for m in w.moments:
            for event in m.events:
                told[event.is_seen_by(viewer)].add(json.dumps(w.rules.report(event)))
        hidden = told[False] - told[True]
        for m in w.moments[:: 1 + len(w.moments) // _LOOKS]:
            shown = json.dumps(w.rules.view(m.game, viewer))
            assert [text for text in hidden if text in shown] == []


def who_is_waited_for_tells_nothing_of_what_was_dealt(w: Walk) -> None:
    """Where chance could have dealt otherwise unseen, the same seats would be waited for."""
    for m in w.moments:
        if m.seat == CHANCE and m.action is not None:
            picks = [m.pick(f"other {number}") for number in range(_OTHERS)]
            for other in {m.rules.deal(m.game, pick): None for pick in picks}:
                _assert_same_waiting(m, other)


def _assert_same_waiting(m: Moment, other: Action) -> None:
    """Follow the walk in a world in which chance did this, until all could know that it did."""
    game, unaware = m.game.copy(), m.walk.viewers
    for later in m.walk.moments[m.number : m.number + _FOLLOWED]:
        action = other if later is m else later.action
        if action is None or not m.rules.allows(game, later.seat, action):
            return
        events = m.rules.apply(game, later.seat, action)
        unaware = tuple(v for v in unaware if _seen(events, v) == _seen(later.events, v))
        if not unaware:
            return
        after = m.walk.moments[later.number + 1]
        assert m.rules.waiting(game) == after.waiting, f"at decision {after.number}: {unaware}"


def _seen(events: Sequence[Event], viewer: Seat | None) -> list[Event]:
    return [event for event in events if event.is_seen_by(viewer)]


def _another_action(m: Moment) -> Action | None:
    """What could have been done instead, if anything was done."""
    if m.action is None:
        return None
    if m.seat == CHANCE:
        picks = [m.pick(f"other {number}") for number in range(_OTHERS)]
        actions = [m.rules.deal(m.game, pick) for pick in picks]
    else:
        actions = m.offered(m.seat)
    others = [action for action in actions if action != m.action]
    return others[m.pick("which")(len(others))] if others else None


def _parts(
    m: Moment,
    seat: int,
    pair: tuple[Game[Any], Game[Any]],
    actions: tuple[Action, Action],
    actor: int,
) -> bool:
    """Go on in both worlds; whether the seat can now tell one from the other."""
    told = [
        [event for event in m.rules.apply(game, actor, action) if event.is_seen_by(seat)]
        for game, action in zip(pair, actions, strict=True)
    ]
    return told[0] != told[1] or looks(m, pair[0], seat) != looks(m, pair[1], seat)


def _assert_same_guess(m: Moment, seat: int, pair: tuple[Game[Any], Game[Any]]) -> None:
    one, other = (m.rules.guess(game, seat, m.pick("beside")) for game in pair)
    assert m.rules.dump(one) == m.rules.dump(other), f"seat {seat}, decision {m.number}"


def looks(m: Moment, game: Game[Any], seat: int | None) -> dict[str, object]:
    """All that a viewer is given in a position."""
    rules = m.rules
    looks: dict[str, object] = {"view": rules.view(game, seat), "waiting": rules.waiting(game)}
    if seat is not None and seat in rules.waiting(game):
        ask = rules.ask(game, seat)
        looks["prompt"], looks["actions"] = (ask.prompt, ask.neutral), list(ask.actions)
        looks["question"] = rules.question(game, seat)
        looks["sentences"] = [rules.sentence(game, seat, action) for action in ask.actions]
    if not rules.waiting(game):
        looks["scores"] = rules.scores(game)
    return looks


def some_guess_differs_from_the_truth(walks: list[Walk]) -> None:
    """A guess that always hit the truth would hold to every other check, and tell every secret."""
    for seat in walks[0].seats:
        moments = [m for w in walks for m in w.moments[1:]]
        assert any(
            m.rules.dump(m.rules.guess(m.game, seat, m.pick("x"))) != m.saved for m in moments
        )
