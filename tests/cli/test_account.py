"""Being somebody on a platform: the account, its token, and the file in which it is kept."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from bree.cli.online.login import Login, LoginFile, address, known, login_path, nobody
from bree.cli.trouble import Trouble


def kept(tmp_path):
    return json.loads((tmp_path / "config/bree/login.json").read_text())


def test_an_account_is_made_and_kept_for_its_owner_alone(bree, town, tmp_path):
    """The token is in a file of mode 0600 in the folder that XDG_CONFIG_HOME names."""
    made = bree("login", "--at", town.address, "--name", "Rosie")

    assert (0, "") == (made.code, made.err)
    assert f"You are Rosie on {town.address}." in made.out
    path = tmp_path / "config/bree/login.json"
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert ("Rosie", town.address) == (kept(tmp_path)["name"], kept(tmp_path)["gateway"])
    assert kept(tmp_path)["token"] not in made.out
    assert kept(tmp_path)["token"] + "\n" == bree("token", "show").out
    assert ["login.json"] == [path.name for path in path.parent.iterdir()]


def test_a_guest_needs_no_name(bree, town, tmp_path):
    """The platform makes one up."""
    assert 0 == bree("login", "--at", town.address).code
    assert len(kept(tmp_path)["name"]) > 2


def test_logging_in_twice_makes_no_second_account(bree, ann, town, tmp_path):
    """It says who one is; somebody else, or another place, is refused."""
    before = kept(tmp_path)
    again = bree("login")
    same = bree("login", "--name", ann, "--at", town.address)
    other = bree("login", "--name", "sam")
    elsewhere = bree("login", "--at", "example.org")
    by_token = bree("login", "--token", says="something\n")

    assert f"You are {ann} on {town.address}.\n" == again.out == same.out
    assert [2, 2, 2] == [other.code, elsewhere.code, by_token.code]
    assert "bree logout first" in other.err
    assert before == kept(tmp_path)


def test_a_name_is_taken_once(bree, ann, town, monkeypatch):
    """With another file one is somebody else, who may not have the same name."""
    monkeypatch.setenv("BREE_LOGIN", "second.json")
    refused = bree("login", "--at", town.address, "--name", ann)

    assert (2, f"bree: the name {ann!r} is taken.\n") == (refused.code, refused.err)
    assert 0 == bree("login", "--at", town.address).code
    assert ann not in bree("login").out


def test_an_account_is_taken_up_elsewhere_by_its_token(bree, ann, town, monkeypatch):
    """The token is read from the input and never shown."""
    token = bree("token", "show").out
    monkeypatch.setenv("BREE_LOGIN", "elsewhere.json")
    taken = bree("login", "--at", town.address, "--token", says=token)

    assert 0 == taken.code
    assert f"You are {ann}" in taken.out
    assert token.strip() not in taken.out


@pytest.mark.parametrize(
    ("arguments", "says", "why"),
    [
        (("--token",), "forged\n", "does not take your token"),
        (("--token",), "\n", "no token was given"),
        (("--token", "--name", "sam"), "x\n", "leave --name away"),
        (("--name", "no blanks"), "", "name is 2 to 24 letters"),
        (("--authority", "nowhere.pem"), "", "does not exist"),
    ],
)
def test_what_makes_nobody_is_said(bree, town, tmp_path, arguments, says, why):
    """One sentence, and nothing is kept."""
    refused = bree("login", "--at", town.address, *arguments, says=says)

    assert (2, "", 1) == (refused.code, refused.out, refused.err.count("\n"))
    assert why in refused.err
    assert not (tmp_path / "config/bree/login.json").exists()


def test_no_account_is_made_that_could_not_be_kept(bree, town, monkeypatch):
    """A folder that cannot be made is found out before the name is taken."""
    monkeypatch.setenv("XDG_CONFIG_HOME", "/proc/no/folder")
    refused = bree("login", "--at", town.address, "--name", "Lobelia")
    monkeypatch.setenv("BREE_LOGIN", "good.json")

    assert 2 == refused.code
    assert "cannot be written" in refused.err
    assert 0 == bree("login", "--at", town.address, "--name", "Lobelia").code


def test_the_environment_goes_before_the_file(bree, ann, town, monkeypatch):
    """A program needs no file; and what the environment says cannot be changed from here."""
    token = bree("token", "show").out.strip()
    monkeypatch.setenv("BREE_LOGIN", "nowhere.json")
    monkeypatch.setenv("BREE_TOKEN", token)
    monkeypatch.setenv("BREE_GATEWAY", town.address)

    assert 0 == bree("matches").code
    for command in (("login",), ("token", "rotate"), ("token", "revoke", "--yes")):
        refused = bree(*command)
        assert 2 == refused.code
        assert "BREE_TOKEN says who you are" in refused.err


def test_a_token_is_rotated(bree, ann, tmp_path, town, monkeypatch):
    """The new one is kept and counts; the old one is worth nothing."""
    old = kept(tmp_path)["token"]

    assert 0 == bree("token", "rotate").code
    assert old != kept(tmp_path)["token"]
    assert f"You are {ann}" in bree("login").out
    monkeypatch.setenv("BREE_TOKEN", old)
    monkeypatch.setenv("BREE_GATEWAY", town.address)
    assert "does not take your token" in bree("matches").err


@pytest.mark.parametrize("command", [("logout",), ("token", "revoke")])
def test_an_account_is_not_lost_by_a_slip(bree, ann, tmp_path, command):
    """What cannot be undone must be said twice."""
    refused = bree(*command)
    assert 2 == refused.code
    assert "Say --yes if that is meant" in refused.err
    assert (tmp_path / "config/bree/login.json").exists()

    assert 0 == bree(*command, "--yes").code
    assert not (tmp_path / "config/bree/login.json").exists()
    assert "you have no account on a platform yet" in bree("matches").err


def test_a_login_that_is_worth_nothing_is_replaced(bree, ann, town, tmp_path):
    """It is said, since the name may be another one."""
    login = kept(tmp_path) | {"token": "revoked"}
    LoginFile(tmp_path / "config/bree/login.json").forget()
    path = tmp_path / "config/bree/login.json"
    path.write_text(json.dumps(login))
    path.chmod(0o600)

    assert "does not take your token" in bree("matches").err
    replaced = bree("login", "--at", town.address)
    assert f"no longer takes the token of {ann}" in replaced.out
    assert ann != kept(tmp_path)["name"]


@pytest.mark.parametrize(
    ("text", "mode", "why"),
    [
        ("{}", 0o600, "holds no login"),
        ("[1]", 0o600, "holds no login"),
        ("not json", 0o600, "holds no login"),
        ("\udcff", 0o600, "holds no login"),
        ("{}", 0o644, "others can read"),
    ],
)
def test_a_file_that_is_no_login_is_left_alone(bree, tmp_path, text, mode, why):
    """It may be all that is left of one."""
    path = tmp_path / "config/bree/login.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode(errors="surrogateescape"))
    path.chmod(mode)
    before = path.read_bytes()
    for command in (("matches",), ("login",)):
        refused = bree(*command)
        assert (2, "", 1) == (refused.code, refused.out, refused.err.count("\n"))
        assert why in refused.err

    assert before == path.read_bytes()


def test_where_a_login_is_kept():
    """BREE_LOGIN, else below XDG_CONFIG_HOME if that is a whole path, else below the home."""
    assert "/a/b" == str(login_path({"BREE_LOGIN": "/a/b", "XDG_CONFIG_HOME": "/c"}))
    assert "/c/bree/login.json" == str(login_path({"XDG_CONFIG_HOME": "/c"}))
    for env in ({}, {"XDG_CONFIG_HOME": "c"}, {"XDG_CONFIG_HOME": ""}):
        assert str(login_path(env)).endswith("/.config/bree/login.json")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("bree.example.org", "bree.example.org:7000"), ("[::1]", "[::1]:7000"), ("h:1", "h:1")],
)
def test_an_address_has_a_port(typed, meant):
    """The usual one, if none is given."""
    assert meant == address(typed)


@pytest.mark.parametrize("typed", ["", "a b", "h:", "h:x", "h:99999", "http://h:7000", "h/"])
def test_what_is_no_address_is_refused(typed):
    """Before anybody is called."""
    with pytest.raises(Trouble, match="an address is a host and a port"):
        address(typed)


def test_each_variable_goes_before_what_the_file_says(tmp_path):
    """Each of its variables, whether or not the others are set."""
    path = tmp_path / "login.json"
    LoginFile(path).save(Login("kept:1", "token", "rosie", "/kept.pem"))
    env = {"BREE_LOGIN": str(path)}

    assert Login("kept:1", "token", "rosie", "/kept.pem") == known(env)
    assert Login("there:7000", "token", "rosie", "/kept.pem") == known(
        env | {"BREE_GATEWAY": "there"}
    )
    assert Login("kept:1", "token", "rosie", "/ca.pem") == known(
        env | {"BREE_AUTHORITY": "/ca.pem"}
    )
    assert Login("127.0.0.1:7000", "another") == known(env | {"BREE_TOKEN": "another"})
    assert known({"BREE_LOGIN": str(tmp_path / "none"), "BREE_AUTHORITY": "/ca.pem"}) is None


def test_who_has_no_login_goes_where_the_environment_says(tmp_path):
    """And trusts whom it says; what was typed goes before it."""
    env = {"BREE_GATEWAY": "there:1", "BREE_AUTHORITY": "/ca.pem"}

    assert Login("there:1", authority="/ca.pem") == nobody(env=env)
    assert Login("here:2", authority="/my.pem") == nobody("here:2", Path("/my.pem"), env)
    assert Login("127.0.0.1:7000") == nobody(env={})
