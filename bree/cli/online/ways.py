"""`bree account`: the tokens, sessions and recovery codes of an account, and what it is called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rich.table import Table as Grid

from bree.cli.online.link import Link, linked
from bree.cli.online.login import LoginFile, from_environment
from bree.cli.talk import Talk
from bree.cli.trouble import Trouble
from bree.gateway.v1.gateway_pb2 import Session
from bree.gateway.v1.tokens_pb2 import Token, TokenScope

SCOPE = "TOKEN_SCOPE_"


def tokens() -> int:
    """List the tokens."""
    talk = Talk()
    with linked(talk) as link:
        rows = [(t.id, t.name, _scope(t.scope), *_times(t)) for t in link.client.tokens()]
    if not rows:
        talk.say("You have made no tokens: bree account new-token NAME")
        return 0
    _show(talk, ("id", "name", "may", "made", "used"), rows)
    return 0


def new_token(name: str, scope: str) -> int:
    """Make a token; into a pipe goes it alone."""
    talk = Talk()
    with linked(talk) as link:
        made = link.client.create_token(name, TokenScope.Value(f"{SCOPE}{scope.upper()}"))
    if talk.console.is_terminal:
        talk.say(f"This is the token {made.token.id}, told this once; it may {scope}:")
    print(made.secret)
    return 0


def end_token(token: str) -> int:
    """End a token of one's own."""
    talk = Talk()
    with linked(talk) as link:
        found = next((one for one in link.client.tokens() if one.id == token), None)
        if found is None:
            raise Trouble(f"you have no token {token}; bree account tokens lists them")
        with talk.busy("Waiting until every gateway knows."):
            link.client.end_token(token)
    talk.say(f"The token {found.name} is worth nothing.")
    return 0


def codes(*, new: bool) -> int:
    """Make recovery codes, or count those that are left."""
    talk = Talk()
    with linked(talk) as link:
        if not new:
            left = link.client.recovery_codes().codes
            more = "" if left else ": bree account codes --new makes ten"
            talk.say(f"You have {left or 'no'} recovery {'code' if left == 1 else 'codes'}{more}.")
            return 0
        made = link.client.create_recovery_codes()
    if talk.console.is_terminal:
        talk.say("Write these down. Each begins a session once; older ones are worth nothing:")
    for code in made:
        print(code)
    return 0


def rename(name: str) -> int:
    """Take another name, or the first one of one's choice."""
    talk = Talk()
    with linked(talk) as link:
        is_guest = link.client.account().guest
        with talk.busy("Waiting until every gateway knows."):
            account = link.client.claim_name(name) if is_guest else link.client.rename(name).account
        _keep_name(link, account.name)
    talk.say(f"You are {account.name} on {link.login.gateway}.", "bold green")
    return 0


def _keep_name(link: Link, name: str) -> None:
    """Note the new name beside the token; what the environment says has no name."""
    if from_environment():
        return
    file = LoginFile()
    if known := file.read():
        file.save(replace(known, name=name))


def sessions() -> int:
    """List the sessions."""
    talk = Talk()
    with linked(talk) as link:
        rows = [
            (s.id, s.device or "-", "this one" if s.current else "", *_times(s))
            for s in link.client.sessions()
        ]
    if not rows:
        talk.say("Your account is in use on no device but by its token.")
        return 0
    _show(talk, ("id", "device", "", "begun", "used"), rows)
    return 0


def end_session(session: str | None, *, everyone: bool, tokens_too: bool) -> int:
    """End a session, or all others."""
    if everyone == bool(session):
        raise Trouble("name one session, or say --all")
    if tokens_too and not everyone:
        raise Trouble("--tokens-too goes with --all")
    talk = Talk()
    with linked(talk) as link:
        if session:
            _end(link, session)
            return 0
        with talk.busy("Waiting until every gateway knows."):
            ended = link.client.end_all_sessions(tokens_too=tokens_too)
    more = f" and {ended.tokens_ended} tokens" if tokens_too else ""
    talk.say(f"{ended.ended} sessions{more} have ended.")
    return 0


def _end(link: Link, session: str) -> None:
    found = next((one for one in link.client.sessions() if one.id == session), None)
    if found is None:
        raise Trouble(f"you have no session {session}; bree account sessions lists them")
    if found.current:
        raise Trouble("that is the session of this terminal: bree logout forgets it")
    with link.talk.busy("Waiting until every gateway knows."):
        link.client.end_session(session)
    link.talk.say(f"The session on {found.device or 'an unnamed device'} has ended.")


def _scope(scope: TokenScope.ValueType) -> str:
    return TokenScope.Name(scope).removeprefix(SCOPE).lower()


def _times(of: Token | Session) -> tuple[str, str]:
    """When something was made and last used, to the day and to the hour."""
    made, used = of.create_time.ToDatetime(), of.use_time.ToDatetime()
    return f"{made:%Y-%m-%d}", f"{used:%Y-%m-%d %H:00}"


def _show(talk: Talk, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for head in heads:
        grid.add_column(head, overflow="fold")
    for row in rows:
        grid.add_row(*row)
    talk.show(grid)
