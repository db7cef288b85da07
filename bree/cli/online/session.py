"""One seat of a match on a platform, played at this terminal to its end.

Design. All that happens comes on one stream, which the client takes up again where it broke; so a
platform that restarts is a pause and nothing more. Before each question the board is asked for
anew: it and the question belong together, whatever has come meanwhile. Where the platform has lost
moves, all that was told is forgotten, and play goes on from what is left.
"""

from __future__ import annotations

from collections.abc import Callable

from bree.cli.boards import View
from bree.cli.desk import Asked, Choice, Commands, Desk, Left, Wish
from bree.cli.games import what_is_played
from bree.cli.log import Log
from bree.cli.online import boards, company, words
from bree.cli.online.endings import final_view
from bree.cli.online.link import Link
from bree.cli.online.promises import Promises
from bree.cli.online.steps import Step
from bree.cli.trouble import Trouble
from bree.client.client import MOOT, is_held
from bree.client.patience import CHANGED, Refused
from bree.engine.v1.types_pb2 import Outcome, Question
from bree.gateway.v1 import gateway_pb2 as pb
from services import GAMES, rules_of

_REMINDERS = 5
_COLUMNS = 80
_TOO_LATE = "That came too late: the question no longer stands."
_HELD = "The host has stopped this match: you are asked again when it goes on."
LOST = "The platform has lost some moves of this match; this is how it stands now."


class MatchDesk(Desk):
    """The place of a seat in a match of a platform."""

    def __init__(self, link: Link, match: pb.Match, seat: str, log: Log) -> None:
        self.link = link
        self.match = match
        self.seen: View = {}
        self.is_lent = False  # to a hosted bot, which plays on
        super().__init__(seat, boards.drawing(match.game), link.talk, log)

    def own_commands(self) -> Commands:
        return {
            "clock": (self._clock, "who has how much time left"),
            "who": (self._who, "who sits where, and who is here"),
            **(self._team_commands() if self._has_team() else {}),
            "stand-in": (self._lend, "let a hosted bot play on for you: stand-in BOT"),
            "resign": (self.resign, "give up"),
            "quit": (self.quit, f"leave; bree play {self.match.id} goes on"),
        }

    def view(self) -> View:
        return self.seen

    def look(self) -> pb.GetViewResponse:
        """Ask for the position as it is now."""
        shown = self.link.client.view(self.match.id, self.name, charts=True)
        self.seen = boards.view_of(self.match.game, shown.view)
        return shown

    def decide(self, question: Question) -> str | Wish:
        """Put a question; the text of the answer."""
        choices = [Choice(c.action.text, c.sentence) for c in question.choices]
        answer = self.answer(Asked(question.sentence, choices))
        return answer if isinstance(answer, Wish) else choices[answer].text

    def _team_commands(self) -> Commands:
        return {
            "note": (self._note, "write to your team: note TEXT"),
            "notes": (self._notes, "what your team has written"),
        }

    def _has_team(self) -> bool:
        teams = self.match.teams
        return any(self.name in team.seats and len(team.seats) > 1 for team in teams)

    def _who(self, asked: Asked, rest: str) -> None:
        company.say_who(self.link, self.link.client.match(self.match.id))

    def _note(self, asked: Asked, rest: str) -> None:
        self._tried(lambda: company.say_note(self.link, self.match, self.name, rest))

    def _notes(self, asked: Asked, rest: str) -> None:
        self._tried(lambda: company.list_notes(self.link, self.match, self.name))

    def _lend(self, asked: Asked, rest: str) -> None:
        if self._tried(lambda: company.lend(self.link, self.match, self.name, rest.strip())):
            self.is_lent = True
            raise Left

    def _tried(self, what: Callable[[], None]) -> bool:
        """Do something beside the question; what is wrong is said, and the question stands."""
        try:
            what()
        except (Refused, Trouble) as trouble:
            self.talk.say(str(trouble), "yellow")
            return False
        return True

    def _clock(self, asked: Asked, rest: str) -> None:
        standing = self.look().standing
        for clock in standing.clocks:
            self.talk.say(f"{clock.seat}: {words.duration(clock.left_ms)} left.")
        if not standing.clocks:
            self.talk.say("This match has no clock.")


