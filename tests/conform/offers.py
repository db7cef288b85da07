"""Checks of what is asked and offered, and of the words it is offered in."""

from __future__ import annotations

import re

from services.core.decisions import CHANCE, Action
from services.core.vocabulary import LONGEST
from tests.conform.walks import Moment
from tests.conform.words import faults

MOST_OFFERED = 200
_TEXT = re.compile(r"[a-z][a-z0-9_ ]*")  # what a record can hold
_FOREIGN = 40  # actions of other moments that are tried


def somebody_is_waited_for_or_the_game_is_over(m: Moment) -> None:
    is_cut = m.walk.bound is None and m.number > m.walk.most  # an endless game is walked no further
    assert is_cut or bool(m.waiting) == (m.action is not None)
    assert m.waiting == (CHANCE,) or set(m.waiting) <= set(m.walk.seats)
    assert len(set(m.waiting)) == len(m.waiting)


def every_prompt_is_one_that_the_game_speaks_of(m: Moment) -> None:
    known = m.rules.prompts()
    assert known == sorted(set(known))
    for seat in m.asked:
        assert m.rules.ask(m.game, seat).prompt in known


def actions_are_offered_once_and_in_a_fixed_order(m: Moment) -> None:
    for seat in m.asked:
        ask, again = m.rules.ask(m.game, seat), m.rules.ask(m.game.copy(), seat)
        actions = list(ask.actions)
        assert ask.prompt
        assert 0 < len(actions) <= MOST_OFFERED, ask.prompt
        assert len(set(actions)) == len(actions), actions
        assert (again.prompt, list(again.actions)) == (ask.prompt, actions)


def what_is_allowed_is_what_is_offered(m: Moment) -> None:
    for seat in m.asked:
        offered = m.offered(seat)
        foreign = [a for a in m.walk.everything_offered if a not in offered]
        start = m.pick("foreign")(len(foreign)) if foreign else 0
        assert [a for a in offered if not m.rules.allows(m.game, seat, a)] == []
        tried = (foreign[start:] + foreign[:start])[:_FOREIGN]
        assert [a for a in tried if m.rules.allows(m.game, seat, a)] == []


def chance_deals_what_is_allowed_and_the_same_from_the_same_draws(m: Moment) -> None:
    if m.waiting != (CHANCE,):
        return
    dealt = m.rules.deal(m.game, m.pick("deal"))
    assert m.rules.deal(m.game, m.pick("deal")) == dealt
    assert m.rules.allows(m.game, CHANCE, dealt)
    listed = list(m.rules.ask(m.game, CHANCE).actions)
    assert not listed or dealt in listed
    assert len(set(listed)) == len(listed), listed
    assert all(m.rules.allows(m.game, CHANCE, action) for action in listed)


def an_action_is_the_text_that_spells_it(m: Moment) -> None:
    for seat in m.waiting:
        texts = {}
        for action in _offered_or_dealt(m, seat):
            text = texts[action] = m.rules.spell(action)
            assert m.rules.parse(text) == action, text
            assert m.rules.parse(f"  {text.replace(' ', '   ')} ") == action, text
            assert _TEXT.fullmatch(text), text
            assert len(text) <= LONGEST, text
        assert len(set(texts.values())) == len(texts)


def every_question_and_action_is_a_sentence_of_its_own(m: Moment) -> None:
    for seat in m.asked:
        _assert_sentence(m.rules.question(m.game, seat))
        sentences: dict[str, Action] = {}
        for action in m.offered(seat):
            sentence = m.rules.sentence(m.game, seat, action)
            _assert_sentence(sentence)
            assert sentence not in sentences, (sentence, sentences.get(sentence), action)
            sentences[sentence] = action


def every_event_is_plain_and_can_be_told(m: Moment) -> None:
    for event in m.events:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", event.kind), event
        assert event.seen_by is None or event.seen_by <= {*m.walk.viewers}, event
        _assert_sentence(m.rules.report(event))
        assert_plain(dict(event.facts), event.kind)


def scores_are_one_number_a_seat(m: Moment) -> None:
    scores = m.rules.scores(m.game)
    assert isinstance(scores, tuple)
    assert [int] * len(m.walk.seats) == [type(score) for score in scores]


def the_audit_passes(m: Moment) -> None:
    m.rules.audit(m.game)


def simultaneous_answers_may_come_in_any_order(m: Moment) -> None:
    """Whoever answers first, the others are asked the same and the game goes the same way."""
    for first in m.asked:
        for second in m.asked[m.asked.index(first) + 1 :]:
            pick = m.pick(f"order {first} {second}")
            a, b = (m.offered(s)[pick(len(m.offered(s)))] for s in (first, second))
            one, other = m.game.copy(), m.game.copy()
            m.rules.apply(one, first, a)
            m.rules.apply(other, second, b)
            assert second in m.rules.waiting(one)
            assert first in m.rules.waiting(other)
            assert list(m.rules.ask(one, second).actions) == m.offered(second)
            assert list(m.rules.ask(other, first).actions) == m.offered(first)
            m.rules.apply(one, second, b)
            m.rules.apply(other, first, a)
            assert m.rules.dump(one) == m.rules.dump(other)


def assert_plain(value: object, where: str) -> None:
    """Fail unless `value` is made of what every language and JSON can hold exactly."""
    if isinstance(value, dict):
        for key, item in value.items():
            assert isinstance(key, str), (where, key)
            assert_plain(item, f"{where}.{key}")
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            assert_plain(item, f"{where}[{number}]")
    else:
        assert value is None or isinstance(value, str | int), f"{where} is {value!r}"


def _offered_or_dealt(m: Moment, seat: int) -> list[Action]:
    dealt = [m.rules.deal(m.game, m.pick("deal"))] if seat == CHANCE else []
    return [*m.offered(seat), *dealt]


def _assert_sentence(text: str) -> None:
    """It is fit for people: no ids, no wrong plurals or articles, a beginning and an end."""
    assert text
    assert not faults(text), (text, faults(text))
