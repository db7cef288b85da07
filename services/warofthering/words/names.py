"""Names for people: seats, figures by number, armies, areas, tiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from services.warofthering.tables import (
    AREA_COUNT,
    AREAS,
    FIGURE_NAMES,
    FIGURES,
    FIRST_CHARACTER,
    GUIDE_NAMES,
    GUIDES,
    NATION_NAMES,
    NATIONS,
    NAZGUL,
    ON_MAP,
    REGION_COUNT,
    REGION_NAMES,
    REGION_OF,
    REGIONS,
    SIDE_NAMES,
    SIDES,
    TILE_REVEALS,
    TILE_STOPS,
    TILES,
)

SEAT_NAMES: Mapping[str, str] = {
    "free_peoples": "The Free Peoples",
    "shadow": "The Shadow",
    "gondor": "Gondor's player",
    "rohan": "Rohan's player",
    "witch_king": "The Witch-king's player",
    "saruman": "Saruman's player",
}
_THE = {
    *("ash_mountains", "dead_marshes", "eastern_brown_lands", "ettenmoors", "fords_of_bruinen"),
    *("fords_of_isen", "gap_of_rohan", "gladden_fields", "grey_havens", "high_pass", "iron_hills"),
    *("narrows_of_the_forest", "noman_lands", "north_anduin_vale", "north_downs", "old_ford"),
    *("old_forest", "old_forest_road", "south_anduin_vale", "south_downs", "tower_hills"),
    *("trollshaws", "vale_of_the_carnen", "vale_of_the_celduin", "weather_hills"),
    *("western_brown_lands", "withered_heath", "woodland_realm"),
    *("dwarves", "elves", "southrons"),
}
"""The regions and nations that people name with an article, if it is not in the name."""


def _within(name: str) -> str:
    """A name as it stands within a sentence."""
    return f"the {name[4:]}" if name.startswith("The ") else name


def _with_article(key: str, name: str) -> str:
    return f"the {name}" if key in _THE else _within(name)


REGION_TITLES: tuple[str, ...] = tuple(map(_with_article, REGIONS, REGION_NAMES))
NATION_TITLES: tuple[str, ...] = tuple(map(_with_article, NATIONS, NATION_NAMES))
_PEOPLES: Mapping[str, str] = {
    "dwarves": "Dwarven",
    "elves": "Elven",
    "gondor": "Gondor",
    "north": "North",
    "rohan": "Rohan",
    "isengard": "Isengard",
    "sauron": "Sauron",
    "southrons": "Southron",
}
"""What a nation's units are called."""


def _figure_title(figure: int) -> str:
    nation, _, kind = FIGURES[figure].rpartition("_")
    if figure >= NAZGUL:
        return _within(FIGURE_NAMES[figure].partition(",")[0])
    return f"{_PEOPLES[nation]} {kind.capitalize()}"


FIGURE_TITLES: tuple[str, ...] = tuple(_figure_title(f) for f in range(len(FIGURES)))
GUIDE_TITLES: tuple[str, ...] = (*FIGURE_TITLES, GUIDE_NAMES[-1])
SIDE_TITLES: Mapping[str, str] = {
    side: f"{name[0].upper()}{name[1:]}" for side, name in zip(SIDES, SIDE_NAMES, strict=True)
}
_PILES: Mapping[str, str] = {
    "reserve": "the reinforcements",
    "fallen": "the fallen",
    "losses": "the losses of the battle",
    "company": "the Fellowship",
    "aside": "those not yet in play",
    "returning": "those who return",
}


def _area_name(area: int) -> str:
    if area < REGION_COUNT:
        return REGION_TITLES[area]
    if area in ON_MAP:
        return f"the Stronghold of {REGION_TITLES[REGION_OF[area]]}"
    return _PILES[AREAS[area]]


AREA_NAMES: tuple[str, ...] = tuple(_area_name(area) for area in range(AREA_COUNT))
NAME_OF_AREA: Mapping[str, str] = {AREAS[n]: name for n, name in enumerate(AREA_NAMES)}
NAME_OF_FIGURE: Mapping[str, str] = dict(zip(GUIDES, GUIDE_TITLES, strict=True))


_PLURALS: Mapping[str, str] = {"die": "dice", "success": "successes", "Nazgûl": "Nazgûl"}


def many(number: int, thing: str) -> str:
    """A number and a thing, in the plural where there is not just one."""
    if number == 1:
        return f"{number} {thing}"
    plural = next((word for word in _PLURALS if thing.endswith(word)), None)
    return f"{number} {thing.removesuffix(plural) + _PLURALS[plural] if plural else f'{thing}s'}"


def a(name: str) -> str:
    """A thing with its article."""
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def finished(text: str) -> str:
    """A sentence, from its words; a title that ends with a mark of its own needs no stop."""
    return f"{text[0].upper()}{text[1:]}".replace("!.", "!")


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words with commas between them, and a word before the last."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def force_name(force: Sequence[int]) -> str:
    """A force in words: units and leaders by number, characters by name."""
    units = [
        many(number, FIGURE_TITLES[figure])
        for figure, number in enumerate(force[: NAZGUL + 1])
        if number
    ]
    who = [FIGURE_TITLES[f] for f, n in enumerate(force) if n and f >= FIRST_CHARACTER]
    return listed([*units, *who]) if units or who else "nobody"


def one_figure(figure: str) -> str:
    """One of a figure, by its id, with its article; a character by name."""
    return a_figure(FIGURES.index(figure)) if figure in FIGURES else NAME_OF_FIGURE[figure]


def figures_name(figure: str, number: int) -> str:
    """A number of figures, by their id; a character by name."""
    name = NAME_OF_FIGURE[figure]
    return name if FIGURES.index(figure) >= FIRST_CHARACTER else many(number, name)


def a_figure(figure: int) -> str:
    """One of a figure, with its article; a character by name."""
    name = FIGURE_TITLES[figure]
    return name if figure >= FIRST_CHARACTER else a(name)


_TILE_TITLES: Mapping[str, str] = {
    "eye": "an Eye",
    "elven_cloaks": "Elven Cloaks (0)",
    "elven_rope": "Elven Rope (0)",
    "phial_of_galadriel": "Phial of Galadriel (-2)",
    "smeagol_helps_nice_master": "Sméagol Helps Nice Master (-1)",
    "shelobs_lair": "Shelob's Lair (a die)",
    "the_ring_is_mine": "The Ring Is Mine! (Eye)",
    "on_on_they_went": "On, On They Went (3)",
    "give_it_to_uss": "Give It to Uss! (1)",
}


def _tile_name(tile: int) -> str:
    key = TILES[tile]
    name = _TILE_TITLES.get(key, a(key.rstrip("r")))
    icons = ["Reveal"] * TILE_REVEALS[tile] + ["Stop"] * TILE_STOPS[tile]
    return f"{name} with {listed(icons)}" if icons else name


TILE_NAMES: tuple[str, ...] = tuple(_tile_name(tile) for tile in range(len(TILES)))
