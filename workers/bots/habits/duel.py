"""What people usually do in Duel: they take what they get, and refuse only where there is a reason.

Nearly everything may be refused in this game, and nearly nothing ever should be. So nobody who goes
on by habit refuses what is sure to be good, and a bot thinks of refusing only where something that
it can see speaks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game
from services.duel.board import OFFERED, Board
from services.duel.tables import BONUS_AT, BONUS_EFFECTS, CHAPTERS, TILE, available

G = Game[Board]
Actions = Sequence[Action]

FEW_CARDS = 2
"""With so few cards to take, who must take one may be worse off than who must not."""
FEW_UNITS = 4
"""With so few in the supply, units may be needed elsewhere."""
LATE = 4
"""With so few cards left in the last chapter nothing is gained for later."""


def likely(game: G, seat: Seat, actions: Actions, pick: Pick) -> Action:
    """What a seat is likely to do: anything, but for refusing a gift."""
    question = game.question()
    assert question is not None
    if question.prompt == "quest.advance":
        return actions[-1]
    if question.prompt in _REASONS and not actions[0].nouns and len(actions) > 1:
        return actions[1 + pick(len(actions) - 1)]
    return actions[pick(len(actions))]


def sensible(game: G, seat: Seat, actions: Actions) -> Actions:
    """Those of the actions that are worth a thought; never none."""
    question = game.question()
    assert question is not None
    has_reason = _REASONS.get(question.prompt)
    if has_reason is None or actions[0].nouns or has_reason(game.board, actions):
        return actions
    return actions[-1:] if question.prompt == "quest.advance" else actions[1:]


# Reasons to refuse, by prompt.


def _late(b: Board, actions: Actions) -> bool:
    return b.chapter == len(CHAPTERS) and b.left.bit_count() <= LATE


def _few_to_take(b: Board, actions: Actions) -> bool:
    return len(available(b.chapter, b.left)) <= FEW_CARDS


def _few_units(b: Board, actions: Actions) -> bool:
    return b.supply[b.turn] <= FEW_UNITS


def _bonus_is_wasted(b: Board, actions: Actions) -> bool:
    """Whether the space that would be reached or passed pays nothing now."""
    before, steps = b.quest[b.turn], actions[-1].nouns[0]
    return any(
        not _PAYS[bonus.kind](b)
        for at, bonus in zip(BONUS_AT, BONUS_EFFECTS, strict=True)
        if before < at <= before + steps
    )


_PAYS: Mapping[str, Callable[[Board], bool]] = {
    "gain_coins": lambda b: not b.settings.limited or b.reserve > 0,
    "place_units": lambda b: b.supply[b.turn] > 0,
    "extra_turn": lambda b: b.settings.adds_up or not b.extra,
    "remove_enemy_fortress": lambda b: b.fortresses(1 - b.turn) > 0,
}


def _stands_there(b: Board, actions: Actions) -> bool:
    """Whether a fortress would bring no new region while another tile lies there to be paid."""
    (region,) = actions[-1].nouns
    return OFFERED in b.tiles and b.is_present(b.turn, region)


def _may_come_back(b: Board, actions: Actions) -> bool:
    """Whether the other side could soon play from the discard pile what it loses now."""
    return b.tiles[TILE["barad_dur"]] == OFFERED


_REASONS: Mapping[str, Callable[[Board, Actions], bool]] = {
    "turn.again": _few_to_take,
    "quest.advance": _bonus_is_wasted,
    "armies.place": _few_units,
    "armies.build": _stands_there,
    "discard.strip": _may_come_back,
    "alliance.race": _late,
}
"""By the prompt of a question that is a gift to answer: whether refusing is worth a thought."""
