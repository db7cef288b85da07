"""The view of The Confrontation as a message, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bree.confrontation.v1 import board_pb2 as b
from bree.engine.v1.types_pb2 import OptionChoice
from services.confrontation.view import View

SIDES: Mapping[Any, b.Side.ValueType] = {
    None: b.SIDE_UNSPECIFIED,
    "good": b.SIDE_GOOD,
    "dark": b.SIDE_DARK,
}
STAGES: Mapping[Any, b.Stage.ValueType] = {
    "draft": b.STAGE_DRAFT,
    "specials": b.STAGE_SPECIALS,
    "place": b.STAGE_PLACE,
}
KINDS: Mapping[Any, b.EntryKind.ValueType] = {
    "character": b.ENTRY_KIND_CHARACTER,
    "card": b.ENTRY_KIND_CARD,
    "special": b.ENTRY_KIND_SPECIAL,
}
_SIDES = {number: name for name, number in SIDES.items()}
_STAGES = {number: name for name, number in STAGES.items()}
_KINDS = {number: name for name, number in KINDS.items()}

Part = Mapping[str, Any]


class Wire:
    """Writes and reads boards."""

    def board(self, view: View) -> b.Board:
        """A view as a message."""
        v: Part = view
        return b.Board(
            side=SIDES[v["side"]],
            game=v["game"],
            games=v["games"],
            points=v["points"],
            ply=v["ply"],
            turn=SIDES[v["turn"]],
            regions=[_region(region) for region in v["regions"]],
            rosters=b.Rosters(**{side: _names(names) for side, names in v["rosters"].items()}),
            hands=b.Cards(**v["hands"]),
            used=b.Cards(**v["used"]),
            fallen=b.Fallen(**v["fallen"]),
            specials=b.Cards(**v["specials"]),
            ring_bearer=v["ring_bearer"],
            setup=_setup(v["setup"]),
            battle=_battle(v["battle"]),
            journey=_journey(v["journey"]),
            duty=_duty(v["duty"]),
            inference=_inference(v["inference"]),
            options=[OptionChoice(name=name, value=to) for name, to in v["options"].items()],
            result=_result(v["result"]),
            charts=b.Charts(**{side: map(_entry, chart) for side, chart in v["charts"].items()}),
        )

    def view(self, board: b.Board) -> View:
        """The view that a message was made of."""
        return {
            "side": _SIDES[board.side],
            "game": board.game,
            "games": board.games,
            "points": [*board.points],
            "ply": board.ply,
            "turn": _SIDES[board.turn],
            "regions": [_read_region(region) for region in board.regions],
            "rosters": {side: _read_names(board.rosters, side) for side in ("good", "dark")},
            "hands": _read_pair(board.hands),
            "used": _read_pair(board.used),
            "fallen": _read_pair(board.fallen),
            "specials": _read_pair(board.specials),
            "ring_bearer": _read(board, "ring_bearer"),
            "setup": _read_setup(board.setup) if board.HasField("setup") else None,
            "battle": _read_battle(board.battle) if board.HasField("battle") else None,
            "journey": _read_journey(board.journey) if board.HasField("journey") else None,
            "duty": _read_duty(board.duty) if board.HasField("duty") else None,
            "inference": _read_inference(board.inference) if board.HasField("inference") else None,
            "options": {option.name: option.value for option in board.options},
            "charts": {side: _read_chart(board.charts, side) for side in ("good", "dark")},
            "result": _read_result(board.result) if board.HasField("result") else None,
        }


WIRE = Wire()


# Writing. What is absent from a view is absent from the message.


def _region(region: Part) -> b.Region:
    return b.Region(
        region=region["region"], good=_pieces(region["good"]), dark=_pieces(region["dark"])
    )


def _pieces(pieces: Part) -> b.Pieces:
    return b.Pieces(count=pieces["count"], pieces=[b.Piece(**piece) for piece in pieces["pieces"]])


def _names(names: Sequence[str] | None) -> b.Characters | None:
    return None if names is None else b.Characters(names=names)


def _setup(setup: Part | None) -> b.Setup | None:
    if setup is None:
        return None
    return b.Setup(
        stage=STAGES[setup["stage"]],
        good_done=setup["done"]["good"],
        dark_done=setup["done"]["dark"],
        yours=setup["yours"],
    )


def _battle(battle: Part | None) -> b.Battle | None:
    if battle is None:
        return None
    return b.Battle(
        region=battle["region"],
        attacking=SIDES[battle["attacking"]],
        attacker=battle["attacker"],
        defender=battle["defender"],
        cards=b.CardPair(**battle["cards"]),
        in_force=b.CardPair(**battle["in_force"]),
        no_cards=battle["no_cards"],
        good_sealed=battle["sealed"]["good"],
        dark_sealed=battle["sealed"]["dark"],
        your_card=battle["your_card"],
    )


def _journey(journey: Part | None) -> b.Journey | None:
    if journey is None:
        return None
    message = b.Journey(to=journey["to"], by=SIDES[journey["by"]])
    setattr(message, "from", journey["from"])  # a word that Python keeps for itself
    return message


def _duty(duty: Part | None) -> b.Duty | None:
    if duty is None:
        return None
    return b.Duty(
        side=SIDES[duty["side"]], must_move=duty["must_move"], character=duty["character"]
    )


def _inference(inference: Part | None) -> b.Inference | None:
    if inference is None:
        return None
    could_be = inference["could_be"].items()
    return b.Inference(
        worlds=inference["worlds"],
        could_be=[b.Whereabouts(character=who, regions=where) for who, where in could_be],
    )


def _result(result: Part | None) -> b.Result | None:
    if result is None:
        return None
    return b.Result(**{**result, "winner": SIDES[result["winner"]]})


def _entry(entry: Part) -> b.Entry:
    return b.Entry(**{**entry, "kind": KINDS[entry["kind"]]})


# Reading.


def _read(message: Any, field: str) -> Any:
    return getattr(message, field) if message.HasField(field) else None


def _read_region(region: b.Region) -> Part:
    return {
        "region": region.region,
        "good": _read_pieces(region.good),
        "dark": _read_pieces(region.dark),
    }


def _read_pieces(pieces: b.Pieces) -> Part:
    known = [{"character": piece.character, "shown": piece.shown} for piece in pieces.pieces]
    return {"count": pieces.count, "pieces": known}


def _read_names(rosters: b.Rosters, side: str) -> list[str] | None:
    names = _read(rosters, side)
    return None if names is None else [*names.names]


def _read_pair(pair: b.Cards | b.Fallen) -> Part:
    return {"good": [*pair.good], "dark": [*pair.dark]}


def _read_setup(setup: b.Setup) -> Part:
    return {
        "stage": _STAGES[setup.stage],
        "done": {"good": setup.good_done, "dark": setup.dark_done},
        "yours": [*setup.yours],
    }


def _read_battle(battle: b.Battle) -> Part:
    return {
        "region": battle.region,
        "attacking": _SIDES[battle.attacking],
        "attacker": _read(battle, "attacker"),
        "defender": _read(battle, "defender"),
        "cards": {side: _read(battle.cards, side) for side in ("good", "dark")},
        "in_force": {side: _read(battle.in_force, side) for side in ("good", "dark")},
        "no_cards": battle.no_cards,
        "sealed": {"good": battle.good_sealed, "dark": battle.dark_sealed},
        "your_card": _read(battle, "your_card"),
    }


def _read_journey(journey: b.Journey) -> Part:
    return {"from": getattr(journey, "from"), "to": journey.to, "by": _SIDES[journey.by]}


def _read_duty(duty: b.Duty) -> Part:
    return {
        "side": _SIDES[duty.side],
        "must_move": duty.must_move,
        "character": _read(duty, "character"),
    }


def _read_inference(inference: b.Inference) -> Part:
    could_be = {one.character: [*one.regions] for one in inference.could_be}
    return {"worlds": inference.worlds, "could_be": could_be}


def _read_result(result: b.Result) -> Part:
    return {"winner": _SIDES[result.winner], "reason": result.reason, "sentence": result.sentence}


def _read_chart(charts: b.Charts, side: str) -> list[Part]:
    return [
        {
            "name": entry.name,
            "title": entry.title,
            "kind": _KINDS[entry.kind],
            "strength": _read(entry, "strength"),
            "text": entry.text,
            "exceptions": [*entry.exceptions],
            "in_game": entry.in_game,
        }
        for entry in getattr(charts, side)
    ]
