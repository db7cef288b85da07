"""What a set of network policies lets through between pods of one namespace."""

from __future__ import annotations

from tests.deploy.checkers import documents

POLICY = "NetworkPolicy"


class Network:
    """Policies, read as Kubernetes does: what any of them allows is allowed."""

    def __init__(self, policies):
        self.policies = policies

    @classmethod
    def of(cls, text):
        """The policies among the objects of a text."""
        return cls([one["spec"] for one in documents(text) if one and one["kind"] == POLICY])

    def lets_through(self, source, target, port):
        """Whether pods with these labels may talk; None is somebody outside the namespace."""
        leaves = source is None or self._allows("egress", "to", source, target, port)
        return leaves and self._allows("ingress", "from", target, source, port)

    def _allows(self, direction, side, concerned, other, port):
        about = [
            policy
            for policy in self.policies
            if direction.capitalize() in policy["policyTypes"]
            and _selects(policy["podSelector"], concerned)
        ]
        if not about:
            return True
        return any(
            _is_peer(rule.get(side), other) and _has_port(rule.get("ports"), port)
            for policy in about
            for rule in policy.get(direction, [])
        )


def _is_peer(peers, other):
    if peers is None:
        return True
    if other is None:
        return False
    return any(
        "namespaceSelector" not in peer and _selects(peer["podSelector"], other) for peer in peers
    )


def _has_port(ports, port):
    return ports is None or any(one["port"] == port for one in ports)


def _selects(selector, labels):
    wanted = selector.get("matchLabels", {})
    among = selector.get("matchExpressions", [])
    assert {one["operator"] for one in among} <= {"In"}, among
    return wanted.items() <= labels.items() and all(
        labels.get(one["key"]) in one["values"] for one in among
    )
