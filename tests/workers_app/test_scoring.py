"""Scoring, through crashes, repetitions, races and records that have been tampered with."""

from __future__ import annotations

import re
import threading

import pytest
from prometheus_client import REGISTRY

from bree.engine.v1.types_pb2 import Ending
from bree.gateway.v1.gateway_pb2 import GetSettlementResponse, Meeting, PlayerRating, Rating
from services.core.reading import parse_record
from services.core.record import record_of
from tests.workers_app.fakes import away
from workers.bots.uniform import Uniform
from workers.scoring import outcome_of, rated, score, verified

GAME = "confrontation"
BEGINNER = 25


def finish(engine, match):
    """Play a match to its end at random."""
    table = engine.begin(match)
    bot = Uniform()
    while not table.is_over:
        seat = table.waiting()[0]
        pick = engine.fairness[match].fate().pick
        table.act(seat, bot.choose(table.rules, table.game, seat, pick))
    return table


@pytest.fixture
def table(engine):
    return finish(engine, "c-1")


def text_of(engine, table, match="c-1"):
    return record_of(table, engine.fairness[match]).text()


def counted(result):
    """How often matches were scored with this result."""
    labels = {"game": GAME, "result": result}
    return REGISTRY.get_sample_value("bree_settlements_total", labels) or 0


def mus(gateway):
    return {name: rating.mu for name, rating in gateway.ratings.items()}


def test_a_finished_match_is_rated(clients, engine, gateway, table):
    """The winner rises, the loser falls, both count one match more, and nothing is due."""
    table = finish(engine, "c-2")
    good, dark = table.rules.scores(table.game)

    assert score(clients, GAME, "c-2") == "rated"
    assert (gateway.ratings["alice"].mu > gateway.ratings["bob"].mu) is (good > dark)
    assert {1} == {rating.matches for rating in gateway.ratings.values()}
    for rating in gateway.ratings.values():
        assert rating.ordinal == pytest.approx(rating.mu - 3 * rating.sigma)
        assert rating.sigma < 25 / 3
    assert [good, dark] == [s.score for s in gateway.outcomes["c-2"].scores]
    assert ["c-2"] == engine.settled


@pytest.mark.parametrize("lent", ["winner", "loser"])
def test_whoever_lent_his_seat_to_a_bot_wins_nothing_by_it(clients, engine, gateway, lent):
    """He loses as he would have; and the other one's rating is what it would be."""
    table = finish(engine, "c-2")
    good, dark = table.rules.scores(table.game)
    winner, loser = ("alice", "bob") if good > dark else ("bob", "alice")
    plain = rated_alone(gateway, text_of(engine, table, "c-2"))
    who = winner if lent == "winner" else loser
    engine.lent = [seat for seat, name in gateway.seats.items() if name == who]
    assert score(clients, GAME, "c-2") == "rated"

    assert (mus(gateway)[winner] == BEGINNER) is (lent == "winner")
    assert plain[loser] == mus(gateway)[loser] < BEGINNER
    assert {1} == {rating.matches for rating in gateway.ratings.values()}


def rated_alone(gateway, text):
    """What the result makes of the ratings where nobody has lent his seat."""
    players = [
        PlayerRating(seat=seat, rating=gateway.ratings[name])
        for seat, name in gateway.seats.items()
    ]
    settlement = GetSettlementResponse(game=GAME, players=players, rateable=True)
    found = rated(settlement, parse_record(text))
    return {player.rating.account: player.rating.mu for player in found}


def test_a_match_counts_once_however_often_it_is_scored(clients, engine, gateway, table):
    """A task that is delivered again changes no rating."""
    score(clients, GAME, "c-1")
    after = mus(gateway)

    assert score(clients, GAME, "c-1") == "repeated"
    assert after == mus(gateway)
    assert {1} == {rating.matches for rating in gateway.ratings.values()}


def test_a_crash_before_the_match_is_settled_rates_it_once(clients, engine, gateway, table):
    """The engine was never told, so the match is scored again, and counts no second time."""
    engine.before["SettleMatch"] = [away()] * 50

    assert score(clients, GAME, "c-1") == "unavailable"
    after = mus(gateway)
    engine.before["SettleMatch"].clear()

    assert not engine.settled
    assert score(clients, GAME, "c-1") == "repeated"
    assert after == mus(gateway)
    assert ["c-1"] == engine.settled


def test_a_settlement_whose_answer_is_lost_counts_once(clients, engine, gateway, table):
    """The gateway wrote the ratings and its answer never came; asking again changes nothing."""
    gateway.after["SettleRatings"].append(away("OUTCOME_UNKNOWN"))

    assert score(clients, GAME, "c-1") == "repeated"
    assert {1} == {rating.matches for rating in gateway.ratings.values()}
    assert ["c-1"] == engine.settled


