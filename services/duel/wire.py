"""How the views of Duel differ from their message."""

from services.host.boards import Shape

SHAPE = Shape(
    places={
        "Board.fellowship": "players.fellowship",
        "Board.sauron": "players.sauron",
        "Card.fellowship": "prices.fellowship",
        "Card.sauron": "prices.sauron",
        "Landmark.fellowship": "prices.fellowship",
        "Landmark.sauron": "prices.sauron",
        "Region.fellowship": "units.fellowship",
        "Region.sauron": "units.sauron",
        "Track.fellowship": "steps.fellowship",
        "Track.sauron": "steps.sauron",
        "Discard.fellowship_searched": "searched.fellowship",
        "Discard.sauron_searched": "searched.sauron",
    },
    tables=("OptionChoice", "RaceCount", "SkillCount"),
    bare=("Choice",),
)
