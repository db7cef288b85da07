"""A HorizontalPodAutoscaler with one external metric, and workers that it scales.

The autoscaler follows the algorithm of Kubernetes (autoscaling/v2): the ratio of the metric to its
target with a tolerance of a tenth, recommendations held in windows, and the limits of policies.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable

SYNC = 15
"""Seconds between two looks of the autoscaler."""

TOLERANCE = 0.1
START = 20
"""Seconds until a new worker takes tasks."""


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


class Workers:
    """Turns that come, wait and are played, second by second."""

    def __init__(self, spec: dict, processes: int, seconds: int) -> None:
        self.autoscaler = Autoscaler(spec)
        self.processes, self.seconds = processes, seconds
        self.failing = 0  # turns that are never played
        self.waiting: deque[int] = deque()  # since when
        self.playing: list[int] = []  # until when
        self.starting: deque[tuple[int, int]] = deque()  # when they take tasks, how many there are
        self.ready = self.autoscaler.least
        self.open: deque[int] = deque(maxlen=30)
        self.replicas: list[int] = []
        self.now = 0
        self.late = 0  # the longest that a turn has waited

    def live(self, seconds: int, coming: float, at_once: int = 0) -> None:
        """Let seconds pass, with some turns each second after some turns at once."""
        self.waiting.extend([self.now] * at_once)
        for _ in range(seconds):
            self.now += 1
            come = math.floor(coming * self.now) - math.floor(coming * (self.now - 1))
            self.waiting.extend([self.now] * come)
            self._play()
            self.open.append(len(self.waiting) + len(self.playing) + self.failing)
            if self.now % SYNC == 0:
                self._scale()
            self.replicas.append(self.autoscaler.replicas)

    def _play(self) -> None:
        self.playing = [until for until in self.playing if until > self.now]
        while self.starting and self.starting[0][0] <= self.now:
            self.ready = self.starting.popleft()[1]
        while self.waiting and len(self.playing) < self.ready * self.processes:
            self.late = max(self.late, self.now - self.waiting.popleft())
            self.playing.append(self.now + self.seconds)

    def _scale(self) -> None:
        replicas = self.autoscaler.look(self.now, self.metric())
        if replicas < self.ready:
            self.ready = replicas
            self.starting.clear()
        else:
            self.starting.append((self.now + START, replicas))

    def metric(self) -> float:
        """The turns that are open, over the last half minute."""
        return sum(self.open) / len(self.open)
