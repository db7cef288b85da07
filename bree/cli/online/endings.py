"""The position in which a match has ended, laid open by its record."""

from __future__ import annotations

from bree.cli.boards import View
from bree.cli.online import boards
from bree.cli.online.link import Link
from bree.gateway.v1 import gateway_pb2 as pb
from services import rules_of
from services.core.errors import Refused
from services.core.reading import parse_record
from services.core.replaying import replay


def final_view(link: Link, match: pb.Match, seat: str = "") -> View:
    """All that the seats see together, drawn as for one; else what this viewer alone may see."""
    if not boards.is_known(match.game):
        return {}
    try:
        record = parse_record(link.client.record(match.id).text)
        rules = rules_of(record.game)
        table = replay(record, rules)
    except Refused:  # of another edition, say; verifying tells more
        return boards.view_of(match.game, link.client.view(match.id, seat, charts=True).view)
    views = [rules.view(table.game, n) for n in range(len(table.seats))]
    mine = table.seats.index(seat) if seat in table.seats else 0
    return boards.drawing(match.game).unite(views, mine)
