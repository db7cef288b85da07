"""`bree account`: tokens for programs, recovery codes, another name, sessions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bree.client.client import Client
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc as rpc


def kept(tmp_path):
    return json.loads((tmp_path / "config/bree/login.json").read_text())


@pytest.fixture
def as_program(bree, town, monkeypatch):
    """Run `bree` with a token from its environment."""

    def run(token, *arguments):
        with monkeypatch.context() as program:
            program.setenv("BREE_TOKEN", token.strip())
            program.setenv("BREE_GATEWAY", town.address)
            return bree(*arguments)

    return run


def test_a_token_is_made_used_and_ended(bree, ann, as_program):
    """Into a pipe goes the token alone; what it may do is what was said."""
    assert "bree account new-token NAME" in bree("account", "tokens").out
    made = bree("account", "new-token", "my page", "--scope", "read")
    assert (0, "") == (made.code, made.err)
    assert re.fullmatch(r"[a-z0-9]{16}\.[a-z0-9]{8}\.[\w-]{43}\n", made.out)
    listed = bree("account", "tokens").out
    token = made.out.split(".")[1]
    assert all(word in listed for word in (token, "my page", "read"))
    assert made.out.split(".")[2].strip() not in listed

    assert 0 == as_program(made.out, "matches").code
    refused = as_program(made.out, "new", "confrontation")
    assert (2, "bree: a token that is made to read may not do this.\n") == (
        refused.code,
        refused.err,
    )
    for command in (("tokens",), ("codes", "--new"), ("rename", "Thief"), ("sessions",)):
        assert (
            "a token that is made to read may not do this"
            in as_program(made.out, "account", *command).err
        )
    assert "The token my page is worth nothing." in bree("account", "end-token", token).out
    assert "does not take your token" in as_program(made.out, "matches").err
    gone = bree("account", "end-token", token)
    assert (2, f"bree: you have no token {token}; bree account tokens lists them.\n") == (
        gone.code,
        gone.err,
    )


@pytest.mark.parametrize("arguments", [("x", "--scope", "everything"), ("\t",), ("x" * 61,)])
def test_a_bad_token_is_not_made(bree, ann, arguments):
    """It says what is wrong."""
    refused = bree("account", "new-token", *arguments)

    assert (2, "", 1) == (refused.code, refused.out, refused.err.count("\n"))
    assert "made no tokens" in bree("account", "tokens").out


def test_whoever_has_lost_his_login_comes_in_by_a_recovery_code(bree, ann, town, monkeypatch):
    """Once; the codes are counted, and new ones make older ones worth nothing."""
    assert "You have no recovery codes: bree account codes --new" in bree("account", "codes").out
    codes = bree("account", "codes", "--new").out.split()
    assert 10 == len(codes)
    assert "You have 10 recovery codes." in bree("account", "codes").out
    monkeypatch.setenv("BREE_LOGIN", "another.json")
    taken = bree("login", "--at", town.address, "--code", says=codes[0].lower() + "\n")

    assert (0, "") == (taken.code, taken.err)
    assert f"You are {ann} on" in taken.out
    assert codes[0] not in taken.out
    assert "You have 9 recovery codes." in bree("account", "codes").out
    listed = bree("account", "sessions").out
    assert "bree on " in listed
    assert "this one" in listed
    monkeypatch.setenv("BREE_LOGIN", "third.json")
    for code in (codes[0], "2222-2222-2222-2222"):
        refused = bree("login", "--at", town.address, "--code", says=code + "\n")
        assert 2 == refused.code
        assert "this recovery code is worth nothing" in refused.err


def test_a_login_code_is_told_by_its_length(bree, ann, town, tmp_path, monkeypatch):
    """It comes from another device, such as the page."""
    with Client(town.address, kept(tmp_path)["token"]) as page:
        stub = rpc.SessionServiceStub(page.channel)
        code = page._call(stub.CreateLoginCode, pb.CreateLoginCodeRequest()).code
    monkeypatch.setenv("BREE_LOGIN", "another.json")

    assert f"You are {ann}" in bree("login", "--at", town.address, "--code", says=code).out


@pytest.mark.parametrize(
    ("arguments", "says", "why"),
    [
        (("--code",), "\n", "no code was given"),
        (("--code",), "123\n", "a code is 8 letters and digits"),
        (("--code",), "2222-2222-2222-22223\n", "a recovery code is 16 letters and digits"),
        (("--code", "--name", "sam"), "x\n", "leave --name away"),
        (("--code", "--token"), "x\n", "exclude each other"),
    ],
)
def test_a_code_that_is_none_is_said(bree, town, tmp_path, arguments, says, why):
    """One sentence, and nothing is kept."""
    refused = bree("login", "--at", town.address, *arguments, says=says)

    assert (2, "", 1) == (refused.code, refused.out, refused.err.count("\n"))
    assert why in refused.err
    assert not (tmp_path / "config/bree/login.json").exists()


def test_another_name(bree, ann, town, tmp_path):
    """It is kept with the login, and said where one sits; the next one has to wait."""
    assert 0 == bree("new", "confrontation", "--against", "novice").code
    taken = bree("account", "rename", f"{ann}-x")
    assert f"You are {ann}-x on {town.address}." in taken.out
    assert f"{ann}-x" == kept(tmp_path)["name"]

    assert f"You are {ann}-x" in bree("login").out
    assert "confrontation" in bree("matches").out
    refused = bree("account", "rename", f"{ann}-y")
    assert 2 == refused.code
    assert "you may again at" in refused.err


def test_a_guest_takes_a_name_by_the_same_word(bree, town, tmp_path):
    """And may take another one at once: his first choice does not count."""
    assert 0 == bree("login", "--at", town.address).code
    guest = kept(tmp_path)["name"]
    for name in (f"{guest[:12]}-a", f"{guest[:12]}-b"):
        assert f"You are {name}" in bree("account", "rename", name).out


def test_a_name_that_was_taken_elsewhere_is_found_out(bree, ann, town, tmp_path):
    """The platform says who one is, and where one sits; the login is put right."""
    made = bree("new", "confrontation", "--against", "novice").out
    with Client(town.address, kept(tmp_path)["token"]) as page:
        page.rename(f"{ann}-z")

    assert f"{ann}-z, you" in bree("who", re.search(r"c-\w{10}", made)[0]).out
    assert "confrontation" in bree("matches").out
    assert f"You are {ann}-z" in bree("login").out
    assert f"{ann}-z" == kept(tmp_path)["name"]


def test_devices_are_logged_out(bree, ann, town, tmp_path, monkeypatch):
    """One, or all but this one; with all tokens if that is wanted."""
    codes = bree("account", "codes", "--new").out.split()
    clients = [Client(town.address) for _ in range(3)]
    for number, client in enumerate(clients):
        client.begin(recovery_code=codes[number], device=f"phone {number}")
    token = bree("account", "new-token", "mine").out.strip()
    listed = bree("account", "sessions").out
    assert all(f"phone {number}" in listed for number in range(3))
    session = clients[0].token.split(".")[1]

    assert "The session on phone 0 has ended." in bree("account", "end-session", session).out
    assert "2 sessions have ended." in bree("account", "end-session", "--all").out
    told = bree("account", "end-session", "--all", "--tokens-too").out
    assert "0 sessions and 1 tokens have ended." in told
    assert "in use on no device" in bree("account", "sessions").out
    with (
        Client(town.address, token, patience=0) as program,
        pytest.raises(Exception, match="token"),
    ):
        program.account()
    for wrong in ((), (session, "--all"), (session, "--tokens-too"), (session,)):
        refused = bree("account", "end-session", *wrong)
        assert (2, 1) == (refused.code, refused.err.count("\n"))
    for client in clients:
        client.close()


def test_the_session_of_this_terminal_is_not_ended_by_a_slip(bree, ann, town, monkeypatch):
    """There is a word for that."""
    code = bree("account", "codes", "--new").out.split()[0]
    monkeypatch.setenv("BREE_LOGIN", "another.json")
    assert 0 == bree("login", "--at", town.address, "--code", says=code).code
    session = json.loads(Path("another.json").read_text())["token"].split(".")[1]
    refused = bree("account", "end-session", session)

    assert 2 == refused.code
    assert "bree logout" in refused.err
