"""How the views of Risk differ from their message: territories travel as their numbers."""

from services.host.boards import BESIDE, Shape
from services.risk.tables import REGIONS, TERRITORIES

SHAPE = Shape(
    places={"Land.point": BESIDE, "Port.point": BESIDE},
    tables=("OptionChoice",),
    numbered={
        "Land.region": REGIONS,
        **dict.fromkeys(
            (
                *("Territory.territory", "Region.territories", "Mountains.territories"),
                *("Road.a", "Road.b", "Bridge.a", "Bridge.b", "SeaRoute.a", "SeaRoute.b"),
                *("Port.territory", "Stage.territory"),
            ),
            TERRITORIES,
        ),
    },
    constant=("Board.map",),
)
