"""The toy game with one thing wrong at a time, each to be found by the check that looks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, ClassVar, Self

from services.core.contract import Options
from services.core.decisions import CHANCE, Action, Ask, Event, Pick, Seat
from services.core.frames import Game, Procedure, Question
from tests.conform import copies, garbage, offers, second_thoughts, secrets, whole_games
from tests.conform import rules as rules_checks
from tests.games.skirmish import rules as skirmish
from tests.games.skirmish.rules import HORN, NO_CARD, RULES, Board, G, SealCards, Skirmish

Check = Callable[[Any], None]


def faulty(base: type[Skirmish] = Skirmish, /, **wrong: Any) -> Skirmish:
    """The toy with some of its methods or names replaced."""
    return type("Faulty", (base,), {"__module__": skirmish.__name__, **wrong})()


# Boards that copy badly.


class SharedBoard(Board):
    __slots__ = ()

    def copy(self) -> Self:
        return self


class HalfSharedBoard(Board):
    __slots__ = ()

    def copy(self) -> HalfSharedBoard:
        twin = HalfSharedBoard(self.left, self.counts(), self.hands)
        twin.figures, twin.hands = self.figures, self.hands
        return twin


class ForgetfulBoard(Board):
    __slots__ = ()

    def copy(self) -> ForgetfulBoard:
        counts = [self.figures, bytes(len(self.sealed)), self.bag, self.spent]
        return ForgetfulBoard(self.left, counts, self.hands)


def on_board(kind: type[Board]) -> Skirmish:
    """The toy played on another kind of board."""

    def setup(self: Skirmish, options: Options) -> G:
        g = Skirmish.setup(self, options)
        return Game(kind(g.board.left, g.board.counts(), g.board.hands), g.stack)

    return faulty(setup=setup)


# Frames that are wrong.


@dataclass(slots=True)
class Halves(Question[Board]):
    half: float = 0.5

    prompt: ClassVar = "battle.halves"


@dataclass(slots=True)
class Stray(Procedure):
    script: ClassVar = ("wander",)

    def wander(self, g: G) -> None:
        """The step after this one is missing."""


Stray.script = ("wander", "settle")


@dataclass(slots=True)
class Mute(Question[Board]):
    """It has no prompt."""


# Rules that are wrong.


class Restless(Skirmish):
    """Counts what it is asked, and answers differently."""

    def __init__(self) -> None:
        super().__init__()
        self.counter = count(1)

    def odd(self) -> bool:
        return next(self.counter) % 2 == 1


class OtherSetups(Restless):
    def setup(self, options: Options) -> G:
        g = super().setup(options)
        g.board.spent[NO_CARD] = next(self.counter)
        return g


class OtherOrders(Restless):
    def ask(self, g: G, seat: Seat) -> Ask:
        ask = super().ask(g, seat)
        return Ask(ask.prompt, ask.actions[::-1] if self.odd() else ask.actions)


class OwnDice(Restless):
    def deal(self, g: G, pick: Pick) -> Action:
        return super().deal(g, lambda choices: next(self.counter) % choices)


class OtherEvents(Restless):
    def apply(self, g: G, seat: Seat, action: Action) -> list[Event]:
        return [*super().apply(g, seat, action), Event("ticked", {"at": next(self.counter)}, None)]


class OtherForfeits(Restless):
    def forfeit(self, g: G, seat: Seat) -> list[Event]:
        g.board.spent[NO_CARD] = next(self.counter) % 200
        return super().forfeit(g, seat)


class MovedByOthers(Skirmish):
    """What one seat is offered depends on whether another is ready, under the same number."""

    def ask(self, g: G, seat: Seat) -> Ask:
        ask, question = super().ask(g, seat), g.question()
        flip = isinstance(question, SealCards) and any(question.ready)
        return Ask(ask.prompt, ask.actions[::-1] if flip else ask.actions)


class FirstComes(Skirmish):
    """The first to be ready is kept."""

    def apply(self, g: G, seat: Seat, action: Action) -> list[Event]:
        if action.verb == "ready":
            g.board.spent[NO_CARD] = g.board.spent[NO_CARD] or seat + 1
        return super().apply(g, seat, action)


class OpenHands(Skirmish):
    def view(self, g: G, seat: Seat | None) -> dict[str, object]:
        return super().view(g, seat) | {"hands": [list(hand) for hand in g.board.hands]}


class OpenSeals(Skirmish):
    def view(self, g: G, seat: Seat | None) -> dict[str, object]:
        return super().view(g, seat) | {"sealed": list(g.board.sealed)}


class Peeping(Skirmish):
    """Tells whoever picks a card what another seat holds."""

    def apply(self, g: G, seat: Seat, action: Action) -> list[Event]:
        others = [hand for s, hand in enumerate(g.board.hands) if s != seat and hand]
        events = super().apply(g, seat, action)
        if action.verb == "pick" and others:
            told = {"seat": seat, "card": others[0][0]}
            events.append(Event("card_picked", told, frozenset({seat})))
        return events


class SharedSealsBoard(Board):
    """A copy has the same seals."""

    __slots__ = ()

    def copy(self) -> SharedSealsBoard:
        twin = SharedSealsBoard(self.left, self.counts(), self.hands)
        twin.sealed = self.sealed
        return twin


class Whispers(Skirmish):
    """Tells a seat that holds such a card, too, what another has picked."""

    def apply(self, g: G, seat: Seat, action: Action) -> list[Event]:
        events = super().apply(g, seat, action)
        if action.verb == "pick":
            also = [s for s, hand in enumerate(g.board.hands) if action.nouns[0] in hand]
            told = frozenset(s for s in also if s != seat)
            events.append(Event("card_picked", {"seat": seat, "card": action.nouns[0]}, told))
        return events


class OpenLog(Skirmish):
    """Shows the event that told another seat its card."""

    def view(self, g: G, seat: Seat | None) -> dict[str, object]:
        facts = ({"seat": s, "card": card} for s, hand in enumerate(g.board.hands) for card in hand)
        told = [self.report(Event("card_drawn", fact)) for fact in facts]
        return super().view(g, seat) | {"log": told}


class Telltale(Skirmish):
    """Asks those first who hold a certain card."""

    def waiting(self, g: G) -> tuple[Seat, ...]:
        asked = super().waiting(g)
        if not isinstance(g.question(), SealCards):
            return asked
        return tuple(seat for seat in asked if HORN in g.board.hands[seat]) or asked


class Meddler(Skirmish):
    def view(self, g: G, seat: Seat | None) -> dict[str, object]:
        g.board.spent[NO_CARD] = 1
        return super().view(g, seat)


class SameGuess(Skirmish):
    """Guesses the truth."""

    def guess(self, g: G, seat: Seat, pick: Pick) -> G:
        return g.copy()


class SealedGuess(Skirmish):
    """Redraws the hands, but leaves what others have sealed."""

    def guess(self, g: G, seat: Seat, pick: Pick) -> G:
        twin = super().guess(g, seat, pick)
        if isinstance(twin.question(), SealCards):
            twin.board.sealed = bytearray(g.board.sealed)
        return twin


class SwayedGuess(Skirmish):
    """Draws once more where another's hand begins with a certain card."""

    def guess(self, g: G, seat: Seat, pick: Pick) -> G:
        if any(hand[:1] == (1,) for s, hand in enumerate(g.board.hands) if s != seat):
            pick(2)
        return super().guess(g, seat, pick)


