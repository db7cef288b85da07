"""What a token may do that may not do everything.

Design. An account's own token and its sessions may do everything. A token that was made by name for
a program has a scope, and may call what is listed here for it and nothing else: a method that is in
no list needs everything. `read` looks, `play` does what people do at tables, `bot` does what a
program needs that plays.
"""

from __future__ import annotations

READ, PLAY, BOT = SCOPES = ("read", "play", "bot")

LOOKING = frozenset(
    {
        *("GetAccount", "GetProfile", "ListGames", "GetRating", "ListLeaders"),
        *("ListMatches", "GetMatch", "GetView", "WatchMatch", "GetMatchRecord"),
        *("ListNotes", "ListenNews", "ChangeNews", "ListNotices"),
        *("GetTerms", "GetWishes"),
        *("ListResults", "SummarizeResults", "HeadToHead", "GetRatingHistory", "FindMatches"),
        *("GetPicture", "GetReplay", "GetRatingPicture", "GetRecord"),  # at addresses of the door
    }
)
"""What changes nothing."""

SITTING = frozenset(
    {
        *("CreateMatch", "JoinMatch", "LeaveMatch", "StartMatch", "Act", "ResignMatch"),
        *("ListenQuestions", "AnswerOffer", "UndoLast", "MakeOffer"),
    }
)
"""What a program needs that plays."""

TALKING = frozenset(
    {"AddBot", "RemoveBot", "HandOverSeat", "TakeBackSeat", "SayNote", "ReportAccount"}
)
"""What people do besides, with bots and with each other."""

ALLOWED = {READ: LOOKING, BOT: LOOKING | SITTING, PLAY: LOOKING | SITTING | TALKING}

WHILE_LEAVING = frozenset(
    {"GetAccount", "ExportData", "DeleteAccount", "KeepAccount", "EndSession"}
)
"""What an account may do that is to be deleted; nothing else, by whatever token."""


def may_call(scope: str, method: str) -> bool:
    """Whether a token of this scope may call a method; without a scope it may call all."""
    return not scope or method in ALLOWED.get(scope, ())
