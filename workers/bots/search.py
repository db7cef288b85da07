"""The bot that looks far ahead: tree search over imagined worlds, for every game alike.

Design. Each dive redraws what the seat cannot know, goes down through the questions that follow and
judges where it comes out. Every seat chooses by what it could see itself: a node is found by the
events that its seat has been shown since the search began, so nobody in it acts on another's
secrets, and sealed picks stay sealed. Chance is dealt anew in each dive and has no nodes: an action
is worth what it leads to on average. Values are kept for the seat that decides, so more than two
seats, and teams, need nothing else. The same picks make the same choice; only the cap on time does
not depend on them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from statistics import fmean
from typing import Any, NamedTuple

from services.core.contract import Rules
from services.core.decisions import CHANCE, Action, Event, Pick, Seat
from services.core.frames import Game
from workers.bots.contract import Thought, Weighed, onward
from workers.bots.evals import judge_of, orders_of, priors_of, sensible
from workers.bots.gauge import gauge_for
from workers.bots.greedy import FAR, play_on
from workers.bots.looks import WORLDS, look, priors_from
from workers.bots.tree import Edge, Node, Priors

SEALED = 0.5
"""Where others choose at the same time even the best bot has this whim: it must not be foreseen."""

SLIPS = 1000
"""How finely chances of a slip are told apart."""

KEPT = 0.5
"""So large a part of a search at most is spared by what an earlier one has found out."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a search may spend, and how well it keeps to what it has found."""

    nodes: int
    seconds: float = inf
    whim: float = 0.0  # 0: always the best; 1: each action as often as it was looked at
    look: float = 0.0  # what tells actions apart before they are searched, see looks; 0: nothing
    trust: int = 0  # for so many dives into an action the look at it counts
    worlds: int = 0  # so many are imagined for a question, and used again; 0: one for each dive
    slip: float = 0.0  # how likely it is to answer without a thought
    depth: int = 0  # so many choices are searched, and what follows them is judged; 0: all
    care: int = 0  # how many kinds of standing orders it gives, in games that have them


class Memory(NamedTuple):
    """Where a search has got: the tree, and what each seat has seen in it."""

    world: Game[Any]  # as it was imagined, after the action that was chosen
    nodes: dict[object, Node]
    seen: tuple[int, ...]


Path = list[tuple[Seat, Node, Edge]]
"""The way of a dive: who decided, where, and what."""