def test_a_rating_that_changed_meanwhile_is_read_again(clients, engine, gateway, table):
    """A settlement from old ratings is refused, and made anew from the new ones."""

    def change():
        gateway.before["SettleRatings"].clear()
        gateway.ratings["alice"].mu = 60
        gateway.versions["alice"] += 1

    gateway.before["SettleRatings"].append(change)

    assert score(clients, GAME, "c-1") == "rated"
    assert gateway.count("GetSettlement") == 2
    assert gateway.ratings["alice"].mu == pytest.approx(60, abs=10)


def test_matches_of_the_same_players_scored_at_once_all_count(clients, engine, gateway):
    """However the settlements meet, each is made from the ratings that the one before left."""
    matches = [f"c-{number}" for number in range(6)]
    for match in matches:
        finish(engine, match)
    results = []
    threads = [
        threading.Thread(target=lambda match=match: results.append(score(clients, GAME, match)))
        for match in matches
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert ["rated"] * len(matches) == results
    assert {len(matches)} == {rating.matches for rating in gateway.ratings.values()}


def swap_scores(text):
    return re.sub(r"finished (\d+) good (\S+) dark (\S+)", r"finished \1 good \3 dark \2", text)


def drop_a_line(text):
    lines = text.split("\n")
    return "\n".join(lines[:40] + lines[41:])


def another_secret(text):
    return re.sub(r"secret ..", "secret 00", text)


def torn(text):
    return text[: len(text) // 2]


@pytest.mark.parametrize("tamper", [swap_scores, drop_a_line, another_secret, torn])
def test_a_record_that_does_not_verify_is_not_rated(clients, engine, gateway, table, tamper):
    """It is counted and logged as such, changes no rating, and stays due."""
    engine.texts["c-1"] = tamper(text_of(engine, table))
    before = counted("unverifiable")

    assert score(clients, GAME, "c-1") == "unverifiable"
    assert counted("unverifiable") == before + 1
    assert not gateway.outcomes
    assert not engine.settled


def test_a_record_of_another_game_is_not_rated(clients, engine, gateway, table):
    """The game that a task names and the record's must be the same."""
    text = text_of(engine, table)
    engine.texts["c-1"] = text.replace("game confrontation", "game chess")

    assert score(clients, GAME, "c-1") == "unverifiable"
    assert not gateway.outcomes


def test_players_of_other_seats_are_not_rated(clients, engine, gateway, table):
    """Who sits where must be what the record says."""
    gateway.seats = {"dark": "alice", "good": "bob"}

    assert score(clients, GAME, "c-1") == "unverifiable"
    assert not gateway.outcomes


def test_an_aborted_match_is_settled_and_not_rated(clients, engine, gateway):
    """It is nobody's gain and nobody's loss, and over."""
    engine.begin("c-1").abort()

    assert score(clients, GAME, "c-1") == "unrated"
    assert Ending.ENDING_ABORTED == gateway.outcomes["c-1"].ending
    assert {BEGINNER} == set(mus(gateway).values())
    assert ["c-1"] == engine.settled


def test_a_match_that_does_not_count_is_settled_and_not_rated(clients, engine, gateway, table):
    """Who plays against himself proves nothing."""
    gateway.rateable = False

    assert score(clients, GAME, "c-1") == "unrated"
    assert Ending.ENDING_FINISHED == gateway.outcomes["c-1"].ending
    assert {BEGINNER} == set(mus(gateway).values())
    assert ["c-1"] == engine.settled


def test_a_running_match_is_left_alone(clients, engine, gateway):
    """A task for it was sent too early, and does nothing."""
    engine.begin("c-1")

    assert score(clients, GAME, "c-1") == "running"
    assert not gateway.calls
    assert not engine.settled


def test_a_gateway_that_is_away_leaves_the_match_due(clients, engine, gateway, table):
    """Nothing is settled before it has counted."""
    gateway.before["GetSettlement"] = [away()] * 50

    assert score(clients, GAME, "c-1") == "unavailable"
    assert not engine.settled


def test_the_outcome_is_the_records(engine, table):
    """What is settled is what the verified record says, seat by seat."""
    record = verified(text_of(engine, table), GAME)
    outcome = outcome_of(record)

    assert parse_record(text_of(engine, table)) == record
    assert list(record.seats) == [score.seat for score in outcome.scores]
    assert list(record.scores) == [score.score for score in outcome.scores]


def given_up(engine, match, decisions):
    """A match in which the first seat that is asked gives up after some decisions of its own."""
    table, bot = engine.begin(match), Uniform()
    quitter = table.waiting()[0]
    pick = engine.fairness[match].fate().pick
    made = 0
    while made < decisions:
        seat = table.waiting()[0]
        table.act(seat, bot.choose(table.rules, table.game, seat, pick))
        made += seat == quitter
    table.resign(quitter)
    return table


@pytest.mark.parametrize(("decisions", "result"), [(0, "unrated"), (4, "unrated"), (5, "rated")])
def test_who_gives_up_at_once_has_not_played(clients, engine, gateway, decisions, result):
    """Nobody rises by that, and the match is settled all the same."""
    given_up(engine, "c-9", decisions)

    assert result == score(clients, GAME, "c-9")
    assert ({BEGINNER} == set(mus(gateway).values())) is (result == "unrated")
    assert ["c-9"] == engine.settled


def test_what_was_offered_or_taken_back_is_no_decision(clients, engine, gateway):
    """So nobody makes a match count by notes, or by thinking better of the same thing."""
    table, bot = engine.begin("c-9"), Uniform()
    quitter = table.waiting()[0]
    pick = engine.fairness["c-9"].fate().pick
    for _ in range(5):
        table.note(table.seats[quitter], "hint asked for")
        table.act(quitter, bot.choose(table.rules, table.game, quitter, pick))
        table.undo(quitter)
    table.resign(quitter)

    assert "unrated" == score(clients, GAME, "c-9")
    assert {BEGINNER} == set(mus(gateway).values())


def settlement_of(*players, meetings=()):
    """Players by name, with how many matches of theirs have counted."""
    seats = ("good", "dark")
    return GetSettlementResponse(
        players=[
            PlayerRating(
                seat=seat,
                rating=Rating(account=name, game=GAME, mu=25, sigma=25 / 3, matches=matches),
            )
            for seat, (name, matches) in zip(seats, players, strict=True)
        ],
        rateable=True,
        meetings=[Meeting(one=one, other=other, matches=n) for one, other, n in meetings],
    )


def change(settlement, record):
    """By how much each player's rating changes."""
    return [abs(player.rating.mu - BEGINNER) for player in rated(settlement, record)]


@pytest.fixture
def record(engine, table):
    return parse_record(text_of(engine, table))


def test_a_new_account_tells_little_of_its_opponent(record):
    """The known one changes by a quarter of what a match against a known one tells."""
    both = change(settlement_of(("a", 20), ("b", 9)), record)
    new = change(settlement_of(("a", 20), ("b", 0)), record)
    five = change(settlement_of(("a", 20), ("b", 4)), record)

    assert new[0] == pytest.approx(both[0] / 4)
    assert five[0] == pytest.approx(both[0] / 2)
    assert new[1] == pytest.approx(both[1])


def test_two_who_sat_down_under_one_name_are_two(record):
    """One of them, and the other when the name had become free."""
    both = change(settlement_of(("a", 20), ("b", 9)), record)

    assert change(settlement_of(("a", 20), ("a", 9)), record) == pytest.approx(both)


def test_hosted_bots_are_known_from_the_first(record):
    """Whoever plays against them is rated in full."""
    both = change(settlement_of(("a", 20), ("b", 9)), record)
    bot = change(settlement_of(("a", 20), ("bot:master", 0)), record)

    assert bot[0] == pytest.approx(both[0])


@pytest.mark.parametrize(("times", "part"), [(0, 1), (5, 1), (10, 0.5), (50, 0.1)])
def test_those_who_meet_again_and_again_change_less(record, times, part):
    """Both of them; whom else they have met does not matter."""
    full = change(settlement_of(("a", 20), ("b", 20)), record)
    meetings = [("b", "a", times), ("a", "c", 99)]
    less = change(settlement_of(("a", 20), ("b", 20), meetings=meetings), record)

    assert less == pytest.approx([part * by for by in full])


def test_a_ring_of_new_accounts_raises_nobody_far(record):
    """A hundred that lose to one account give less than twenty-five known ones would."""
    honest = farmed = settlement_of(("a", 20), ("b", 20))
    winner = max(range(2), key=lambda n: record.scores[n])
    for number in range(100):
        farmed = against(farmed, winner, record, matches=0)
        if number < 25:
            honest = against(honest, winner, record, matches=20)

    assert farmed.players[winner].rating.mu <= honest.players[winner].rating.mu


def against(settlement, winner, record, matches):
    """The same player after one more match against somebody unknown."""
    [mine] = [player for n, player in enumerate(rated(settlement, record)) if n == winner]
    after = settlement_of(("a", 20), ("a", 20))
    for number, player in enumerate(after.players):
        if number == winner:
            player.CopyFrom(mine)
        else:
            player.rating.account, player.rating.matches = "x", matches
    return after


def test_the_ratings_of_a_pace_are_reckoned_by_themselves(record):
    """With the same result, from what they are; and how much is known of them in that pace."""
    settlement = settlement_of(("a", 100), ("b", 100))
    settlement.pace_players.extend(settlement_of(("a", 0), ("b", 0)).players)
    for player in settlement.pace_players:
        player.rating.mu += 10
    own, in_pace = rated(settlement, record), rated(settlement, record, in_pace=True)

    assert all(player.rating.mu > BEGINNER + 5 for player in in_pace)
    assert [1, 1] == [player.rating.matches for player in in_pace]
    assert [101, 101] == [player.rating.matches for player in own]
    changes = [abs(one.rating.mu - BEGINNER) for one in own]
    less = [abs(one.rating.mu - BEGINNER - 10) for one in in_pace]
    assert all(0 < there < here for here, there in zip(changes, less, strict=True))
    del settlement.pace_players[:]  # as an older gateway answers
    assert [] == rated(settlement, record, in_pace=True)
    assert own == rated(settlement, record)
