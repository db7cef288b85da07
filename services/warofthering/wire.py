"""How the views of War of the Ring differ from their message: not at all."""

from services.host.boards import Shape

SHAPE = Shape(constant=("Board.map",))