class Search:
    """Thinks as long as its budget allows, and remembers it for the next question of a turn."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._memory: Memory | None = None

    def choose(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Action:
        return self.think(rules, world, seat, pick).action

    def think(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Thought:
        """The choice, and what is behind it."""
        if care := self.budget.care:
            orders = orders_of(judge_of(rules), rules.ask(world, seat).actions, care)
            if orders:
                return Thought(orders[0])
        if self.budget.slip and pick(SLIPS) < SLIPS * self.budget.slip:
            self._memory = None
            offered = onward(rules.ask(world, seat).actions)
            return Thought(offered[pick(len(offered))])
        actions = sensible(judge_of(rules), world, seat, rules.ask(world, seat).actions)
        if len(actions) == 1:
            return Thought(actions[0])
        hunt = Hunt(rules, world, seat, pick, actions, self.budget)
        if self._memory is not None:
            hunt.go_on_from(self._memory, int(self.budget.nodes * KEPT))
        hunt.run()
        sealed = len(rules.waiting(world)) > 1
        action = hunt.pick_one(max(SEALED if sealed else 0.0, self.budget.whim))
        self._memory = hunt.after(action)
        return Thought(action, hunt.weighed())


class Hunt:
    """One search from one question."""

    def __init__(
        self,
        rules: Rules[Any],
        world: Game[Any],
        seat: Seat,
        pick: Pick,
        actions: Sequence[Action],
        budget: Budget,
    ) -> None:
        self.rules = rules
        self.budget = budget
        self.until = time.monotonic() + budget.seconds
        self.judge = judge_of(rules)
        self.world = world
        self.seat = seat
        self.pick = pick
        self.actions = tuple(actions)
        self.nodes: dict[object, Node] = {}
        self.worlds: list[Game[Any]] = []
        self.looked = look(rules, self._few(), seat, actions, pick) if budget.look else {}
        self.likely = priors_from(self.looked, budget.look) if self.looked else {}
        seats = len(rules.scores(world))
        enough = self.looked if seats == 2 or budget.depth == 1 else None
        self.gauge = gauge_for(rules, self.judge, world, seat, pick, enough)
        self.seen = (0,) * seats

    @property
    def root(self) -> Node:
        """The node of the question itself."""
        key = (self.seat, self.rules.ask(self.world, self.seat).prompt, self.seen[self.seat])
        sealed = len(self.rules.waiting(self.world)) > 1
        return self.nodes.setdefault(key, Node(sealed=sealed))

    def go_on_from(self, memory: Memory, most: int) -> None:
        """Use what was found out before, if nothing has happened since but what was chosen."""
        rules, seat = self.rules, self.seat
        if seat not in rules.waiting(memory.world):
            return
        if rules.view(memory.world, seat) != rules.view(self.world, seat):
            return
        self.nodes, self.seen = memory.nodes, memory.seen
        self.root.fade(most)

    def run(self) -> None:
        """Dive until the budget is spent, or what is left of it cannot change the choice."""
        budget, root = self.budget, self.root
        if budget.trust:
            self._believe_looks()
        while root.visits < budget.nodes and not _is_decided(root, budget):
            self._dive()
            if time.monotonic() > self.until:
                return

    def _believe_looks(self) -> None:
        """Begin with what the look at each action has found, as if dives had found it."""
        for action, worths in self.looked.items():
            value = fmean([self.gauge.chance_of(worth, self.seat) for worth in worths])
            self.root.believe(action, self.likely[action], self.budget.trust, value)

    # One dive.

    def _dive(self) -> None:
        rules, pick = self.rules, self.pick
        game = self._imagine()
        seen, path = list(self.seen), Path()
        waiting, seat, sealed = rules.waiting(game), self.seat, False
        for _ in range(FAR):
            if seat == CHANCE:
                if self.judge.is_settled(game, self.seat):  # judged by what dice do on average
                    break
                rules.apply(game, CHANCE, rules.deal(game, pick))
            elif not self._step(game, seat, seen, path, sealed=sealed or len(waiting) > 1):
                break
            before, waiting = waiting, rules.waiting(game)
            if not waiting or 0 < self.budget.depth <= len(path):
                break
            # Who answers a sealed question last is alone in it, and has seen no more than others.
            sealed = len(before) > 1 and waiting[0] in before
            seat = waiting[0]
        play_on(rules, self.judge, game, self.seat, pick)
        self._learn(game, path)

    def _imagine(self) -> Game[Any]:
        """A world to dive in: another one, or one of those that were imagined before."""
        if not self.budget.worlds:
            return self.rules.guess(self.world, self.seat, self.pick)
        if len(self.worlds) < self.budget.worlds:
            self.worlds.append(self.rules.guess(self.world, self.seat, self.pick))
            return self.worlds[-1].copy()
        return self.worlds[self.pick(len(self.worlds))].copy()

    def _few(self) -> Iterator[Game[Any]]:
        """Worlds for a look: as many as tell actions apart, or one if there is no time for more."""
        for number in range(min(WORLDS, getattr(self.judge, "WORLDS", WORLDS))):
            if number and time.monotonic() > self.until:
                return
            yield self._imagine()

    def _step(
        self, game: Game[Any], seat: Seat, seen: list[int], path: Path, *, sealed: bool
    ) -> bool:
        """Let a seat decide; or not, at a question where nobody has been before."""
        ask = self.rules.ask(game, seat)
        actions = sensible(self.judge, game, seat, ask.actions) if path else self.actions
        action = actions[0]
        if len(actions) > 1:
            key = (seat, ask.prompt, seen[seat])
            node = self.nodes.get(key)
            if node is None:
                node = self.nodes[key] = Node(sealed=sealed)
                if path:
                    return False
            action, edge = node.choose(actions, self._priors(game, seat, path), self.pick)
            path.append((seat, node, edge))
        notice(seen, seat, action, self.rules.apply(game, seat, action))
        return True

    def _priors(self, game: Game[Any], seat: Seat, path: Path) -> Priors:
        """At the question itself what a look at each action says, if the budget wants that."""
        if path or not self.likely:
            return partial(priors_of, self.judge, game, seat)
        return lambda actions: [self.likely[action] for action in actions]

    def _learn(self, game: Game[Any], path: Path) -> None:
        values: dict[Seat, float] = {}
        for seat, node, edge in path:
            if seat not in values:
                values[seat] = self._value(game, seat, values)
            node.visits += 1
            edge.visits += 1
            edge.total += values[seat]

    def _value(self, game: Game[Any], seat: Seat, others: dict[Seat, float]) -> float:
        """From 0, all lost, to 1."""
        if not self.rules.waiting(game):
            return share(self.rules.scores(game), seat)
        if others and len(self.seen) == 2:
            return 1 - next(iter(others.values()))
        return self.gauge.chance(game, seat)

    # What has come of it.

    def weighed(self) -> list[Weighed]:
        """What was tried of what is offered, the best first."""
        edges = self.root.edges
        found = [Weighed(a, edges[a].visits, edges[a].value) for a in self.actions if a in edges]
        return sorted(found, key=lambda w: (-w.visits, -w.value))

    def pick_one(self, whim: float) -> Action:
        """The best action, or one of those that were looked at, the more often the likelier."""
        weighed = self.weighed()
        if not whim:
            return weighed[0].action
        weights = [int(1000 * (w.visits / weighed[0].visits) ** (1 / whim)) for w in weighed]
        drawn = self.pick(sum(weights))
        for w, weight in zip(weighed, weights, strict=True):
            drawn -= weight
            if drawn < 0:
                return w.action
        raise AssertionError

    def after(self, action: Action) -> Memory:
        """What is to be remembered when this has been chosen."""
        world, seen = self.rules.guess(self.world, self.seat, self.pick), list(self.seen)
        notice(seen, self.seat, action, self.rules.apply(world, self.seat, action))
        return Memory(world, self.nodes, tuple(seen))


def _is_decided(root: Node, budget: Budget) -> bool:
    """Whether the favourite can no longer be overtaken; looked at now and then only."""
    if budget.whim or root.visits % 16:
        return False
    visits = sorted((edge.visits for edge in root.edges.values()), reverse=True)
    return len(visits) > 1 and visits[0] - visits[1] > budget.nodes - root.visits


def notice(seen: list[int], seat: Seat, action: Action, events: Sequence[Event]) -> None:
    """Add to what each seat has seen: its own actions, and of others' what it is shown."""
    for other in range(len(seen)):
        if other == seat:
            seen[other] = hash((seen[other], action))
            continue
        shown = [(e.kind, repr(e.facts)) for e in events if e.is_seen_by(other)]
        if shown:
            seen[other] = hash((seen[other], *shown))


def share(scores: Sequence[int], seat: Seat) -> float:
    """What part of the other seats a seat has beaten, and half of those it has tied with."""
    others = [score for other, score in enumerate(scores) if other != seat]
    beaten = sum(1.0 if scores[seat] > score else 0.5 * (scores[seat] == score) for score in others)
    return beaten / len(others)
