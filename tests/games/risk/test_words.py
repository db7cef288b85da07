"""What people read in Risk: names, right plurals, no id; as twenty games say it."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from services.core.decisions import CHANCE, Event
from services.risk import RULES
from services.risk.cards.texts import meaning
from services.risk.tables import ADVENTURES, MISSIONS, RECONSTRUCTED, bits
from tests.games.risk.positions import given

WRONG = (
    r"\w_\w",  # an id
    r"\b1 (battalions|dice|points|rounds|turns)\b",
    r"\b(0|[2-9]|\d\d+) (battalion|die|point|round|turn)\b",
    r"\b(1 battalion are|battalions is|a [AEIOU]\w*|an [^aeiouAEIOU\W]\w*)\b",
    r"\b(yellow|red|green|black|neutral)\b(?! army)",
    r"\bNone\b.",
    r"[.!?]{2}",
    r"\s[,.;]",
)


@cache
def aloud():
    """All that twenty random games say, each sentence once, with an example of where."""
    found = {}
    for number in range(20):
        preset = list(RULES.presets)[number % len(RULES.presets)]
        chance = random.Random(f"aloud {number}")
        game = RULES.setup(RULES.agree(RULES.presets[preset]))
        while waiting := RULES.waiting(game):
            seat = waiting[0]
            actions = RULES.ask(game, seat).actions if seat != CHANCE else ()
            action = chance.choice(actions) if actions else RULES.deal(game, chance.randrange)
            some = {action, *chance.sample(list(actions), min(4, len(actions)))}
            said = [RULES.sentence(game, seat, one) for one in some]
            said += [] if seat == CHANCE else [RULES.question(game, seat)]
            said += [RULES.report(event) for event in RULES.apply(game, seat, action)]
            found.update(dict.fromkeys(said, f"{preset} {number}"))
    return found


@pytest.mark.parametrize("wrong", WRONG)
def test_nothing_that_is_said_is_wrong(wrong):
    assert [] == [(text, where) for text, where in aloud().items() if re.search(wrong, text)][:5]


@pytest.mark.parametrize(
    "wrong", ["the_shire fell", "1 battalions", "a Adventure card", "red won", "1 battalion are"]
)
def test_the_check_finds_what_is_wrong(wrong):
    assert any(re.search(pattern, wrong) for pattern in WRONG)


def test_numbers_of_one_are_said_as_one():
    def report(kind, **facts):
        return RULES.report(Event(kind, facts))

    assert "The Corsairs took 1 battalion from Umbar." == report(
        "corsairs_paid", territory="umbar", battalions=1
    )
    assert "Moria lost no battalions." == report("battalions_lost", territory="moria", battalions=0)
    assert "Red receives 3 battalions for land; 1 for Moria." == report(
        "reinforced", seat="red", territories=3, regions=0, strongholds=["moria"]
    )
    assert "Red played Ambush!" == report("card_played", seat="red", card="power_ambush")


def test_an_attacker_reads_how_many_will_be_left():
    game = given(RULES, ["yellow: moria 4, forlindon 1; red: eregion 3, nurn 1; rest neutral 1"])
    RULES.apply(game, 0, RULES.parse("invade moria eregion"))
    said = [RULES.sentence(game, 0, RULES.parse(f"press {left}")) for left in (1, 2)]

    assert [
        "Fight on until no more than 1 battalion is left in Moria.",
        "Fight on until no more than 2 battalions are left in Moria.",
    ] == said


# Values that are not printed.


def test_what_seventeen_missions_score_is_reconstructed_and_their_cards_say_so():
    """RULINGS 25."""
    read = {"edoras", "gates_of_moria", "harlond", "carn_dum", "lothlorien"}

    assert 17 == RECONSTRUCTED.bit_count()
    assert read == {ADVENTURES[card][8:] for card in bits(MISSIONS & ~RECONSTRUCTED)}
    for card in range(len(ADVENTURES)):
        said = ["reconstructed" in meaning(card, side) for side in (0, 1)]
        assert [bool(RECONSTRUCTED >> card & 1)] * 2 == said
