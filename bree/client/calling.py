"""How calls are sent to a gateway, and sent again while it is away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import grpc

from bree.client import beats
from bree.client.hearing import Ear
from bree.client.patience import Patience, Tell
from bree.client.traces import Parent, failed, told

Q = TypeVar("Q")
A = TypeVar("A")

DEADLINE = 10.0
"""Seconds that one attempt of a call may take."""


class Caller:
    """Somebody with a token, who bears failures for a while."""

    def __init__(self, token: str, patience: float, tell: Tell, parent: Parent) -> None:
        self.token = token
        self.patience = patience
        self.tell = tell
        self.parent = parent

    def _call(
        self,
        method: grpc.UnaryUnaryMultiCallable[Q, A],
        request: Q,
        *,
        safe: bool = True,
        anew: bool = False,
    ) -> A:
        patience = Patience(self.patience, tell=self.tell)
        parent = self.parent()  # one for all attempts
        while True:
            try:
                answer = method(request, timeout=DEADLINE, metadata=told(self.token, parent))
            except grpc.RpcError as error:
                refused = failed(error, request, parent)
            else:
                patience.renew()
                return answer
            patience.bear(refused, undone=not safe, anew=anew)

    def _stream(
        self,
        method: grpc.UnaryStreamMultiCallable[Q, A],
        request: Q,
        ear: Ear | None = None,
    ) -> Iterator[A]:
        parent = self.parent()
        call = method(request, metadata=told(self.token, parent))
        if ear is not None:
            ear.call = call
        try:
            yield from beats.told(call)
        except grpc.RpcError as error:
            raise failed(error, request, parent) from None
        finally:
            call.cancel()
