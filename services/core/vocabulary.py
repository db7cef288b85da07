"""The text of actions: a verb and the names of what it concerns, both ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.core.decisions import Action
from services.core.errors import Invalid

LONGEST = 400
"""No action of any game is spelt with more characters than this."""

MOST_KEPT = 10_000
"""Texts of actions, and actions of texts, that a vocabulary remembers."""


class Vocabulary:
    """The verbs of a game, each with the kinds of its nouns; a kind is the list of its names.

    A verb with a tail may be followed by any number of nouns more, of its kind and in any order.
    """

    def __init__(
        self,
        verbs: Mapping[str, tuple[Sequence[str], ...]],
        tails: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._verbs = verbs
        self._tails = tails or {}
        self._spelt: dict[Action, str] = {}  # lists repeat themselves from question to question
        self._parsed: dict[str, Action] = {}  # and so do answers
        self._ids = {
            id(kind): {name: number for number, name in enumerate(kind)}
            for kinds in (*verbs.values(), self._tails.values())
            for kind in kinds
        }

    def spell(self, action: Action) -> str:
        """The text of an action of this game."""
        text = self._spelt.get(action)
        if text is None:
            kinds = self._kinds(action.verb, len(action.nouns))
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
        if words[0] not in self._verbs:
            raise Invalid(f"unknown verb {words[0]!r}", said=text)
        kinds = self._kinds(words[0], len(words) - 1)
        if len(kinds) != len(words) - 1:
            more = " or more" if words[0] in self._tails else ""
            raise Invalid(f"{words[0]!r} takes {len(kinds)} nouns{more}", said=text)
        nouns = []
        for kind, word in zip(kinds, words[1:], strict=True):
            number = self._ids[id(kind)].get(word)
            if number is None:
                raise Invalid(f"{words[0]!r} knows no {word!r}", said=text)
            nouns.append(number)
        named = len(self._verbs[words[0]])
        return Action(words[0], (*nouns[:named], *sorted(nouns[named:])))

    def _kinds(self, verb: str, nouns: int) -> tuple[Sequence[str], ...]:
        """The kinds of the nouns of a verb, by how many nouns follow it."""
        kinds = self._verbs[verb]
        return kinds + (self._tails[verb],) * (nouns - len(kinds)) if verb in self._tails else kinds