class RashGuess(Skirmish):
    """Changes the seat's own hand."""

    def guess(self, g: G, seat: Seat, pick: Pick) -> G:
        twin = super().guess(g, seat, pick)
        twin.board.hands[seat] = tuple(card % 3 + 1 for card in twin.board.hands[seat])
        return twin


class RudeGuess(Skirmish):
    """Guesses on the board that is being played on."""

    def guess(self, g: G, seat: Seat, pick: Pick) -> G:
        return Game(g.board, [frame.copy() for frame in g.stack])


class Shouting(Skirmish):
    def spell(self, action: Action) -> str:
        return super().spell(action).upper()


class Forgetful(Skirmish):
    def load_board(self, saved: list[Any]) -> Board:
        board = super().load_board(saved)
        board.left = max(board.left, 3)
        return board


class Lenient(Skirmish):
    """Reads no further than the first word it knows."""

    def parse(self, text: str) -> Action:
        words = text.split()
        return super().parse("ready" if "ready" in words else text)


class Startled(Skirmish):
    """Fails on a board of which a part is missing."""

    def load_board(self, saved: list[Any]) -> Board:
        assert len(saved) == 3
        return super().load_board(saved)


class Careless(Skirmish):
    """Has digests that say nothing."""

    def gist(self, g: G) -> bytes:
        return b"a skirmish"


