"""Refusals: a reason of the platform, and the gRPC status that goes with it. Mapped here only."""

from __future__ import annotations

from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from bree.engine.v1.errors_pb2 import ErrorReason

DOMAIN = "bree"
DETAILS = "grpc-status-details-bin"  # what gRPC calls it
PREFIX = "ERROR_REASON_"

CODES: dict[str, grpc.StatusCode] = {
    "INVALID_REQUEST": grpc.StatusCode.INVALID_ARGUMENT,
    "INVALID_ACTION": grpc.StatusCode.INVALID_ARGUMENT,
    "ILLEGAL_ACTION": grpc.StatusCode.FAILED_PRECONDITION,
    "NOT_ASKED": grpc.StatusCode.FAILED_PRECONDITION,
    "STALE_QUESTION": grpc.StatusCode.ABORTED,
    "UNKNOWN_QUESTION": grpc.StatusCode.INVALID_ARGUMENT,
    "REQUEST_ID_REUSED": grpc.StatusCode.ALREADY_EXISTS,
    "UNKNOWN_GAME": grpc.StatusCode.NOT_FOUND,
    "UNKNOWN_MATCH": grpc.StatusCode.NOT_FOUND,
    "UNKNOWN_SEAT": grpc.StatusCode.NOT_FOUND,
    "WRONG_SEAT": grpc.StatusCode.PERMISSION_DENIED,
    "MATCH_OVER": grpc.StatusCode.FAILED_PRECONDITION,
    "UNKNOWN_OPTION": grpc.StatusCode.INVALID_ARGUMENT,
    "OPTION_NOT_ALLOWED": grpc.StatusCode.INVALID_ARGUMENT,
    "OPTIONS_CONTRADICT": grpc.StatusCode.INVALID_ARGUMENT,
    "SEATS_NOT_FILLED": grpc.StatusCode.FAILED_PRECONDITION,
    "EDITION_UNSUPPORTED": grpc.StatusCode.UNIMPLEMENTED,
    "MATCH_FROZEN": grpc.StatusCode.DATA_LOSS,
    "UNAVAILABLE": grpc.StatusCode.UNAVAILABLE,
    "OUTCOME_UNKNOWN": grpc.StatusCode.UNAVAILABLE,
    "RATE_LIMITED": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "LIMIT_REACHED": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "UNAUTHENTICATED": grpc.StatusCode.UNAUTHENTICATED,
    "NOT_ALLOWED": grpc.StatusCode.PERMISSION_DENIED,
    "WATCH_LAGS": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "UNKNOWN_REVISION": grpc.StatusCode.OUT_OF_RANGE,
    "BUG": grpc.StatusCode.INTERNAL,
    "HISTORY_CHANGED": grpc.StatusCode.ABORTED,
}
"""The status of each reason; `errors.proto` says when each is sent."""

LONGEST_SAID = 200
"""How many characters of what a caller said are repeated in metadata."""


class Denied(Exception):
    """A call that was refused. `reason` is a name of ErrorReason without its prefix."""

    def __init__(self, reason: str, message: str, **metadata: object) -> None:
        assert reason in CODES, reason
        self.reason = reason
        self.code = CODES[reason]
        self.message = message
        self.metadata = {key: str(value)[:LONGEST_SAID] for key, value in metadata.items()}
        super().__init__(f"{reason}: {message}")

    def info(self) -> Any:
        """The reason with its metadata, as every transport tells it."""
        return error_details_pb2.ErrorInfo(
            reason=PREFIX + self.reason, domain=DOMAIN, metadata=self.metadata
        )

    def status(self) -> Any:
        """The status with its details, as `abort_with_status` takes it."""
        detail = AnyMessage()
        detail.Pack(self.info())
        code = getattr(code_pb2, self.code.name)
        rich = status_pb2.Status(code=code, message=self.message, details=[detail])
        return rpc_status.to_status(rich)


def denied_by(error: Any) -> Denied | None:
    """The refusal that another part of the platform sent, if its status has a reason."""
    rich = rpc_status.from_call(error)
    for detail in rich.details if rich else ():
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            reason = info.reason.removeprefix(PREFIX)
            if reason in CODES:
                return Denied(reason, rich.message, **dict(info.metadata))
    return None


assert {PREFIX + reason for reason in CODES} == set(ErrorReason.keys()) - {PREFIX + "UNSPECIFIED"}
