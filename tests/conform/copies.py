"""Checks of the position as a value: saved, copied and looked at without a change."""

from __future__ import annotations

from collections.abc import Callable

from services.core.decisions import CHANCE
from services.core.frames import Frame
from services.core.table import digest
from tests.conform.walks import Moment

_VIEWED = 5  # every how many loaded positions one is viewed: what a view infers, it infers anew


def a_copy_stays_as_it_was(m: Moment) -> None:
    """The game went on after this copy was kept."""
    if m.number:
        who, what, kept = m.walk.table.entries[m.number - 1][:3]
        assert digest(f"{who}: {what}", m.rules, m.game) == kept


def a_copy_shares_nothing(m: Moment) -> None:
    before = m.rules.dump(m.game)
    if m.action is not None:
        m.rules.apply(m.game.copy(), m.seat, m.action)
    assert m.rules.dump(m.game) == before


def the_same_action_on_twins_gives_twins(m: Moment) -> None:
    if m.action is None:
        return
    twins = m.game.copy(), m.rules.load(m.saved), m.game.copy().copy()
    told = [m.rules.apply(twin, m.seat, m.action) for twin in twins]

    assert all(events == list(m.events) for events in told)
    assert len({m.rules.dump(twin) for twin in twins}) == 1
    assert all(twin.events == [] for twin in twins), "events are handed over, not kept"


def a_gist_tells_positions_apart(m: Moment) -> None:
    """Else a digest would not show where a replay leaves its record."""
    if m.action is None:
        return
    twin = m.game.copy()
    m.rules.apply(twin, m.seat, m.action)
    is_other = m.rules.dump(twin) != m.saved

    assert is_other == (m.rules.gist(twin) != m.rules.gist(m.game))
    assert m.rules.gist(m.rules.load(m.saved)) == m.rules.gist(m.game)


def a_saved_position_is_the_position(m: Moment) -> None:
    loaded = m.rules.load(m.saved)

    assert m.rules.dump(loaded) == m.saved
    assert m.rules.waiting(loaded) == m.waiting
    assert m.rules.scores(loaded) == m.rules.scores(m.game)
    for seat in m.asked:
        ask = m.rules.ask(loaded, seat)
        assert (ask.prompt, list(ask.actions)) == (
            m.rules.ask(m.game, seat).prompt,
            m.offered(seat),
        )
    for viewer in m.walk.viewers if m.number % _VIEWED == 0 else ():
        assert m.rules.view(loaded, viewer) == m.rules.view(m.game, viewer)


def no_query_changes_the_game(m: Moment) -> None:
    for name, query in _queries(m):
        query()
        assert m.rules.dump(m.game) == m.saved, name
        assert m.game.events == [], name


def every_frame_on_the_stack_is_known(m: Moment) -> None:
    kinds: tuple[type[Frame], ...] = m.rules.frames
    assert [frame for frame in m.game.stack if type(frame) not in kinds] == []


def _queries(m: Moment) -> list[tuple[str, Callable[[], object]]]:
    """Every query of the contract, but for `guess`, which the checks of secrets look at."""
    rules, g = m.rules, m.game
    queries: list[tuple[str, Callable[[], object]]] = [
        ("waiting", lambda: rules.waiting(g)),
        ("scores", lambda: rules.scores(g)),
        ("audit", lambda: rules.audit(g)),
        ("dump", lambda: rules.dump(g)),
        ("view", lambda: [rules.view(g, viewer) for viewer in m.walk.viewers]),
    ]
    for seat in m.asked:
        queries += [
            ("ask", lambda seat=seat: rules.ask(g, seat)),
            ("allows", lambda seat=seat: [rules.allows(g, seat, a) for a in m.offered(seat)]),
            ("question", lambda seat=seat: rules.question(g, seat)),
            ("sentence", lambda seat=seat: [rules.sentence(g, seat, a) for a in m.offered(seat)]),
        ]
    if m.waiting == (CHANCE,):
        queries.append(("deal", lambda: rules.deal(g, m.pick("deal"))))
    return queries
