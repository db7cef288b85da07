"""The methods as an OpenAPI document: it is one, and says what is so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from google.protobuf import json_format
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1.errors_pb2 import ErrorReason
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import profiles_pb2 as profiles
from bree.process.statuses import Denied
from gateway.door import connect
from gateway.methods import PRICES, SERVICES
from gateway.refusals import unknown_match

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = ROOT / "gateway/door/openapi.json"
SAID = json.loads(WRITTEN.read_text("utf-8"))
SCHEMAS = SAID["components"]["schemas"]
METHODS = {
    f"/{service.full_name}/{method.name}": method
    for service in SERVICES.values()
    for method in service.methods
}


def test_it_is_a_document():
    """Of version 3.1, and every reference leads somewhere."""
    OpenAPIV31SpecValidator(SAID).validate()

    assert SAID["openapi"].startswith("3.1.")


def test_every_method_is_in_it():
    """With what it takes, what it gives, what it costs and who may call it."""
    assert set(METHODS) == set(SAID["paths"])
    for path, method in METHODS.items():
        said = SAID["paths"][path]["post"]
        [(kind, content)] = said["requestBody"]["content"].items()
        assert content["schema"] == ref(method.input_type.full_name)
        assert said["responses"]["200"]["content"][kind]["schema"] == ref(
            method.output_type.full_name
        )
        assert method.server_streaming == (kind == "application/connect+json")
        assert PRICES.get(method.name, 1) == said["x-bree-price"]
        assert said["summary"]
        assert said["description"]
    for name in ("AccountService/CreateAccount", "LimitsService/GetLimits"):
        assert [] == security(f"/bree.gateway.v1.{name}")
    assert [{"platform": []}] == security("/bree.gateway.v1.SettlementService/SettleRatings")
    assert [{"token": []}, {"cookie": []}] == security("/bree.gateway.v1.MatchService/Act")


def security(path):
    return SAID["paths"][path]["post"]["security"]


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


@pytest.mark.parametrize("name", sorted({m.input_type.full_name for m in METHODS.values()}))
def test_every_field_is_in_it(name):
    """Under the name that it has in JSON, with what is said of it."""
    method = next(m for m in METHODS.values() if m.input_type.full_name == name)
    for message in (method.input_type, method.output_type):
        properties = SCHEMAS[message.full_name]["properties"]
        assert {field.json_name for field in message.fields} == set(properties)
        assert all(said["description"] for said in properties.values())


def valid(said, name):
    """Whether JSON is what a schema of the document says."""
    resource = Resource.from_contents(SAID, default_specification=DRAFT202012)
    registry = Registry().with_resource("urn:bree", resource)
    schema = {"$ref": f"urn:bree#/components/schemas/{name}"}
    return Draft202012Validator(schema, registry=registry).is_valid(said)


ANSWERS = [
    pb.GetMatchResponse(
        match=pb.Match(
            id="h-abc",
            game="hopscotch",
            seats=[pb.MatchSeat(seat="red", account="Rosie", here=True)],
            state=pb.MATCH_STATE_RUNNING,
            create_time={"seconds": 1_700_000_000, "nanos": 250_000_000},
            clock=engine.Clock(bank_ms=60_000),
        )
    ),
    pb.GetViewResponse(view={"type_url": "type.googleapis.com/bree.gateway.v1.Match"}),
    pb.ListenNewsResponse(unfollowed=pb.MatchUnfollowed(match="h-abc", metadata={"a": "b"})),
    pb.GetRatingResponse(rating=pb.Rating(mu=25.5, matches=3, pace=pb.PACE_LIVE)),
    profiles.ListResultsRequest(filter=profiles.ResultFilter(rated=False, least_length=7)),
    pb.SettleRatingsRequest(kept=b"\x00\xff"),
]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.DESCRIPTOR.name)
def test_what_is_written_as_json_is_what_it_says(answer):
    """Times, bytes, numbers of 64 bits, enums, views and maps as protobuf writes them."""
    written = json_format.MessageToDict(answer)
    name = answer.DESCRIPTOR.full_name

    assert written
    assert valid(written, name)
    assert valid({**written, "surprise": 1}, name) is not name.endswith("Request")
    for key in written:
        assert not valid({**written, key: 1.5}, name)


def test_refusals_are_what_it_says():
    """With a reason that is among those there are."""
    denied: Denied = unknown_match("h-nowhere")

    assert valid(connect.told(denied), "Error")
    assert not valid({"message": "why"}, "Error")
    info = SCHEMAS["Error"]["properties"]["details"]["items"]["properties"]["debug"]
    assert set(ErrorReason.keys()) == set(info["properties"]["reason"]["enum"])
