"""The text of actions: a verb and the names of what it concerns, both ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.core.decisions import Action
from services.core.errors import Invalid

LONGEST = 400
"""No action of any game is spelt with more characters than this."""


MOST_KEPT = 10_000


class Vocabulary:
    """The verbs of a game, each with the kinds of its nouns; a kind is the list of its names."""

    def __init__(self, verbs: Mapping[str, tuple[Sequence[str], ...]]) -> None:
        self._verbs = verbs
        self._spelt: dict[Action, str] = {}  # lists repeat themselves from question to question
        self._parsed: dict[str, Action] = {}  # and so do answers
        self._ids = {
            id(kind): {name: number for number, name in enumerate(kind)}
            for kinds in verbs.values()
            for kind in kinds
        }

    def spell(self, action: Action) -> str:
        """The text of an action of this game."""
        text = self._spelt.get(action)
        if text is None:
            kinds = self._verbs[action.verb]
            nouns = [kind[n] for kind, n in zip(kinds, action.nouns, strict=True)]
            text = " ".join([action.verb, *nouns])
            if len(self._spelt) == MOST_KEPT:
                self._spelt.clear()
            self._spelt[action] = text
        return text

    def parse(self, text: str) -> Action:
        """The action that `text` spells, or `Invalid`."""
        action = self._parsed.get(text)
        if action is None:
            action = self._read(text)
            if len(self._parsed) == MOST_KEPT:
                self._parsed.clear()
            self._parsed[text] = action
        return action

    def _read(self, text: str) -> Action:
        words = text[: LONGEST + 1].split()
        if not words or len(text) > LONGEST:
            raise Invalid("an action is a verb and its nouns", said=text[:LONGEST])
        kinds = self._verbs.get(words[0])
        if kinds is None:
            raise Invalid(f"unknown verb {words[0]!r}", said=text)
        if len(kinds) != len(words) - 1:
            raise Invalid(f"{words[0]!r} takes {len(kinds)} nouns", said=text)
        nouns = []
        for kind, word in zip(kinds, words[1:], strict=True):
            number = self._ids[id(kind)].get(word)
            if number is None:
                raise Invalid(f"{words[0]!r} knows no {word!r}", said=text)
            nouns.append(number)
        return Action(words[0], tuple(nouns))
