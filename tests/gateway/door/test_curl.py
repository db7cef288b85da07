"""The guide's commands for curl are a whole match, as they stand there."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from pathlib import Path

from google.rpc.error_details_pb2 import ErrorInfo

from bree.gateway.v1 import gateway_pb2 as pb
from tests.clients.toolchains import need
from tests.gateway.test_docs import GUIDE
from tests.gateway.town import PATHS

[SECTION] = re.findall(r"^## Over HTTP\n(.*?)(?=^## )", GUIDE, re.MULTILINE | re.DOTALL)
COMMANDS = "".join(re.findall(r"```sh\n(.*?)```", SECTION, re.DOTALL))
WANTED = {
    "CreateAccount", "ListGames", "CreateMatch", "JoinMatch", "AddBot", "StartMatch", "GetView",
    "Act", "GetMatchRecord",
}  # fmt: skip


async def opponent(town):
    """Answers for the bot, as workers would."""
    while True:
        await asyncio.sleep(0.01)
        for match in town.world.matches.values():
            if match.waiting == "blue":
                match.entries.append(("blue", "count 1", f"b{match.revision}", 0))
                match.move()


async def test_a_whole_match_by_curl(town, links):
    """Nothing but a shell and curl; in another place, and another game."""
    need("curl")
    port = town.process.door.port
    script = COMMANDS.replace("http://127.0.0.1:7080", f"http://127.0.0.1:{port}")
    script = script.replace("GAME=duel", "GAME=hopscotch").replace(
        '"requestId": "m1"', '"requestId": "m1", "options": [{"name": "length", "value": "5"}]'
    )
    playing = asyncio.create_task(opponent(town))
    shell = await asyncio.create_subprocess_exec(
        "sh", "-eu", "-c", script, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    said, wrong = await asyncio.wait_for(shell.communicate(), 40)
    playing.cancel()

    assert (0, b"") == (shell.returncode, wrong)
    assert b'"code"' not in said, said
    [match] = town.world.matches.values()
    assert ["red", "blue", "red", "blue", "red"] == [seat for seat, *_ in match.entries]
    record = json.loads(
        said.decode().rpartition('{"text"')[1] + said.decode().rpartition('{"text"')[2]
    )
    assert record["text"]
    assert record["standing"]["outcome"]["scores"]


def test_the_commands_are_those_of_a_whole_match():
    """And each of them is a method."""
    called = set(re.findall(r"call (\w+/\w+)", COMMANDS))

    assert {name.partition("/")[2] for name in called} == WANTED
    assert {f"/bree.gateway.v1.{name}" for name in called} <= set(PATHS.values())


def test_the_port_is_where_a_local_run_has_it():
    page = (Path(__file__).resolve().parents[3] / "docs/configuration.md").read_text("utf-8")
    [port] = re.findall(r"^\| `BREE_HTTP_PORT` \| `(\d+)`", page, re.MULTILINE)

    assert f"http://127.0.0.1:{port} " in COMMANDS


async def test_the_refusal_in_the_guide_is_one(town, links):
    """Byte for byte, but for blanks."""
    [text] = re.findall(r"```json\n(.*?)```", SECTION, re.DOTALL)
    told = json.loads(text)
    rosie = await links.account()
    answer = await rosie.call(pb.GetMatchRequest(match="c-7f3k2m9pqa"))

    assert told == answer.json()
    assert ErrorInfo.FromString(base64.b64decode(told["details"][0]["value"]))
