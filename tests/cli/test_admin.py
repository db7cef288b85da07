"""`bree admin`: the host's desk in a terminal, on a real gateway and a real engine."""

from __future__ import annotations

import shlex

import pytest
import typer

from bree.cli.main import app
from bree.client.client import Client, is_held
from bree.client.patience import Refused
from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import desk_pb2_grpc
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from tests.cli.terminal import ROOT
from tests.cli.test_lobby import is_one_sentence, opened
from tests.cli.town import ADMIN

GUIDE = (ROOT / "docs/desk.md").read_text(encoding="utf-8")
COMMANDS = [line.strip() for line in GUIDE.splitlines() if line.startswith("    bree ")]
WHY = ("--why", "It was reported.")


@pytest.fixture(scope="session")
def keeper(town):
    """The admin of the town."""
    with Client(town.address, patience=20) as client:
        client.register(ADMIN)
        yield client


@pytest.fixture
def admin(bree, town, keeper, tmp_path):
    """Run `bree admin` with these arguments, as somebody who sits at the desk."""
    login = str(tmp_path / "admin.login")

    def run(*arguments):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("BREE_LOGIN", login)
            return bree(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BREE_LOGIN", login)
        token = f"{keeper.token}\n"
        logged_in = bree("login", "--at", town.address, "--token", says=token)
        assert 0 == logged_in.code, logged_in.err
    return lambda *arguments: run("admin", *arguments)


@pytest.fixture
def match(bree, ann, bob):
    """A running match: ann is good, bob is dark."""
    name = opened(bree)
    bob.join(name, "dark")
    assert 0 == bree("start", name).code
    return name


def rows(outcome):
    """What a command printed into a pipe: a line for each row, with tabs between."""
    assert 0 == outcome.code, outcome.err
    return [line.split("\t") for line in outcome.out.splitlines()]


def test_nobody_else_sits_there(bree, ann):
    """Each command that asks is refused in the same sentence."""
    for command in (("accounts",), ("log",), ("queues",), ("abort", "c-22222222aa", *WHY)):
        refused = bree("admin", *command)
        assert is_one_sentence(refused)
        assert "this is for the host of the platform" in refused.err


def test_accounts_are_found_shut_out_and_let_in(bree, ann, admin, bob):
    """By their names; and everything is in the log."""
    name = bob.name
    assert [name] == [row[0] for row in rows(admin("accounts", name))]
    told = admin("account", name)
    assert "token: 1" in told.out
    assert "banned until" in admin("ban", name, "--for", "2h", *WHY).out
    assert [name] == [row[0] for row in rows(admin("accounts", name, "--banned"))]
    with pytest.raises(Refused, match=r"you are shut out until .*: It was reported\."):
        bob.create("confrontation")
    assert f"{name}: nothing against it.\n" == admin("unban", name, *WHY).out
    assert bob.create("confrontation")
    assert "muted until" in admin("mute", name, "--for", "ever", *WHY).out
    assert 0 == admin("unmute", name, *WHY).code
    renamed = f"Kind-{name[3:]}"
    assert f"{name} is {renamed} now.\n" == admin("rename", name, renamed, *WHY).out

    whats = [row[3] for row in rows_of_log(admin("log", "--last", 5))]
    assert [4, 1] == [
        sum(bob.account().id in what for what in whats if not what.startswith("rename")),
        sum(what.startswith("rename") for what in whats),
    ]
    listed = rows(admin("notices", "--of", renamed))
    assert 5 == sum("It was reported." in row for row in listed)


def rows_of_log(outcome):
    """The lines of the log, and that they hold."""
    *lines, verdict, _ = outcome.out.splitlines()
    assert 0 == outcome.code, outcome
    assert "lines hold. The hash of the last:" in verdict
    return [line.split("\t") for line in lines]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("ban", "nobody-here", "--for", "3d", *WHY), "there is no account"),
        (("ban", ADMIN, "--for", "3x", *WHY), "--for takes a time such as"),
        (("ban", ADMIN, "--for", "0d", *WHY), "--for takes a time such as"),
        (("ban", ADMIN, "--for", "3d", "--why", " "), "why is 1 to 400 characters"),
        (("ban", ADMIN, "--for", "3d"), "--why"),
        (("delete", ADMIN, *WHY), "say --yes if it is meant"),
        (("matches", "--state", "lost"), "--state takes"),
        (("adjudicate", "c-22222222aa", *WHY), "say who has lost"),
        (("hold", "c-22222222aa", *WHY), "there is no match"),
        (("close", "99999999", "Done."), "there is no report"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(admin, command, why):
    """And nothing is done."""
    before = admin("log", "--last", 1).out
    refused = admin(*command)

    assert is_one_sentence(refused)
    assert why in refused.err
    assert before == admin("log", "--last", 1).out


def test_an_admin_sees_of_a_real_match_what_a_spectator_sees(keeper, bob, ann, match):
    """To the byte, after secret moves; nothing that a seat alone knows."""
    asked = bob.view(match, "dark")
    bob.act(match, "dark", asked.question.number, asked.question.choices[0].action.text)
    stub = desk_pb2_grpc.DeskServiceStub(keeper.channel)
    metadata = (("authorization", f"Bearer {keeper.token}"),)
    look = stub.LookAtMatch(desk.LookAtMatchRequest(match=match), metadata=metadata)
    seen = keeper._call(keeper._matches.GetView, pb.GetViewRequest(match=match, with_charts=True))
    own = bob._call(
        bob._matches.GetView, pb.GetViewRequest(match=match, seat="dark", with_charts=True)
    )

    assert seen.view.SerializeToString() == look.view.SerializeToString()
    assert seen.standing.SerializeToString() == look.standing.SerializeToString()
    assert own.view.SerializeToString() != look.view.SerializeToString()
    assert not seen.HasField("question")


def test_a_match_is_held_looked_at_and_released(bree, ann, bob, admin, match):
    """Whoever answers is told why not; afterwards the same question stands."""
    asked = bob.view(match, "dark")
    assert f"{match}: running, held." in admin("hold", match, *WHY).out
    assert [match] == [row[0] for row in rows(admin("matches", "--held"))]
    told = admin("match", match)
    assert f"{match}, confrontation, running, held" in told.out
    assert "waiting for" in told.out
    number, text = asked.question.number, asked.question.choices[0].action.text
    with pytest.raises(Refused, match="the host has stopped this match") as refused:
        bob.act(match, "dark", number, text)
    assert is_held(refused.value)
    assert bob.answer(match, "dark", number, text) is None
    assert f"{match}: running." in admin("release", match, *WHY).out
    assert bob.act(match, "dark", number, text).standing.revision
    again = admin("match", match, "--replay")

    assert (0, True) == (again.code, "entries lead where they led" in again.out)


def test_a_match_is_ended_by_the_host_and_verifies(bree, ann, bob, admin, match):
    """Its record says who gave up."""
    assert "bot greedy" not in admin("hand-over", match, "dark", "greedy", *WHY).err
    assert "greedy" == bob.match(match).seats[1].stand_in
    assert 0 == admin("give-back", match, "dark", *WHY).code
    ended = admin("adjudicate", match, "--seat", "dark", *WHY)
    assert f"{match}: over." in ended.out
    fetched = bree("record", match, "--out", "it.record")
    assert 0 == fetched.code, fetched.err

    assert 0 == bree("verify", "it.record").code
    assert "the game is over" in admin("abort", match, *WHY).err


@pytest.mark.parametrize("command", [("abort",), ("adjudicate", "--seat", "dark")])
def test_what_was_interrupted_is_done_once_by_a_real_engine(
    admin, town, match, command, monkeypatch
):
    """Though it was done before the gateway died: to say it again ends it, and notes that."""
    give, (name, *more) = town.store.give, command

    async def die(deed, told):
        if deed.what.startswith("end "):
            raise Denied("UNAVAILABLE", "the ledger is away", part="ledger")
        return await give(deed, told)

    monkeypatch.setattr(town.store, "give", die)
    assert 3 == admin(name, match, *more, *WHY).code
    monkeypatch.undo()
    told = admin("log", "--last", 3)
    assert "unfinished" in told.out
    assert "Begun and not finished: " in told.out
    again = admin(name, match, *more, *WHY)
    assert f"{match}: over." in again.out
    whats = [row[3] for row in rows_of_log(admin("log", "--last", 3))]

    assert [["begin", True], ["begin", True], ["end", True]] == [
        [what.split()[0], match in what] for what in whats
    ]


def test_reports_and_notices_lie_on_the_desk(bree, ann, bob, admin):
    """In one line each, in a pipe."""
    stub = desk_pb2_grpc.ReportServiceStub(bob.channel)
    said = desk.ReportAccountRequest(account=ann, kind=desk.REPORT_KIND_NAME, text="Her name.")
    number = stub.ReportAccount(said, metadata=(("authorization", f"Bearer {bob.token}"),)).report
    [row] = [row for row in rows(admin("reports")) if row[0] == str(number)]
    assert [ann, bob.name, "name", "", "Her name.", ""] == row[2:]
    assert 0 == admin("close", number, "She has another.").code
    assert str(number) not in [row[0] for row in rows(admin("reports"))]
    assert "She has another." in admin("reports", "--all").out
    assert "Everybody is told" in admin("notice", "We move at nine.", "--for", "2d", *WHY).out

    assert "We move at nine." in [row[3] for row in rows(admin("notices"))]
    assert ["most_open", "50"] in [row[:2] for row in rows(admin("limits"))]
    assert 0 == admin("queues").code


def test_a_log_that_was_changed_does_not_hold(admin, town):
    """The line is named, and the exit code says so."""
    assert 0 == admin("log").code
    assert 0 == admin("notice", "One.", "--for", "1h", *WHY).code
    assert 0 == admin("notice", "Two.", "--for", "1h", *WHY).code
    kept = town.store._audit
    line = kept[1]
    kept[1] = line._replace(why="Another reason.")
    try:
        broken = admin("log", "--last", 0)
    finally:
        kept[1] = line

    assert (1, True) == (
        broken.code,
        "The log does not hold: line 2 is not what was written." in broken.out,
    )
    assert "Another reason." in broken.out


def test_on_a_screen_there_are_tables(admin, monkeypatch):
    """With headings; in a pipe there are none."""
    monkeypatch.setattr("bree.cli.talk.Screen.is_terminal", True)
    shown = admin("limits")

    assert "limit" in shown.out.splitlines()[0]
    assert "\t" not in shown.out


# What the guide says.


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_of_the_guide_can_be_given(line):
    """It is one, with arguments and options that it takes."""
    words = shlex.split(line, comments=True)[1:]
    command = typer.main.get_command(app)
    context = command.make_context("bree", list(words))
    while hasattr(command, "commands"):
        name, command, words = command.resolve_command(context, words)
        if hasattr(command, "commands"):
            context = command.make_context(name, list(words), parent=context)
    command.make_context(command.name, list(words), parent=context)

    assert len(COMMANDS) > 30


def test_the_guide_names_every_command():
    """None is left out."""
    named = {shlex.split(line)[2] for line in COMMANDS if line.startswith("bree admin")}

    assert set(typer.main.get_command(app).commands["admin"].commands) == named
