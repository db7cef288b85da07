"""The gateway's documents as messages, and requests to engines. No decisions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from google.protobuf.timestamp_pb2 import Timestamp

from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1 import types_pb2 as types
from bree.gateway.v1 import gateway_pb2 as pb
from gateway.documents import (
    Account,
    Clock,
    Hold,
    Match,
    Note,
    Outcome,
    Rating,
    Seat,
    Session,
    StandIn,
    State,
)
from gateway.paces import FREE, LIVE, SLOW

STATES = {
    State.OPEN: pb.MATCH_STATE_OPEN,
    State.STARTING: pb.MATCH_STATE_OPEN,  # until it can be played
    State.RUNNING: pb.MATCH_STATE_RUNNING,
    State.OVER: pb.MATCH_STATE_OVER,
    State.CLOSED: pb.MATCH_STATE_CLOSED,
}


def time(ms: int) -> Timestamp:
    """A time that is kept in milliseconds."""
    return Timestamp(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000)


def account(a: Account) -> pb.Account:
    """An account, as everyone may see it."""
    return pb.Account(
        id=a.id, name=a.name, guest=a.guest, create_time=time(a.created_ms), bot=a.bot
    )


def own_account(a: Account) -> pb.Account:
    """An account, for its owner."""
    shown = account(a)
    if a.leaving_ms:
        shown.leave_time.CopyFrom(time(a.leaving_ms))
    return shown


def session(s: Session, *, current: bool = False) -> pb.Session:
    """A session, for its owner."""
    return pb.Session(
        id=s.id,
        device=s.device,
        create_time=time(s.created_ms),
        use_time=time(s.used_ms),
        current=current,
    )


def match(m: Match, names: Mapping[str, str], here: Container[str] = ()) -> pb.Match:
    """A match, as everyone may see it, with the names that accounts bear now, where they differ.

    And with who of them is here.
    """
    return pb.Match(
        id=m.id,
        game=m.game,
        options=options(m.options),
        seats=[_seat(m, seat, names, here) for seat in m.seats],
        state=STATES[m.state],
        creator=names.get(m.creator, m.creator_name),
        create_time=time(m.created_ms),
        clock=clock(m.clock),
        commitment=m.commitment,
        outcome=outcome_message(m.outcome) if m.outcome else None,
        rated=m.settled == "counted",
        teams=[types.Team(name=team.name, seats=team.seats) for team in m.teams],
        held=m.hold.held,
    )


def _seat(m: Match, seat: Seat, names: Mapping[str, str], here: Container[str]) -> pb.MatchSeat:
    account = names.get(seat.account, seat.label)
    return pb.MatchSeat(
        seat=seat.name,
        account=account,
        bot_level=seat.bot_level,
        stand_in=m.stand_in(seat.name),
        here=seat.account in here,
        program=seat.program,
    )


def stand_ins(standing: engine.Standing) -> tuple[StandIn, ...]:
    """The stand-ins of a standing, to be kept."""
    return tuple(StandIn(one.seat, one.bot_level, one.changes) for one in standing.stand_ins)


def hold(standing: engine.Standing) -> Hold:
    """Whether the host holds a match, to be kept."""
    return Hold(standing.hold.held, standing.hold.changes)


def note(n: Note, m: Match, team: str, names: Mapping[str, str]) -> pb.Note:
    """A note, for those whom it is for."""
    return pb.Note(
        match=m.id,
        channel=pb.NOTE_CHANNEL_TEAM,
        team=team,
        number=n.number,
        seat=n.seat,
        account=names.get(n.account, n.label),
        text=n.text,
        create_time=time(n.at_ms),
    )


def options(chosen: Iterable[tuple[str, str]]) -> list[types.OptionChoice]:
    """Options with their values."""
    return [types.OptionChoice(name=name, value=value) for name, value in chosen]


def clock(c: Clock | None) -> engine.Clock | None:
    """A clock, or none."""
    return c and engine.Clock(bank_ms=c.bank_ms, move_ms=c.move_ms, bot_level=c.bot_level)


def outcome_message(o: Outcome) -> types.Outcome:
    """An outcome that is kept."""
    scores = [types.SeatScore(seat=seat, score=score) for seat, score in o.scores]
    return types.Outcome(ending=types.Ending.ValueType(o.ending), scores=scores)


def outcome(o: types.Outcome) -> Outcome:
    """An outcome to be kept."""
    return Outcome(int(o.ending), tuple((score.seat, score.score) for score in o.scores))


def beginning(m: Match) -> engine.CreateMatchRequest:
    """What an engine needs to begin a match."""
    return engine.CreateMatchRequest(
        match=m.id,
        options=options(m.options),
        players=[
            engine.Player(
                seat=seat.name,
                label=seat.player,
                bot_level=seat.bot_level,
                nonce=bytes.fromhex(seat.nonce),
            )
            for seat in m.seats
        ],
        clock=clock(m.clock),
        commitment=m.commitment,
        payer=m.creator,
    )


PACES = {"": pb.PACE_UNSPECIFIED, LIVE: pb.PACE_LIVE, SLOW: pb.PACE_SLOW, FREE: pb.PACE_FREE}


def rating(r: Rating, game: str, name: str, pace: str = "", *, bot: bool = False) -> pb.Rating:
    """A rating, as everyone may see it, with the name that its player bears now."""
    return pb.Rating(
        account=name,
        game=game,
        mu=r.mu,
        sigma=r.sigma,
        ordinal=r.ordinal,
        matches=r.matches,
        bot=bot,
        pace=PACES[pace],
    )
