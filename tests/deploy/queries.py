"""What a query of Prometheus speaks of: metrics, with the labels it asks them for.

It reads names and the matchers in braces. What a query groups by is checked by whoever reads the
whole of it, since a grouping may belong to any of several metrics.
"""

from __future__ import annotations

import re

from prometheus_client import REGISTRY
from prometheus_client.metrics import MetricWrapperBase

from bree.process import metrics

SUFFIXES = {
    "counter": ("_total",),
    "histogram": ("_bucket", "_sum", "_count"),
    "gauge": ("",),
}
ADDED = {"job", "instance", "le"}
"""Labels that Prometheus adds."""

SELECTOR = re.compile(r"\b(bree[:_][a-z0-9_:]+)\b(?:\{([^}]*)\})?")
MATCHER = re.compile(r"(\w+)\s*(?:=~|!~|!=|=)")


def collectors():
    """Every metric of the platform, by its name in bree/process/metrics.py."""
    return {n: one for n, one in vars(metrics).items() if isinstance(one, MetricWrapperBase)}


def exported():
    """Every name that can be asked for, with its labels."""
    return {
        f"{one._name}{suffix}": set(one._labelnames)
        for one in collectors().values()
        for suffix in SUFFIXES[one._type]
    }


def selected(query):
    """Each metric that a query speaks of, with the labels in its braces."""
    for name, braces in SELECTOR.findall(query):
        yield name, set(MATCHER.findall(braces))


def grouped(query):
    """The labels that a query groups by, in whichever place."""
    for labels in re.findall(r"\b(?:by|on)\s*\(([^)]*)\)", query):
        yield from filter(None, (label.strip() for label in labels.split(",")))


def complaints(query, known):
    """What a query asks for that is not there, each as a sentence."""
    found = list(selected(query))
    for name, labels in found:
        if name not in known:
            yield f"there is no {name}"
        elif labels - known[name] - ADDED:
            yield f"{name} has no {', '.join(sorted(labels - known[name] - ADDED))}"
    anywhere = set().union(ADDED, *(known.get(name, set()) for name, _ in found))
    if found:
        yield from (f"nothing here has {label}" for label in set(grouped(query)) - anywhere)


def default_names():
    """What every process serves besides, such as its memory."""
    return {
        name
        for collector in list(REGISTRY._collector_to_names)
        for name in REGISTRY._collector_to_names[collector]
        if name.startswith(("process_", "python_"))
    }