class Session:
    """The person at the terminal, and the match."""

    def __init__(self, link: Link, match: pb.Match, seat: str) -> None:
        self.link = link
        self.talk = link.talk
        self.match = match
        self.seat = seat
        self.log = Log()
        self.desk = MatchDesk(link, match, seat, self.log)
        self.answered = 0
        self.steps = link.steps(match.id, seat)

    def run(self) -> None:
        """Play until the match is over or the person leaves."""
        self._greet()
        company.take_back(self.link, self.match, self.seat)
        try:
            self._end(self._play_on())
        except (Left, EOFError, KeyboardInterrupt):
            self.talk.say()
            if not self.desk.is_lent:
                self.talk.say("The match goes on without you, and waits at your next question.")
            self.talk.say(f"To go on: bree play {self.match.id}")

    def _greet(self) -> None:
        self.talk.say(f"{self.match.id}, {self.match.game}", "bold green")
        if self.match.game in GAMES:
            options = {option.name: option.value for option in self.match.options}
            if meaning := what_is_played(rules_of(self.match.game), options):
                self.talk.say(meaning)
        self.talk.say(f"{words.seats(self.match)}. You are {self.seat}.")
        if self.match.HasField("clock"):
            self.talk.say(f"Clock: {words.clock(self.match.clock)}.")
        self.talk.say("Say help for all that you may say, map for the map, legend for its signs.")
        if self.talk.console.width < _COLUMNS:
            self.talk.say(f"Boards are cut here: they need {_COLUMNS} columns.", "yellow")

    def _play_on(self) -> Outcome:
        """Play, from the beginning again where moves were lost."""
        while True:
            try:
                return self._play()
            except Refused as refused:
                if refused.reason != CHANGED:
                    raise
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Forget everything, and show how the match stands now."""
        self.talk.say(LOST, "bold yellow")
        Promises().doubt_heads(self.match.id)
        self.answered = 0
        self.log.forget_after(0)
        self.steps = self.link.steps(self.match.id, self.seat)
        self.desk.look()
        self.desk.draw()

    def _play(self) -> Outcome:
        step = self._next()
        self.log.told = max(0, len(self.log.lines) - _REMINDERS)
        while not step.standing.HasField("outcome"):
            if step.question.number > self.answered and not self.steps.has_more:
                self._decide()
            else:
                self.desk.tell()
            step = self._next()
        return step.standing.outcome

    def _next(self) -> Step:
        """Wait for what happens next, and note it."""
        others = [name for name in self.match_seats if name != self.seat]
        with self.talk.busy(f"Waiting for {words.listed(others, 'or')}. Control-C leaves."):
            step = self.steps.next()
        assert step is not None, "waiting for ever has come to an end"
        self.log.add(step.standing.revision, [event.sentence for event in step.events])
        if not self.steps.has_more:  # what comes binds what has come
            Promises().note_head(self.match.id, step.standing)
        return step

    @property
    def match_seats(self) -> list[str]:
        """All seats of the match, in order."""
        return [seat.seat for seat in self.match.seats]

    def _decide(self) -> None:
        shown = self.desk.look()
        question = shown.question
        if question.number <= self.answered:  # it is asked no more, or the match is over
            return
        self.answered = question.number
        if len(question.choices) == 1 and not question.neutral:
            self._act(shown, question.choices[0].action.text, "You, having no choice")
            return
        left = words.time_left(shown.standing, self.seat)
        if left:
            self.talk.say(f"You have {left} left.", "yellow")
        answer = self.desk.decide(question)
        if answer is Wish.RESIGN:
            self._resign()
        elif isinstance(answer, str):
            self._act(shown, answer, "You")

    def _resign(self) -> None:
        try:
            self.link.client.resign(self.match.id, self.seat)
        except Refused as refused:
            if refused.reason != "MATCH_OVER":  # someone else was faster, which is told next
                raise

    def _act(self, shown: pb.GetViewResponse, text: str, whose: str) -> None:
        done = self._answer(shown, text)
        if (
            done is not None and not done.events
        ):  # its own seat sees nothing come of it yet; a slip should be seen
            said = next(c.sentence for c in shown.question.choices if c.action.text == text)
            self.log.add(done.standing.revision, [f"{whose}: {said}"])

    def _answer(self, shown: pb.GetViewResponse, text: str) -> pb.ActResponse | None:
        """Answer what was shown; nothing, if that comes too late, which is said."""
        number, head = shown.question.number, shown.standing.head
        try:
            return self.link.client.act(self.match.id, self.seat, number, text, head=head)
        except Refused as refused:
            if refused.reason not in MOOT and not is_held(refused):
                raise
            self.talk.say(_HELD if is_held(refused) else _TOO_LATE, "yellow")
        return None

    def _end(self, outcome: Outcome) -> None:
        self.talk.show(self.desk.drawing.draw(final_view(self.link, self.match, self.seat)))
        self.desk.tell()
        self.talk.say(words.verdict(outcome, [self.seat]), "bold green")
        say_afterwards(self.link, self.match)


def say_afterwards(link: Link, match: pb.Match) -> None:
    """What can be done with a match that is over."""
    link.talk.say(f"  bree verify {match.id}")
    link.talk.say(f"  bree record {match.id}")
    link.talk.say(f"  bree ranks {match.game}")