def _agrees_to_all(self: Skirmish, chosen: Mapping[str, str]) -> Options:
    defaults = {option.name: option.default for option in self.options}
    return defaults | {name: value for name, value in chosen.items() if name in defaults}


def _drops_one(self: Skirmish, chosen: Mapping[str, str]) -> Options:
    return dict(list(Skirmish.agree(self, chosen).items())[:-1])


def _fails(*_: object) -> None:
    raise AssertionError("two cards are one")


def _waits_twice(self: Skirmish, g: G) -> Sequence[Seat]:
    return Skirmish.waiting(self, g) * 2


def _asks_openly(self: Skirmish, g: G, seat: Seat) -> Ask:
    return Skirmish.ask(self, g, seat)._replace(neutral=False)


def _is_neutral_by_the_hand(self: Skirmish, g: G, seat: Seat) -> Ask:
    return Skirmish.ask(self, g, seat)._replace(neutral=sum(g.board.hands[seat]) % 2 == 1)


def _offers_twice(self: Skirmish, g: G, seat: Seat) -> Ask:
    ask = Skirmish.ask(self, g, seat)
    return Ask(ask.prompt, [*ask.actions, *ask.actions])


def _deals_nothing(self: Skirmish, g: G, pick: Pick) -> Action:
    action = Skirmish.deal(self, g, pick)
    return Action("draw", (NO_CARD,)) if g.board.left < 3 and action.verb == "draw" else action


def _allows_all(self: Skirmish, g: G, seat: Seat, action: Action) -> bool:
    return True if seat != CHANCE else Skirmish.allows(self, g, seat, action)


def _sees_nobody_there(self: Skirmish, g: G, seat: Seat, action: Action) -> list[Event]:
    return [e._replace(seen_by=frozenset({9})) for e in Skirmish.apply(self, g, seat, action)]


RULES_FAULTS: tuple[tuple[Check, Skirmish], ...] = (
    (rules_checks.rules_are_named, faulty(title=" ")),
    (rules_checks.rules_have_every_method_of_the_contract, faulty(view=lambda _, g: {})),
    (
        rules_checks.options_say_what_they_mean,
        faulty(options=(replace(Skirmish.options[0], default="4"), *Skirmish.options[1:])),
    ),
    (rules_checks.agreed_options_are_complete_and_agree_again, faulty(agree=_drops_one)),
    (rules_checks.presets_are_agreed_to, faulty(presets={"duel": {"deck": "large"}})),
    (rules_checks.presets_say_what_they_are, faulty(preset_meanings={"duel": "duel"})),
    (
        rules_checks.presets_say_what_they_are,
        faulty(preset_meanings=dict.fromkeys(Skirmish.presets, "A game for some.")),
    ),
    (rules_checks.unknown_options_are_refused, faulty(agree=_agrees_to_all)),
    (
        rules_checks.seats_have_names_of_their_own,
        faulty(seats=lambda _, options: ("host", "gondor")),
    ),
    (
        rules_checks.teams_are_seats_side_by_side,
        faulty(teams=lambda _, options: {"west": (0,), "east": (1,)}),
    ),
    (rules_checks.setup_is_the_same_every_time, OtherSetups()),
    (rules_checks.frames_have_names_of_their_own, faulty(frames=RULES.frames * 2)),
    (rules_checks.frames_hold_only_plain_values, faulty(frames=(*RULES.frames, Halves))),
    (rules_checks.every_step_of_a_script_exists, faulty(frames=(*RULES.frames, Stray))),
    (rules_checks.every_question_has_a_prompt, faulty(frames=(*RULES.frames, Mute))),
    (rules_checks.every_frame_that_is_written_is_listed, faulty(frames=RULES.frames[1:])),
)

WALK_FAULTS: tuple[tuple[Check, Skirmish], ...] = (
    (whole_games.a_game_plays_to_its_end_within_its_bound, faulty(bound=lambda _, options: 5)),
    (whole_games.a_game_plays_to_its_end_within_its_bound, faulty(deal=_deals_nothing)),
    (whole_games.its_record_reads_back_and_replays, OtherSetups()),
    (whole_games.its_record_replays_from_wherever_it_is_cut, OtherSetups()),
    (whole_games.the_seed_deals_what_the_record_says, OwnDice()),
    (whole_games.every_new_question_has_a_new_number, MovedByOthers()),
    (whole_games.taking_back_and_doing_again_changes_nothing, on_board(ForgetfulBoard)),
    (whole_games.a_forfeit_is_replayed_like_any_decision, OtherForfeits()),
    (secrets.what_a_seat_did_not_see_is_not_in_its_view, OpenLog()),
    (secrets.who_is_waited_for_tells_nothing_of_what_was_dealt, Telltale()),
    (garbage.changed_texts_are_refused_or_mean_what_they_say, Lenient()),
    (garbage.changed_positions_are_refused_or_are_positions, Startled()),
    (garbage.changed_records_are_refused_or_are_the_same_game, Careless()),
)

