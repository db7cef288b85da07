"""How the views of The Confrontation differ from their message."""

from services.host.boards import Shape

SHAPE = Shape(
    places={
        "Setup.good_done": "done.good",
        "Setup.dark_done": "done.dark",
        "Battle.good_sealed": "sealed.good",
        "Battle.dark_sealed": "sealed.dark",
    },
    tables=("OptionChoice", "Whereabouts"),
    bare=("Characters",),
)
