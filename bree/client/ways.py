"""The ways into an account: its sessions, its tokens, its recovery codes; and what it is called."""

from __future__ import annotations

import grpc

from bree.client.calling import Caller
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc as rpc
from bree.gateway.v1 import recovery_pb2, recovery_pb2_grpc, tokens_pb2, tokens_pb2_grpc


class Ways(Caller):
    """The calls for that."""

    _accounts: rpc.AccountServiceStub

    def open_ways(self, channel: grpc.Channel) -> None:
        """Call over this channel."""
        self._sessions = rpc.SessionServiceStub(channel)
        self._tokens = tokens_pb2_grpc.TokenServiceStub(channel)
        self._recovery = recovery_pb2_grpc.RecoveryServiceStub(channel)

    def begin(self, *, code: str = "", recovery_code: str = "", device: str = "") -> pb.Account:
        """Begin a session with a code of one kind or the other, and be its account from now on."""
        request = pb.StartSessionRequest(code=code, recovery_code=recovery_code, device=device)
        begun = self._call(self._sessions.StartSession, request, safe=False)
        self.token = begun.token
        return begun.account

    def sessions(self) -> list[pb.Session]:
        """The devices on which the account is in use, the latest used first."""
        return list(self._call(self._sessions.ListSessions, pb.ListSessionsRequest()).sessions)

    def end_session(self, session: str) -> None:
        """Have one of them be worth nothing."""
        self._call(self._sessions.EndSession, pb.EndSessionRequest(session=session))

    def end_all_sessions(self, *, tokens_too: bool = False) -> pb.EndAllSessionsResponse:
        """Have all but this one be worth nothing, and all tokens if that is wanted."""
        request = pb.EndAllSessionsRequest(keep_current=True, tokens_too=tokens_too)
        return self._call(self._sessions.EndAllSessions, request)

    # Tokens by name.

    def create_token(
        self, name: str, scope: tokens_pb2.TokenScope.ValueType
    ) -> tokens_pb2.CreateTokenResponse:
        """Make a token for a program; it is told this once."""
        request = tokens_pb2.CreateTokenRequest(name=name, scope=scope)
        return self._call(self._tokens.CreateToken, request, safe=False)

    def tokens(self) -> list[tokens_pb2.Token]:
        """What is told of them, the latest used first."""
        return list(self._call(self._tokens.ListTokens, tokens_pb2.ListTokensRequest()).tokens)

    def end_token(self, token: str) -> None:
        """Have one of them be worth nothing."""
        self._call(self._tokens.EndToken, tokens_pb2.EndTokenRequest(token=token))

    # Recovery codes.

    def create_recovery_codes(self) -> list[str]:
        """Make new codes in place of all older ones; they are told this once."""
        request = recovery_pb2.CreateRecoveryCodesRequest()
        answer = self._call(self._recovery.CreateRecoveryCodes, request, safe=False)
        return list(answer.codes)

    def recovery_codes(self) -> recovery_pb2.CountRecoveryCodesResponse:
        """How many are left."""
        request = recovery_pb2.CountRecoveryCodesRequest()
        return self._call(self._recovery.CountRecoveryCodes, request)

    # Names.

    def claim_name(self, name: str) -> pb.Account:
        """Give a guest a name."""
        return self._call(self._accounts.ClaimName, pb.ClaimNameRequest(name=name)).account

    def rename(self, name: str) -> pb.RenameAccountResponse:
        """Take another name."""
        return self._call(self._accounts.RenameAccount, pb.RenameAccountRequest(name=name))
