"""The bot that looks far ahead: tree search over imagined worlds, for every game alike.

Design. Each simulation redraws what the seat cannot know, goes down through the questions that
follow and judges where it comes out. Every seat chooses by what it could see itself: a node is
found by the events that its seat has been shown since the search began, so nobody in it acts on
another's secrets, and sealed picks stay sealed. Chance is dealt anew in each simulation and has no
nodes: an action is worth what it leads to on average. Values are kept for the seat that decides, so
more than two seats, and teams, need nothing else. The same picks make the same choice; only the cap
on time does not depend on them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

from services.core.contract import Rules
from services.core.decisions import CHANCE, Action, Event, Pick, Seat
from services.core.frames import Game
from workers.bots.budget import Budget
from workers.bots.calibration import calibrated
from workers.bots.contract import Thought, Weighed, onward
from workers.bots.greedy import LONGEST_ROLLOUT, roll_out
from workers.bots.judge import judge_of
from workers.bots.one_ply import WORLDS, Evaluations, evaluated, priors_from
from workers.bots.tree import Edge, Node, Priors

SEALED_TEMPERATURE = 0.5
"""Where others choose at the same time no bot plays cooler: it must not be foreseen."""

BLUNDER_STEPS = 1000
"""How finely blunder rates are told apart."""

MOST_REUSED = 0.5
"""The largest part of a search that is spared by what an earlier one has found out."""


class Memory(NamedTuple):
    """Where a search has got: the tree, and what each seat has seen in it."""

    world: Game[Any]  # as it was imagined, after the action that was chosen
    nodes: dict[object, Node]
    seen: tuple[int, ...]


Path = list[tuple[Seat, Node, Edge]]
"""The way of a simulation: who decided, where, and what."""


class Search:
    """Thinks as long as its budget allows, and remembers it for the next question of a turn."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._memory: Memory | None = None

    def choose(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Action:
        return self.think(rules, world, seat, pick).action

    def think(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Thought:
        """The choice, and what is behind it."""
        judge, offered = judge_of(rules), rules.ask(world, seat).actions
        if kinds := self.budget.standing_orders:
            orders = judge.orders(offered, kinds)
            if orders:
                return Thought(orders[0])
        if self._blunders(pick):
            self._memory = None
            some = onward(offered)
            return Thought(some[pick(len(some))])
        actions = judge.candidates(world, seat, offered)
        if len(actions) == 1:
            return Thought(actions[0])
        search = TreeSearch(rules, world, seat, pick, actions, self.budget)
        if self._memory is not None:
            search.reuse(self._memory, int(self.budget.simulations * MOST_REUSED))
        search.run()
        sealed = len(rules.waiting(world)) > 1
        coolest = SEALED_TEMPERATURE if sealed else 0.0
        action = search.draw(max(coolest, self.budget.temperature))
        self._memory = search.memory_after(action)
        return Thought(action, search.weighed())

    def _blunders(self, pick: Pick) -> bool:
        rate = self.budget.blunder_rate
        return rate > 0 and pick(BLUNDER_STEPS) < BLUNDER_STEPS * rate


class TreeSearch:
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
        self.evaluations = self._evaluated() if budget.prior_temperature else {}
        self.priors: dict[Action, float] = {}
        if self.evaluations:
            self.priors = priors_from(self.evaluations, budget.prior_temperature)
        seats = len(rules.scores(world))
        enough = self.evaluations if seats == 2 or budget.depth == 1 else None
        self.calibration = calibrated(rules, self.judge, world, seat, pick, enough)
        self.seen = (0,) * seats

    @property
    def root(self) -> Node:
        """The node of the question itself."""
        key = (self.seat, self.rules.ask(self.world, self.seat).prompt, self.seen[self.seat])
        sealed = len(self.rules.waiting(self.world)) > 1
        return self.nodes.setdefault(key, Node(sealed=sealed))

    def reuse(self, memory: Memory, most_visits: int) -> None:
        """Use what was found out before, if nothing has happened since but what was chosen."""
        rules, seat = self.rules, self.seat
        if seat not in rules.waiting(memory.world):
            return
        if rules.view(memory.world, seat) != rules.view(self.world, seat):
            return
        self.nodes, self.seen = memory.nodes, memory.seen
        self.root.limit_visits(most_visits)

    def run(self) -> None:
        """Simulate until the budget is spent, or what is left of it cannot change the choice."""
        budget, root = self.budget, self.root
        if budget.prior_visits:
            self._add_prior_visits()
        while root.visits < budget.simulations and not _is_decided(root, budget):
            self._simulate()
            if time.monotonic() > self.until:
                return

    def _evaluated(self) -> Evaluations:
        """What each action leads to in a few worlds; in one, if there is no time for more."""
        return evaluated(self.rules, self._few_worlds(), self.seat, self.actions, self.pick)

    def _few_worlds(self) -> Iterator[Game[Any]]:
        for number in range(min(WORLDS, self.judge.worlds)):
            if number and time.monotonic() > self.until:
                return
            yield self._imagine()

    def _add_prior_visits(self) -> None:
        """Begin with what each action was evaluated to, as if simulations had found it."""
        for action, worths in self.evaluations.items():
            value = fmean([self.calibration.chance_of(worth, self.seat) for worth in worths])
            self.root.add_visits(action, self.priors[action], self.budget.prior_visits, value)

    # One simulation.

    def _simulate(self) -> None:
        rules, pick = self.rules, self.pick
        game = self._imagine()
        seen, path = list(self.seen), Path()
        waiting, seat, sealed = rules.waiting(game), self.seat, False
        for _ in range(LONGEST_ROLLOUT):
            if seat == CHANCE:
                if self.judge.is_settled(game, self.seat):  # judged by what dice do on average
                    break
                rules.apply(game, CHANCE, rules.deal(game, pick))
            elif not self._descend(game, seat, seen, path, sealed=sealed or len(waiting) > 1):
                break
            before, waiting = waiting, rules.waiting(game)
            if not waiting or 0 < self.budget.depth <= len(path):
                break
            # Who answers a sealed question last is alone in it, and has seen no more than others.
            sealed = len(before) > 1 and waiting[0] in before
            seat = waiting[0]
        roll_out(rules, self.judge, game, self.seat, pick)
        self._back_up(game, path)

    def _imagine(self) -> Game[Any]:
        """A world to simulate in: another one, or one of those that were imagined before."""
        if not self.budget.worlds:
            return self.rules.guess(self.world, self.seat, self.pick)
        if len(self.worlds) < self.budget.worlds:
            self.worlds.append(self.rules.guess(self.world, self.seat, self.pick))
            return self.worlds[-1].copy()
        return self.worlds[self.pick(len(self.worlds))].copy()

    def _descend(
        self, game: Game[Any], seat: Seat, seen: list[int], path: Path, *, sealed: bool
    ) -> bool:
        """Let a seat decide; or not, at a question where nobody has been before."""
        ask = self.rules.ask(game, seat)
        actions = self.judge.candidates(game, seat, ask.actions) if path else self.actions
        action = actions[0]
        if len(actions) > 1:
            key = (seat, ask.prompt, seen[seat])
            node = self.nodes.get(key)
            if node is None:
                node = self.nodes[key] = Node(sealed=sealed)
                if path:
                    return False
            action, edge = node.choose(actions, self._priors_at(game, seat, path), self.pick)
            path.append((seat, node, edge))
        observe(seen, seat, action, self.rules.apply(game, seat, action))
        return True

    def _priors_at(self, game: Game[Any], seat: Seat, path: Path) -> Priors:
        """At the question itself they come from evaluations, if the budget wants that."""
        if path or not self.priors:
            return partial(self.judge.priors, game, seat)
        return lambda actions: [self.priors[action] for action in actions]

    def _back_up(self, game: Game[Any], path: Path) -> None:
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
            return beaten_share(self.rules.scores(game), seat)
        if others and len(self.seen) == 2:
            return 1 - next(iter(others.values()))
        return self.calibration.chance(game, seat)

    # What has come of it.

    def weighed(self) -> list[Weighed]:
        """What was tried of what is offered, the best first."""
        edges = self.root.edges
        found = [Weighed(a, edges[a].visits, edges[a].value) for a in self.actions if a in edges]
        return sorted(found, key=lambda w: (-w.visits, -w.value))

    def draw(self, temperature: float) -> Action:
        """The best action, or one of those that were visited, the more often the likelier."""
        weighed = self.weighed()
        if not temperature:
            return weighed[0].action
        most, power = weighed[0].visits, 1 / temperature
        weights = [int(1000 * (w.visits / most) ** power) for w in weighed]
        drawn = self.pick(sum(weights))
        for w, weight in zip(weighed, weights, strict=True):
            drawn -= weight
            if drawn < 0:
                return w.action
        raise AssertionError

    def memory_after(self, action: Action) -> Memory:
        """What is to be remembered when this has been chosen."""
        world, seen = self.rules.guess(self.world, self.seat, self.pick), list(self.seen)
        observe(seen, self.seat, action, self.rules.apply(world, self.seat, action))
        return Memory(world, self.nodes, tuple(seen))


def _is_decided(root: Node, budget: Budget) -> bool:
    """Whether the favourite can no longer be overtaken; looked at now and then only."""
    if budget.temperature or root.visits % 16:
        return False
    visits = sorted((edge.visits for edge in root.edges.values()), reverse=True)
    return len(visits) > 1 and visits[0] - visits[1] > budget.simulations - root.visits


def observe(seen: list[int], seat: Seat, action: Action, events: Sequence[Event]) -> None:
    """Add to what each seat has seen: its own actions, and of others' what it is shown."""
    for other in range(len(seen)):
        if other == seat:
            seen[other] = hash((seen[other], action))
            continue
        shown = [(e.kind, repr(e.facts)) for e in events if e.is_seen_by(other)]
        if shown:
            seen[other] = hash((seen[other], *shown))


def beaten_share(scores: Sequence[int], seat: Seat) -> float:
    """What part of the other seats a seat has beaten, and half of those it has tied with."""
    others = [score for other, score in enumerate(scores) if other != seat]
    beaten = sum(1.0 if scores[seat] > score else 0.5 * (scores[seat] == score) for score in others)
    return beaten / len(others)
