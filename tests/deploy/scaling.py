"""A HorizontalPodAutoscaler with one external metric, and workers that it scales.

The autoscaler follows the algorithm of Kubernetes (autoscaling/v2): the ratio of the metric to its
target with a tolerance of a tenth, recommendations held in windows, and the limits of policies.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

SYNC = 15
"""Seconds between two looks of the autoscaler."""

TOLERANCE = 0.1
START = 20
"""Seconds until a new worker takes tasks."""

DOWN = 300
"""Seconds in which what was needed is not forgotten; it is the specification's, too."""


class Autoscaler:
    """Decides on the number of replicas, as its specification says."""

    def __init__(self, spec: dict) -> None:
        self.least, self.most = spec["minReplicas"], spec["maxReplicas"]
        (metric,) = spec["metrics"]
        self.target = metric["external"]["target"]
        self.behavior = spec["behavior"]
        self.replicas = self.least
        self.wanted: deque[tuple[float, int]] = deque()
        self.changes: list[tuple[float, int]] = []

    def look(self, now: float, metric: float) -> int:
        """The replicas from now on."""
        wanted = min(max(self._wanted(metric), self.least), self.most)
        self.wanted.append((now, wanted))
        up = min(self._since(now, "scaleUp"))
        down = max(self._since(now, "scaleDown"))
        if up > self.replicas:
            wanted = min(up, max(self._limits(now, "scaleUp", 1, math.ceil)))
        elif down < self.replicas:
            wanted = max(down, min(self._limits(now, "scaleDown", -1, math.floor)))
        else:
            wanted = self.replicas
        self.changes.append((now, wanted - self.replicas))
        self.replicas = wanted
        return wanted

    def _wanted(self, metric: float) -> int:
        if self.target["type"] == "Value":
            ratio = metric / float(self.target["value"])
        else:
            ratio = metric / float(self.target["averageValue"]) / self.replicas
        if abs(ratio - 1) <= TOLERANCE:
            return self.replicas
        return math.ceil(round(ratio * self.replicas, 6))

    def _since(self, now: float, way: str) -> list[int]:
        window = self.behavior[way]["stabilizationWindowSeconds"]
        return [wanted for at, wanted in self.wanted if at >= now - window]

    def _limits(self, now: float, way: str, sign: int, whole: Callable[[float], int]) -> list[int]:
        limits = []
        for policy in self.behavior[way]["policies"]:
            since = now - policy["periodSeconds"]
            changed = sum(n for at, n in self.changes if at > since and n * sign > 0)
            before, value = self.replicas - changed, policy["value"]
            by = before * value / 100 if policy["type"] == "Percent" else value
            limits.append(whole(before + sign * by))
        return limits


@dataclass(frozen=True)
class Rule:
    """The numbers of the rule that makes the metric, as its recording rules have them."""

    window: int  # seconds over which it looks at what is done and what has grown
    gone: int  # seconds within which what waits should be gone
    longest: int  # seconds that a turn takes at most
    late: int  # seconds by which what the autoscaler sees is older than what is so

    def wanted(self, seen: Sequence[Seen], processes: int) -> float:
        """The processes that are wanted, of what was seen in each second of the window."""
        busy = sum(one.busy for one in seen) / len(seen)
        done = max(sum(one.done for one in seen) / len(seen), processes / self.longest)
        grown = (seen[-1].open - seen[0].open) / self.window
        waits = seen[-1].open - seen[-1].busy
        return busy * max(done + grown + waits / self.gone, 0) / done


class Seen(NamedTuple):
    """What Prometheus is told of a second."""

    open: int  # turns that wait or are played
    busy: int  # of these, as many as there are processes
    done: int  # turns that were finished in it


class Workers:
    """Turns that come, wait and are played, second by second."""

    def __init__(self, spec: dict, rule: Rule, processes: int, seconds: float) -> None:
        self.autoscaler = Autoscaler(spec)
        self.rule, self.processes, self.seconds = rule, processes, seconds
        self.failing = 0  # turns that are never played
        self.waiting: deque[int] = deque()  # since when
        self.playing: list[float] = []  # until when
        self.starting: deque[tuple[int, int]] = deque()  # when they take tasks, how many there are
        self.ready = self.autoscaler.least
        self.seen: deque[Seen] = deque([Seen(0, 0, 0)], maxlen=rule.window)
        self.metrics: deque[float] = deque([0.0], maxlen=rule.late + 1)
        self.replicas: list[int] = []
        self.needed: list[float] = []  # workers for what comes, and for what waits to be gone
        self.now = 0
        self.come = 0.0
        self.late = 0  # the longest that a turn has waited

    def live(self, seconds: int, coming: float | Callable[[int], float], at_once: int = 0) -> None:
        """Let seconds pass, with some turns each second after some turns at once."""
        self.waiting.extend([self.now] * at_once)
        for _ in range(seconds):
            self.now += 1
            rate = coming(self.now) if callable(coming) else coming
            self.come += rate
            self.waiting.extend([self.now] * math.floor(self.come))
            self.come %= 1
            self._look(self._play())
            if self.now % SYNC == 0:
                self._scale()
            work = (rate + len(self.waiting) / self.rule.gone) * self.seconds
            self.needed.append(max(work / self.processes, self.autoscaler.least))
            self.replicas.append(self.autoscaler.replicas)

    def _play(self) -> int:
        """Go on with what is played; how many turns were finished."""
        before = len(self.playing)
        self.playing = [until for until in self.playing if until > self.now]
        done = before - len(self.playing)
        while self.starting and self.starting[0][0] <= self.now:
            self.ready = self.starting.popleft()[1]
        while self.waiting and len(self.playing) < self.ready * self.processes:
            self.late = max(self.late, self.now - self.waiting.popleft())
            self.playing.append(self.now + self.seconds)
        return done

    def _look(self, done: int) -> None:
        count = len(self.waiting) + len(self.playing) + self.failing
        processes = self.ready * self.processes
        self.seen.append(Seen(count, min(count, processes), done))
        self.metrics.append(self.rule.wanted(self.seen, processes))

    def _scale(self) -> None:
        replicas = self.autoscaler.look(self.now, self.metrics[0])
        if replicas < self.ready:
            self.ready = replicas
            self.starting.clear()
        else:
            self.starting.append((self.now + START, replicas))

    def changes(self, since: int) -> int:
        """How often the number of replicas has changed since then."""
        tail = self.replicas[since:]
        return sum(a != b for a, b in pairwise(tail))

    def excess(self, since: int) -> float:
        """The most replicas, over what was needed at any time that the rule may still go by."""
        memory = self.rule.window + self.rule.late + DOWN
        return max(
            self.replicas[n] / math.ceil(max(self.needed[max(0, n - memory) : n + 1]))
            for n in range(since, len(self.replicas))
        )
