"""Names that were somebody's: what is free again, and under which name ratings are kept.

Design. The ratings of an account are kept under the name with which it began, or, where that name
was somebody else's before, under `=` and its id, which nobody can be called. Of a name that is
freed a mark remains, of 32 bits: enough to find every such name again, and too little to say which
it was. A name that only has the same mark as another one costs nobody anything.
"""

from __future__ import annotations

from typing import Any

OWN = "="
"""With this begins what no name begins with: the rest is the id of an account."""

MARK = "left(encode(sha256(convert_to(lower(WORD), 'UTF8')), 'hex'), 8)"

PLAYER = "CASE WHEN first_name = '' THEN name ELSE first_name END"
"""Under which name the ratings of an account are kept, in the words of `tables.py`."""

GAMES = """ARRAY(
  WITH RECURSIVE g AS (
    (SELECT game FROM bree.ratings ORDER BY game LIMIT 1)
    UNION ALL
    SELECT (SELECT r.game FROM bree.ratings r WHERE r.game > g.game ORDER BY r.game LIMIT 1)
    FROM g WHERE g.game IS NOT NULL)
  SELECT game FROM g WHERE game IS NOT NULL)"""
"""All under which there are ratings: an index is by game first, and has few of them."""

FIRST_NAME = (
    """
SELECT CASE WHEN EXISTS (SELECT FROM bree.freed_names WHERE mark = MARK)
  OR EXISTS (SELECT FROM bree.accounts WHERE PLAYER = $2 AND id <> $1)
  OR EXISTS (SELECT FROM bree.ratings WHERE game = ANY(GAMES) AND player = $2)
  THEN '=' || $1 ELSE '' END
""".replace("MARK", MARK.replace("WORD", "$2"))
    .replace("PLAYER", PLAYER)
    .replace("GAMES", GAMES)
)
"""What a new account has for its first name, by its id and its name; nothing if that is its own."""

OVER = """
SELECT name FROM bree.names WHERE until_ms > 0 AND until_ms <= $1
ORDER BY until_ms LIMIT $2 FOR UPDATE SKIP LOCKED
"""
FREED = """
WITH freed AS (DELETE FROM bree.names WHERE name IN (OVER) RETURNING name),
marked AS (
  INSERT INTO bree.freed_names (mark) SELECT DISTINCT MARK FROM freed ON CONFLICT DO NOTHING)
SELECT count(*) FROM freed
""".replace("MARK", MARK.replace("WORD", "name")).replace("OVER", OVER)


async def first_name(connection: Any, account: str, name: str) -> str:
    """Under which name the ratings of a new account are kept, if that is not its own name."""
    return str(await connection.fetchval(FIRST_NAME, account, name))


async def free(connection: Any, now_ms: int, most: int) -> int:
    """Let go of names that were kept until now; how many those were."""
    return int(await connection.fetchval(FREED, now_ms, most))
