"""Films: what is seen of one at each frame is the picture of that frame."""

from __future__ import annotations

import gzip
import json
import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from gateway.pictures import artist
from gateway.pictures.film import Film, _covering, _words
from gateway.pictures.layers import Pieces, laid_over
from tests.clients.toolchains import missing

RECORDED = Path(__file__).resolve().parents[2] / "web/tests/recorded"
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
MEDIA = re.compile(r"@media \(prefers-reduced-motion:no-preference\)\{(.*)\}@media", re.DOTALL)


def rules_of(style, frame, count):
    """What each class of the film says at a frame, as a browser works it out."""
    [moving] = MEDIA.findall(style)
    said = {}
    for selectors, rule in RULE.findall(style[: style.index("@media")]):
        said[selectors.strip(".")] = rule
    words = set(_words(frame).split())
    for selectors, rule in RULE.findall(moving):
        for selector in selectors.split(","):
            word, name = re.fullmatch(r"\.(\w+) \.(\w+)", selector).groups()
            if word in words:
                said[name] = rule
    return {name: dict(one.split(":") for one in rule.split(";")) for name, rule in said.items()}


def at(text, frame, count):
    """The elements that are seen of a film at a frame."""
    root = ET.fromstring(text)  # noqa: S314 (our own)
    style = root.findall("{http://www.w3.org/2000/svg}style")[-1].text
    rules = rules_of(style, frame, count)
    [body] = [one for one in root if one.tag.endswith("}g")]
    return [found for child in body if (found := seen(child, rules, is_seen=True))]


def seen(element, rules, *, is_seen):
    """An element without what is hidden, and where it stands; nothing if nothing is left of it."""
    said = dict(element.attrib)
    if element.tag.endswith("}animate"):
        return None
    own = [name for name in said.get("class", "").split() if name.startswith("_")]
    for name in own:
        is_seen = rules[name]["visibility"] == "visible"
        if moved := re.findall(r"-?[\d.]+(?=px)", rules[name].get("transform", "")):
            said["transform"] = f"translate({' '.join(moved)})"
    if not is_seen:
        assert not any(seen(child, rules, is_seen=False) for child in element)
        return None
    left = [name for name in said.pop("class", "").split() if name not in own]
    children = [found for child in element if (found := seen(child, rules, is_seen=True))]
    text = (element.text or "").strip()
    if not (children or text or left or said or not element.tag.endswith("}g")):
        return None
    return element.tag, said | {"class": " ".join(left)}, text, children


def plain(text):
    """The same of a picture."""
    pieces = Pieces()
    root = ET.fromstring(text)  # noqa: S314 (our own)
    return [
        found
        for child in root
        if not child.tag.endswith("}style")
        and (found := seen(element_of(pieces.of(child)), {}, is_seen=True))
    ]


def element_of(piece):
    made = ET.Element(piece.tag, dict(piece.attributes))
    made.text = piece.text
    made.extend(element_of(child) for child in piece.children)
    return made


def without_paper(found):
    return [one for one in found if one[1].get("class") != "paper"]


def svg(*children):
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 80" width="100" height="80">'
        f'<style>a{{}}</style><rect class="paper" height="80"/>{"".join(children)}</svg>'
    )


def filmed(pictures):
    made = Film()
    for picture in pictures:
        made.add(picture)
    return made.text()


def check(pictures):
    text = filmed(pictures)
    for frame, picture in enumerate(pictures):
        assert without_paper(plain(picture)) == without_paper(at(text, frame, len(pictures))), frame
    return text


@pytest.mark.parametrize("seed", range(40))
def test_a_film_shows_each_of_its_pictures(seed):
    """Whatever is put in, taken away, changed, moved, and comes back; in the right order."""
    chance = random.Random(seed)

    def thing(depth=0):
        n = chance.randrange(4)
        if depth == 2 or chance.random() < 0.4:
            return f'<text x="{n}">{chance.choice("abc")} &amp; {n}</text>'
        inner = "".join(thing(depth + 1) for _ in range(chance.randrange(4)))
        kind = chance.choice(
            ['g transform="translate({0} 5)"', 'g class="k{0}"', 'svg x="{0}" y="0" class="m"', "g"]
        ).format(n)
        return f"<{kind}>{inner}</{kind.split()[0]}>"

    pictures, things = [], [thing() for _ in range(5)]
    for _ in range(chance.randrange(1, 20)):
        pictures.append(svg(*things))
        where = chance.randrange(len(things) + 1)
        things = [
            *things[:where],
            *([thing()] * chance.randrange(2)),
            *things[where + chance.randrange(2) :],
        ]

    check(pictures)


@pytest.mark.parametrize("game", ["confrontation", "duel", "risk", "warofthering"])
def test_films_of_real_matches_show_each_position(game):
    """And are far smaller than their pictures."""
    pytest.importorskip("quickjs")
    if not artist.BOARDS.exists():
        missing("the drawings are not built: make page")
    draw = artist._engine(artist.BOARDS)
    with gzip.open(RECORDED / f"{game}.json.gz") as file:
        preset = next(iter(json.load(file)["presets"].values()))
    views = [moment["views"][""] for moment in preset["moments"]][:5]
    pictures = [draw(game, json.dumps(view), "", 1280, "light") for view in views]
    text = check([*pictures, pictures[0]])

    assert len(text) < sum(map(len, pictures)) * 0.8
    assert "<script" not in text


def test_what_is_the_same_is_there_once():
    """A group that moves has its content once; one whose content changes is gone into."""
    board = "".join(f'<path d="M{n} 0h9"/>' for n in range(9))
    first = svg(f'<g class="map" transform="translate(1 2)">{board}<text>1</text></g>')
    second = svg(f'<g class="map" transform="translate(7 2)">{board}<text>2</text></g>')
    text = check([first, second, first])

    assert 9 == text.count("<path ")
    assert 1 == text.count('class="map')


def test_a_film_that_stands_still_is_its_last_picture():
    """As programs show it that know no animation, and browsers of those who want none."""
    text = filmed([svg("<text>first</text>"), svg("<text>last</text>")])
    [still] = re.findall(r"<style>([^<]*?)@media \(prefers-reduced-motion:no-preference\)", text)
    hidden = {name for name, rule in re.findall(r"\.(_\d+)\{([^}]*)\}", still) if "hidden" in rule}

    assert [f'class="{name}">first' in text for name in hidden] == [True]
    assert f'<g class="{_words(1)}">' in text


def test_the_longest_paper_lies_under_all():
    short, long = svg(), svg().replace('"80"', '"90"').replace(" 80", " 90")
    text = filmed([long, short])

    assert 'viewBox="0 0 100 90" width="100" height="90"' in text
    assert 1 == text.count('class="paper"')
    assert '<rect class="paper" height="90">' in text


@pytest.mark.parametrize("seed", range(20))
def test_stretches_cover_their_frames_and_no_others(seed):
    chance = random.Random(seed)
    frames = sorted(chance.sample(range(120), chance.randrange(1, 120)))
    words = set(_covering(frames))

    assert frames == [frame for frame in range(128) if words & set(_words(frame).split())]


def test_one_picture_is_a_film():
    assert "first" in check([svg("<text>first</text>")])


def test_places_agree_with_the_order_of_every_frame():
    pieces = Pieces()
    frames = [[pieces.of(ET.Element(letter)) for letter in word] for word in ("abc", "cab", "bcd")]
    places = laid_over(list(enumerate(frames)))

    for number, frame in enumerate(frames):
        assert frame == [piece for place in places for at, piece in place.times if at == number]
