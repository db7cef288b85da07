"""What only those do whom the host's configuration names: the calls of the desk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bree.client.calling import Caller
from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import desk_pb2_grpc as rpc
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1.gateway_pb2_grpc import AccountServiceStub


class AtDesk(Caller):
    """The calls for that."""

    _accounts: AccountServiceStub
    _desk: rpc.DeskServiceStub

    def id_of(self, name: str) -> str:
        """The id of the account that has this name."""
        request = pb.GetProfileRequest(account=name)
        return self._call(self._accounts.GetProfile, request).account.id

    def at_desk(self, method: str, request: Any, *, safe: bool = True) -> Any:
        """What a method of the desk answers; what is not safe is not sent twice."""
        return self._call(getattr(self._desk, method), request, safe=safe)

    def desk_pages(self, method: str, request: Any, field: str) -> Iterator[Any]:
        """What a method of the desk lists, page after page, as it is asked for."""
        while True:
            page = self.at_desk(method, request)
            yield from getattr(page, field)
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def audit(self, after: int = 0) -> Iterator[desk.AuditLine]:
        """The lines of the audit log after one, in their order."""
        while True:
            request = desk.ListAuditRequest(after=after, page_size=500)
            lines = self.at_desk("ListAudit", request).lines
            if not lines:
                return
            yield from lines
            after = lines[-1].n
