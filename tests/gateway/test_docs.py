"""The client's guide: its examples are requests and responses, and its figures are the settings."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from google.protobuf import json_format

from bree.engine.v1.errors_pb2 import ErrorReason
from bree.process.statuses import PREFIX
from gateway import fields
from gateway.door.api import Api
from gateway.door.records import Records
from gateway.methods import PRICES
from gateway.pictures.curves import is_curve
from gateway.pictures.wanted import is_picture
from gateway.quota import ENTRIES_A_CALL, RECENT_ENTRIES
from gateway.settings import GatewaySettings
from tests.gateway.town import PATHS, REQUESTS, RESPONSES

GUIDE = (Path(__file__).resolve().parents[2] / "docs/gateway.md").read_text(encoding="utf-8")
CALLS = [line for line in GUIDE.splitlines() if line.startswith("grpcurl")]
ANSWERS = re.findall(r"(grpcurl [^\n]*)\n```\n```json\n(.*?)```", GUIDE, re.DOTALL)


def method_of(line):
    return shlex.split(line)[-1]


@pytest.mark.parametrize("line", CALLS, ids=method_of)
def test_every_call_can_be_made(line):
    """Its method exists and takes what is sent."""
    words = shlex.split(line)
    sent = json_format.Parse(words[words.index("-d") + 1], REQUESTS[f"/{words[-1]}"]())

    assert f"/{words[-1]}" == PATHS[sent.DESCRIPTOR.full_name]
    for field in ("match", "nonce", "request_id", "action"):
        if hasattr(sent, field) and getattr(sent, field):
            check = fields.match_id if field == "match" else getattr(fields, field)
            assert check(getattr(sent, field))


PLACES = Path(__file__).resolve().parents[2] / "web/src/frame/places.ts"
SAID = {"MATCH": "h-abc", "NAME": "rosie", "GAME": "duel"}


def addresses():
    """Every address of the guide's table."""
    [section] = re.findall(r"^## Addresses$(.*?)^## ", GUIDE, re.MULTILINE | re.DOTALL)
    return re.findall(r"`(/[^`]*)`", section)


@pytest.mark.parametrize("address", addresses())
def test_every_address_is_answered(address):
    """By the door, or else by a page that has a pattern for it; never by both."""
    path = re.sub("MATCH|NAME|GAME", lambda word: SAID[word[0]], address)
    place = path.partition("?")[0]
    patterns = re.findall(r'\["(/[^"]*)", "\w+"\]', PLACES.read_text("utf-8"))
    by_page = [p for p in patterns if re.fullmatch(re.sub(r":\w+", "[^/.]+", p), place)]
    door = (is_picture, is_curve, Records.has.__get__(object()), Api.has.__get__(object()))
    by_door = [has for has in door if has(path)]

    assert 1 == len(by_page) + len(by_door)
    assert bool(by_door) == ("." in place)


def test_every_answer_can_be_given():
    """There are some, and each has the fields of its response."""
    assert len(ANSWERS) == 2
    for line, text in ANSWERS:
        asked = REQUESTS[f"/{method_of(line)}"].DESCRIPTOR.full_name
        assert json_format.Parse(text, RESPONSES[asked]())


def test_the_guide_knows_the_reasons_it_names():
    """And no others."""
    named = re.findall(r"^\| `([A-Z_]+)` \|", GUIDE, re.MULTILINE)

    assert len(named) >= 6
    assert {PREFIX + reason for reason in named} <= set(ErrorReason.keys())


def test_the_limits_in_the_guide_are_the_defaults():
    """A changed default must be told."""
    chosen = GatewaySettings(platform_token="x" * 16, engines="duel=a:1", _env_file=None)
    [limits] = re.findall(r"\*\*Limits\*\*(.*?)\n\n", GUIDE, re.DOTALL)
    figures = [int(figure) for figure in re.findall(r"\d+", limits)]

    assert figures == [
        chosen.calls_a_second,
        chosen.calls_burst,
        chosen.most_streams,
        chosen.most_open,
        chosen.most_matches,
        chosen.most_alone,
        chosen.bots_a_minute,
        chosen.bots_burst,
        chosen.notes_a_minute,
        chosen.notes_burst,
        fields.LONGEST_ACTION,
        fields.LONGEST_REQUEST_ID,
        fields.LONGEST_NONCE,
        chosen.looks_a_second,
        chosen.new_accounts_a_minute,
        chosen.wrong_tokens_a_minute,
        chosen.most_visits,
    ]
    assert 1 << 20 == chosen.largest_message


def test_the_prices_in_the_guide_are_those_that_are_taken():
    """Whoever plans his calls by it is not surprised."""
    [prices] = re.findall(r"\*\*Prices\.\*\*(.*?)\n\n", GUIDE, re.DOTALL)
    told = [
        PRICES["GetView"],
        PRICES["ListMatches"],
        PRICES["StartMatch"],
        ENTRIES_A_CALL,
        RECENT_ENTRIES,
    ]
    words = {2: "two", 5: "five", 6: "six", 8: "eight", 12: "twelve"}

    assert [words[price] for price in told] == re.findall("|".join(words.values()), prices)
