"""The view of Duel for Middle-earth as a message, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bree.duel.v1 import board_pb2 as b
from bree.engine.v1.types_pb2 import OptionChoice
from services.duel.view import View

SIDES: Mapping[Any, b.Side.ValueType] = {
    None: b.SIDE_UNSPECIFIED,
    "fellowship": b.SIDE_FELLOWSHIP,
    "sauron": b.SIDE_SAURON,
}
_SIDES = {number: name for name, number in SIDES.items()}

Part = Mapping[str, Any]


class Wire:
    """Writes and reads boards."""

    def board(self, view: View) -> b.Board:
        """A view as a message."""
        v: Part = view
        return b.Board(
            side=SIDES[v["side"]],
            chapter=v["chapter"],
            turn=SIDES[v["turn"]],
            turns=v["turns"],
            extra_turns=v["extra_turns"],
            display=[_slot(slot) for slot in v["display"]],
            landmarks=[_landmark(tile) for tile in v["landmarks"]],
            landmark_stack=v["landmark_stack"],
            regions=[_region(region) for region in v["regions"]],
            track=_track(v["track"]),
            stacks=[_stack(stack) for stack in v["stacks"]],
            revealed=[b.Token(**token) for token in v["revealed"]],
            **{side: _player(player) for side, player in v["players"].items()},
            reserve=v["reserve"],
            discard=_discard(v["discard"]),
            options=[OptionChoice(name=name, value=to) for name, to in v["options"].items()],
            result=_result(v["result"]),
        )

    def view(self, board: b.Board) -> View:
        """The view that a message was made of."""
        return {
            "side": _SIDES[board.side],
            "chapter": board.chapter,
            "turn": _SIDES[board.turn],
            "turns": board.turns,
            "extra_turns": board.extra_turns,
            "display": [_read_slot(slot) for slot in board.display],
            "landmarks": [_read_landmark(tile) for tile in board.landmarks],
            "landmark_stack": board.landmark_stack,
            "regions": [_read_region(region) for region in board.regions],
            "track": _read_track(board.track),
            "stacks": [_read_stack(stack) for stack in board.stacks],
            "revealed": [_read_token(token) for token in board.revealed],
            "players": {
                "fellowship": _read_player(board.fellowship),
                "sauron": _read_player(board.sauron),
            },
            "reserve": _read(board, "reserve"),
            "discard": _read_discard(board.discard),
            "options": {option.name: option.value for option in board.options},
            "result": _read_result(board.result) if board.HasField("result") else None,
        }


WIRE = Wire()


# Writing. What is absent from a view is absent from the message.


def _slot(slot: Part) -> b.Slot:
    return b.Slot(**{**slot, "card": _card(slot["card"])})


def _card(card: Part | None) -> b.Card | None:
    if card is None:
        return None
    return b.Card(
        card=card["card"],
        name=card["name"],
        colour=card["colour"],
        coins=card["coins"],
        skills=_skills(card["skills"]),
        chain_from=card["chain_from"],
        chain_to=card["chain_to"],
        text=card["text"],
        fellowship=_price(card["prices"]["fellowship"]),
        sauron=_price(card["prices"]["sauron"]),
    )


def _skills(skills: Mapping[str, int]) -> list[b.SkillCount]:
    return [b.SkillCount(skill=skill, count=count) for skill, count in skills.items()]


def _price(price: Part) -> b.Price:
    return b.Price(**{**price, "short": _skills(price["short"])})


def _landmark(tile: Part) -> b.Landmark:
    return b.Landmark(
        landmark=tile["landmark"],
        name=tile["name"],
        region=tile["region"],
        skills=_skills(tile["skills"]),
        text=tile["text"],
        fellowship=_price(tile["prices"]["fellowship"]),
        sauron=_price(tile["prices"]["sauron"]),
    )


def _region(region: Part) -> b.Region:
    return b.Region(
        region=region["region"],
        borders=region["borders"],
        **region["units"],
        fortress=SIDES[region["fortress"]],
    )


def _track(track: Part) -> b.Track:
    bonuses = [b.Bonus(**bonus) for bonus in track["bonuses"]]
    return b.Track(goal=track["goal"], **track["steps"], bonuses=bonuses)


def _stack(stack: Part) -> b.Stack:
    top = b.Token(**stack["top"]) if stack["top"] else None
    return b.Stack(race=stack["race"], unseen=stack["unseen"], top=top)


def _cards(cards: Iterable[Part]) -> list[b.PlayedCard]:
    return [b.PlayedCard(**card) for card in cards]


def _player(player: Part) -> b.Player:
    written = {
        "cards": _cards(player["cards"]),
        "skills": _skills(player["skills"]),
        "choices": [b.Choice(skills=skills) for skills in player["choices"]],
        "races": [b.RaceCount(race=r, count=count) for r, count in player["races"].items()],
        "tokens": [b.Token(**token) for token in player["tokens"]],
    }
    return b.Player(**{**player, **written})


def _discard(discard: Part) -> b.Discard:
    return b.Discard(
        count=discard["count"],
        known=_cards(discard["known"]),
        fellowship_searched=discard["searched"]["fellowship"],
        sauron_searched=discard["searched"]["sauron"],
    )


def _result(result: Part | None) -> b.Result | None:
    if result is None:
        return None
    return b.Result(winner=SIDES[result["winner"]], reason=result["reason"])


# Reading.


def _read(message: Any, field: str) -> Any:
    return getattr(message, field) if message.HasField(field) else None


def _read_slot(slot: b.Slot) -> Part:
    return {
        "slot": slot.slot,
        "row": slot.row,
        "x": slot.x,
        "taken": slot.taken,
        "covered_by": [*slot.covered_by],
        "available": slot.available,
        "card": _read_card(slot.card) if slot.HasField("card") else None,
    }


def _read_card(card: b.Card) -> Part:
    return {
        "card": card.card,
        "name": card.name,
        "colour": card.colour,
        "coins": card.coins,
        "skills": _read_skills(card.skills),
        "chain_from": _read(card, "chain_from"),
        "chain_to": _read(card, "chain_to"),
        "text": card.text,
        "prices": _read_prices(card),
    }


def _read_skills(skills: Iterable[b.SkillCount]) -> dict[str, int]:
    return {skill.skill: skill.count for skill in skills}


def _read_prices(thing: b.Card | b.Landmark) -> Part:
    return {"fellowship": _read_price(thing.fellowship), "sauron": _read_price(thing.sauron)}


def _read_price(price: b.Price) -> Part:
    return {
        "coins": price.coins,
        "missing": price.missing,
        "chained": price.chained,
        "affordable": price.affordable,
        "short": _read_skills(price.short),
    }


def _read_landmark(tile: b.Landmark) -> Part:
    return {
        "landmark": tile.landmark,
        "name": tile.name,
        "region": tile.region,
        "skills": _read_skills(tile.skills),
        "text": tile.text,
        "prices": _read_prices(tile),
    }


def _read_region(region: b.Region) -> Part:
    return {
        "region": region.region,
        "borders": [*region.borders],
        "units": {"fellowship": region.fellowship, "sauron": region.sauron},
        "fortress": _SIDES[region.fortress],
    }


def _read_track(track: b.Track) -> Part:
    return {
        "goal": track.goal,
        "steps": {"fellowship": track.fellowship, "sauron": track.sauron},
        "bonuses": [{"step": bonus.step, "text": bonus.text} for bonus in track.bonuses],
    }


def _read_stack(stack: b.Stack) -> Part:
    top = _read_token(stack.top) if stack.HasField("top") else None
    return {"race": stack.race, "unseen": stack.unseen, "top": top}


def _read_token(token: b.Token) -> Part:
    return {"token": token.token, "race": token.race, "text": token.text}


def _read_cards(cards: Iterable[b.PlayedCard]) -> list[Part]:
    return [{"card": card.card, "colour": card.colour} for card in cards]


def _read_player(player: b.Player) -> Part:
    return {
        "coins": player.coins,
        "cards": _read_cards(player.cards),
        "skills": _read_skills(player.skills),
        "choices": [[*choice.skills] for choice in player.choices],
        "chains": [*player.chains],
        "races": {race.race: race.count for race in player.races},
        "support": player.support,
        "three_races": player.three_races,
        "tokens": [_read_token(token) for token in player.tokens],
        "landmarks": [*player.landmarks],
        "units": player.units,
        "fortresses": player.fortresses,
        "presence": player.presence,
        "discard_income": player.discard_income,
        "surcharge": player.surcharge,
    }


def _read_discard(discard: b.Discard) -> Part:
    return {
        "count": discard.count,
        "known": _read_cards(discard.known),
        "searched": {
            "fellowship": discard.fellowship_searched,
            "sauron": discard.sauron_searched,
        },
    }


def _read_result(result: b.Result) -> Part:
    return {"winner": _SIDES[result.winner], "reason": result.reason}
