"""A bot that takes a seat and answers whatever it is asked: GATEWAY MATCH SEAT [TOKEN]."""

from __future__ import annotations

import secrets
import sys
from functools import partial

from google.protobuf.json_format import MessageToJson

from bree.client.client import Client
from bree.client.patience import Refused

spell = partial(MessageToJson, indent=None, always_print_fields_with_no_presence=True)


def main(gateway: str, match: str, seat: str, token: str = "") -> None:
    """Play one match, knowing no rules."""
    with Client(gateway, token) as client:
        if not token:
            client.register()
            client.declare_bot()
        client.join(match, seat)
        for told in client.listen():
            if told.HasField("question"):
                question, action = told.question, secrets.choice(told.question.choices).action
                place = told.match, told.seat
                client.answer(*place, question.number, action.text, head=told.head)
            elif told.match == match:
                sys.stdout.write(f"{match} is over: {spell(told.outcome)}\n")
                return


if __name__ == "__main__":
    if len(sys.argv) not in {4, 5}:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except Refused as refused:
        sys.exit(f"example_bot: {refused}")