MOMENT_FAULTS: tuple[tuple[Check, Skirmish], ...] = (
    (offers.somebody_is_waited_for_or_the_game_is_over, faulty(waiting=_waits_twice)),
    (offers.every_prompt_is_one_that_the_game_speaks_of, faulty(prompts=lambda _: [])),
    (offers.actions_are_offered_once_and_in_a_fixed_order, faulty(ask=_offers_twice)),
    (offers.actions_are_offered_once_and_in_a_fixed_order, OtherOrders()),
    (offers.what_is_allowed_is_what_is_offered, faulty(allows=_allows_all)),
    (offers.chance_deals_what_is_allowed_and_the_same_from_the_same_draws, OwnDice()),
    (offers.an_action_is_the_text_that_spells_it, Shouting()),
    (
        offers.every_question_and_action_is_a_sentence_of_its_own,
        faulty(sentence=lambda _, g, seat, action: "Do it."),
    ),
    (offers.every_event_is_plain_and_can_be_told, faulty(apply=_sees_nobody_there)),
    (offers.every_event_is_plain_and_can_be_told, faulty(report=lambda _, event: "")),
    (offers.scores_are_one_number_a_seat, faulty(scores=lambda _, g: (1,))),
    (offers.the_audit_passes, faulty(audit=_fails)),
    (offers.simultaneous_answers_may_come_in_any_order, FirstComes()),
    (copies.a_copy_stays_as_it_was, on_board(SharedBoard)),
    (copies.a_copy_shares_nothing, on_board(HalfSharedBoard)),
    (copies.the_same_action_on_twins_gives_twins, OtherEvents()),
    (copies.a_gist_tells_positions_apart, faulty(gist=lambda _, g: b"a skirmish")),
    (copies.a_saved_position_is_the_position, Forgetful()),
    (copies.no_query_changes_the_game, Meddler()),
    (copies.every_frame_on_the_stack_is_known, faulty(frames=RULES.frames[1:])),
    (secrets.views_are_plain_data, faulty(view=lambda _, g, seat: {"left": {1, 2}})),
    (secrets.what_may_be_taken_back_told_nobody_what_it_was, OpenSeals()),
    (second_thoughts.what_is_taken_back_is_as_it_was_to_everyone, on_board(SharedSealsBoard)),
    (second_thoughts.what_may_be_taken_back_has_taught_its_seat_nothing, Peeping()),
    (second_thoughts.what_may_be_taken_back_has_taught_its_seat_nothing, Whispers()),
    (secrets.a_guess_looks_the_same_to_its_seat, OpenHands()),
    (secrets.a_guess_looks_the_same_to_its_seat, RashGuess()),
    (secrets.a_guess_knows_only_what_its_seat_knows, SwayedGuess()),
    (secrets.a_guess_cannot_tell_apart_what_its_seat_cannot, SameGuess()),
    (secrets.a_guess_cannot_tell_apart_what_its_seat_cannot, SealedGuess()),
    (secrets.a_guess_is_a_world_of_its_own, RudeGuess()),
    (
        secrets.a_question_is_neutral_where_others_may_not_know_that_there_is_no_choice,
        faulty(ask=_asks_openly),
    ),
    (
        secrets.a_question_is_neutral_where_others_may_not_know_that_there_is_no_choice,
        faulty(ask=_is_neutral_by_the_hand),
    ),
    (whole_games.a_seat_that_gives_up_is_never_asked_again, faulty(forfeit=lambda _, g, seat: [])),
    (whole_games.when_every_seat_gives_up_the_game_is_over, faulty(forfeit=lambda _, g, seat: [])),
)


def names(faults: Sequence[tuple[Check, Skirmish]]) -> Iterator[str]:
    """What each fault is called in a list of tests."""
    for number, (check, rules) in enumerate(faults):
        yield f"{check.__name__}-{type(rules).__name__}-{number}"
