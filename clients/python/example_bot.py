"""A bot that takes a seat and answers whatever it is asked: GATEWAY MATCH SEAT [TOKEN]."""

from __future__ import annotations

import secrets
import sys

from google.protobuf.json_format import MessageToJson

from clients.python.bree_client import Client


def main(gateway: str, match: str, seat: str, token: str = "") -> None:
    """Play one match, knowing no rules."""
    with Client(gateway, token) as client:
        if not token:
            client.register()
        client.join(match, seat)
        for told in client.listen():
            if told.HasField("question"):
                choice = secrets.choice(told.question.choices)
                client.answer(told.match, told.seat, told.question.number, choice.action.text)
            elif told.match == match:
                print(match, "is over:", MessageToJson(told.outcome, indent=None))  # noqa: T201
                return


if __name__ == "__main__":
    if len(sys.argv) not in {4, 5}:
        sys.exit(__doc__)
    main(*sys.argv[1:])
