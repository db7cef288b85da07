"""What the core and the host say, as messages of bree.engine.v1. It decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1 import types_pb2 as types
from services.core.contract import Options, Rules
from services.core.decisions import Action, Event, Seat
from services.core.offers import ABORT, DRAW, TAKE_BACK, Offer
from services.core.ranges import ranges
from services.host import agreements, refusals
from services.host.census import Counts
from services.host.holding import is_excused, times_held
from services.host.kept import packed
from services.host.match_state import MatchState
from services.host.queries import Seen
from services.host.serialization import (
    BOT_TURN,
    CLOCK,
    DUE,
    FROZEN,
    LEAVE,
    SCORE,
    SETUP,
    Due,
    Setup,
)
from services.host.stand_ins import StandIn, stand_ins
from services.host.steps import Emitted
from services.host.store import Stored
from services.host.values import fill

# What is asked.


def question(course: MatchState, seat: Seat | None) -> types.Question | None:
    """What a seat is asked, if it is."""
    table = course.table
    if seat is None or seat not in course.asked:
        return None
    rules, game = table.rules, table.game
    prompt, actions, neutral = rules.ask(game, seat)
    message = types.Question(
        number=table.number(seat),
        prompt=prompt,
        sentence=rules.question(game, seat),
        neutral=neutral,
    )
    sentence = rules.sentence
    choices = [_choice(rules, action, sentence(game, seat, action)) for action in actions]  # type: ignore[arg-type]  # rules hash
    message.MergeFromString(b"".join(choices))
    for run in ranges([rules.spell(action) for action in actions]):
        numbers = types.WholeNumbers(first=run.first, last=run.last)
        message.ranges.add(text=run.text, numbers=numbers)
    return message


def question_for_person(course: MatchState, seat: Seat | None) -> types.Question | None:
    """The same for whoever sits there: nothing as long as a bot stands in, or the match is held."""
    if seat is not None and is_excused(course, seat):
        return None
    return question(course, seat)


@lru_cache(maxsize=20_000)
def _choice(rules: Rules[Any], action: Action, sentence: str) -> bytes:
    """A list of one choice, as it is sent; lists repeat themselves from question to question."""
    text = rules.spell(action)
    verb, *nouns = text.split(" ")
    choice = types.Choice(sentence=sentence, action=types.Action(text=text, verb=verb, nouns=nouns))
    return types.Question(choices=[choice]).SerializeToString()


# What happened.


def events(course: MatchState, told: Sequence[Emitted], seat: Seat | None) -> list[types.Event]:
    """What a viewer saw of what has just happened, with one entry after the other."""
    rules, first = course.table.rules, course.revision - len(told) + 1
    return [
        event(rules, happened, revision)
        for revision, one in enumerate(told, first)
        for happened in one.events
        if happened.is_seen_by(seat)
    ]


def event(rules: Rules[Any], happened: Event, revision: int) -> types.Event:
    """One event, which whoever it is for may see."""
    is_of_table = happened.kind in agreements.KINDS
    told = agreements.sentence(happened) if is_of_table else rules.report(happened)
    message = types.Event(kind=happened.kind, sentence=told, revision=revision)
    fill(message.facts, happened.facts)
    return message


def seen(rules: Rules[Any], entry: Seen) -> engine.SeenEntry:
    """One entry of a running match, as its viewer saw it."""
    told = [event(rules, happened, entry.revision) for happened in entry.events]
    return engine.SeenEntry(revision=entry.revision, who=entry.who, events=told)


# Where a match stands.


def past_standing(course: MatchState) -> engine.Standing:
    """Where a match stood, as far as that was the same whenever it was looked at."""
    seats = course.table.seats
    waiting = [seats[seat] for seat in course.asked]
    return engine.Standing(revision=course.revision, waiting=waiting, head=course.head)


def standing(course: MatchState, at: int) -> engine.Standing:
    """Where a match stands, for everyone; the clocks as they were at a time of the match."""
    table, message = course.table, past_standing(course)
    if table.offers.standing:
        message.offers.extend(_offer(course, one) for one in table.offers.standing)
    if course.handovers:
        message.stand_ins.extend(_stand_in(course, one) for one in stand_ins(course))
        if changes := times_held(course):
            message.hold.CopyFrom(engine.Hold(held=course.held, changes=changes))
    if course.clocks is not None:
        message.clocks.extend(_clock(course, seat, at) for seat in range(len(table.seats)))
    if course.is_over:
        scores = None if table.aborted else table.rules.scores(table.game)
        message.outcome.CopyFrom(outcome(table.seats, scores))
    return message


def _offer(course: MatchState, one: Offer) -> engine.Offer:
    seats = course.table.seats
    awaited = [seats[seat] for seat in sorted(course.awaited(one))]
    kind, seat = OFFER_KINDS[one.kind], seats[one.seat]
    return engine.Offer(number=one.number, kind=kind, seat=seat, awaited=awaited)


def _stand_in(course: MatchState, one: StandIn) -> engine.StandIn:
    return engine.StandIn(
        seat=course.table.seats[one.seat],
        bot_level=one.level,
        changes=one.changes,
        for_good=one.for_good,
    )


OFFER_KINDS = {
    TAKE_BACK: engine.OFFER_KIND_TAKE_BACK,
    ABORT: engine.OFFER_KIND_ABORT,
    DRAW: engine.OFFER_KIND_DRAW,
}


def _clock(course: MatchState, seat: Seat, at: int) -> engine.SeatClock:
    assert course.clocks is not None
    left = course.clocks.left(seat, at)
    message = engine.SeatClock(seat=course.table.seats[seat], left_ms=left)
    expires = course.clocks.expires(seat)
    if expires is not None and not course.held:
        message.expires.CopyFrom(timestamp(course.clock_at(expires)))
    return message


def outcome(seats: Sequence[str], scores: Sequence[int] | None) -> types.Outcome:
    """How a match ended; without scores, it was aborted."""
    if scores is None:
        return types.Outcome(ending=types.ENDING_ABORTED)
    return types.Outcome(
        ending=types.ENDING_FINISHED,
        scores=[types.SeatScore(seat=s, score=n) for s, n in zip(seats, scores, strict=True)],
    )


def timestamp(ms: int) -> Timestamp:
    """A time in ms since 1970."""
    return Timestamp(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000)


# What is played here.


def description(rules: Rules[Any], levels: Sequence[str]) -> engine.DescribeGameResponse:
    """The game, for those who do not know it."""
    return engine.DescribeGameResponse(
        game=rules.name,
        title=rules.title,
        edition=rules.edition,
        options=[_option(option) for option in rules.options],
        presets=[
            types.Preset(
                name=name, options=option_choices(options), meaning=rules.preset_meanings[name]
            )
            for name, options in rules.presets.items()
        ],
        seats=rules.seats(rules.agree({})),
        prompts=rules.prompts(),
        bot_levels=levels,
        offers=[OFFER_KINDS[kind] for kind in rules.offers],
    )


def _option(option: Any) -> types.OptionSpec:
    message = types.OptionSpec(
        name=option.name,
        meaning=option.meaning,
        default_value=option.default,
        values=option.values,
    )
    if option.span is not None:
        first, last = option.span
        message.span.CopyFrom(types.WholeNumbers(first=first, last=last))
    return message


def teams(rules: Rules[Any], options: Options) -> list[types.Team]:
    """The seats that play on one side."""
    names = rules.seats(options)
    return [
        types.Team(name=team, seats=[names[seat] for seat in seats])
        for team, seats in rules.teams(options).items()
    ]


def option_choices(options: Options) -> list[types.OptionChoice]:
    """Options with their values, in their order."""
    return [types.OptionChoice(name=name, value=value) for name, value in options.items()]


# What is kept, and what must happen next.


def kept(stored: Stored, text: str) -> engine.Kept:
    """What is kept of a match that is over, beside this record."""
    return engine.Kept(data=packed(stored, text), head=stored.head, revision=stored.revision)


def due(one: Due) -> engine.Due:
    """One thing that is due."""
    return engine.Due(
        match=one.match,
        kind=_KINDS[one.kind],
        seat=one.seat,
        question=one.question,
        bot_level=one.level,
        since=timestamp(one.since),
        payer=one.payer,
        alone=one.alone,
    )


def inspected(stored: Stored) -> engine.InspectMatchResponse:
    """How a match stands with its engine."""
    fields = stored.fields
    noted = fields.get(FROZEN)
    return engine.InspectMatchResponse(
        edition=Setup.of(fields[SETUP]).edition,
        revision=stored.revision,
        frozen=refusals.frozen("", noted).message if noted else "",
        due=[due(Due.of(member)) for member in fields.get(DUE, "").split()],
    )


def counted(counts: Counts, now: int) -> engine.CountDueResponse:
    """How much is due."""
    return engine.CountDueResponse(
        counts=[
            engine.DueCount(kind=_KINDS[kind], count=one.number, oldest_ms=max(0, now - one.oldest))
            for kind, one in counts.items()
            if one.number
        ]
    )


_KINDS = {
    BOT_TURN: engine.DUE_KIND_BOT_TURN,
    CLOCK: engine.DUE_KIND_CLOCK,
    SCORE: engine.DUE_KIND_SCORE,
    LEAVE: engine.DUE_KIND_LEAVE,
}
