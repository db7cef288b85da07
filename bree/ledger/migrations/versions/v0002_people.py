"""Accounts that last: their ways in, what the host has decided on them, and what they have done."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = depends_on = None

ACCOUNTS = """
ALTER TABLE bree.accounts
  ADD COLUMN bot BOOLEAN DEFAULT false NOT NULL,
  ADD COLUMN no_bots BOOLEAN DEFAULT false NOT NULL,
  ADD COLUMN terms TEXT DEFAULT '' NOT NULL,
  ADD COLUMN renamed_ms BIGINT DEFAULT 0 NOT NULL,
  ADD COLUMN banned_ms BIGINT DEFAULT 0 NOT NULL,
  ADD COLUMN muted_ms BIGINT DEFAULT 0 NOT NULL,
  ADD COLUMN leaving_ms BIGINT DEFAULT 0 NOT NULL;
CREATE INDEX accounts_by_leaving ON bree.accounts (leaving_ms) WHERE leaving_ms > 0;
CREATE INDEX accounts_by_time ON bree.accounts (created_ms DESC, id DESC);
CREATE UNIQUE INDEX accounts_by_player
  ON bree.accounts ((CASE WHEN first_name = '' THEN name ELSE first_name END));
CREATE INDEX matches_by_creator ON bree.matches
  (substring(doc, '"creator":"([^"]*)"'), id);
CREATE INDEX accounts_banned ON bree.accounts (created_ms DESC, id DESC) WHERE banned_ms > 0;
CREATE INDEX accounts_muted ON bree.accounts (created_ms DESC, id DESC) WHERE muted_ms > 0;
CREATE INDEX accounts_that_are_bots ON bree.accounts (created_ms DESC, id DESC) WHERE bot;
ALTER TABLE bree.names ADD COLUMN until_ms BIGINT DEFAULT 0 NOT NULL;
CREATE INDEX names_by_until ON bree.names (until_ms) WHERE until_ms > 0;
CREATE TABLE bree.freed_names (
  mark TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (mark)
);
CREATE INDEX ratings_by_player ON bree.ratings (player);
"""

WAYS_IN = """
CREATE TABLE bree.tokens (
  account TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  token_hash TEXT COLLATE "C" NOT NULL,
  created_ms BIGINT NOT NULL,
  used_ms BIGINT NOT NULL,
  PRIMARY KEY (account, id),
  FOREIGN KEY(account) REFERENCES bree.accounts (id)
);
CREATE TABLE bree.recovery_codes (
  account TEXT COLLATE "C" NOT NULL,
  code TEXT COLLATE "C" NOT NULL,
  created_ms BIGINT NOT NULL,
  PRIMARY KEY (account, code),
  FOREIGN KEY(account) REFERENCES bree.accounts (id)
);
CREATE INDEX recovery_codes_by_code ON bree.recovery_codes (code);
CREATE TABLE bree.passkeys (
  id TEXT COLLATE "C" NOT NULL,
  account TEXT COLLATE "C" NOT NULL,
  public_key BYTEA NOT NULL,
  sign_count BIGINT NOT NULL,
  name TEXT NOT NULL,
  transports TEXT NOT NULL,
  created_ms BIGINT NOT NULL,
  used_ms BIGINT NOT NULL,
  eligible BOOLEAN DEFAULT false NOT NULL,
  backed_up BOOLEAN DEFAULT false NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY(account) REFERENCES bree.accounts (id)
);
CREATE INDEX passkeys_by_account ON bree.passkeys (account);
CREATE TABLE bree.identities (
  issuer TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  account TEXT COLLATE "C" NOT NULL,
  label TEXT NOT NULL,
  created_ms BIGINT NOT NULL,
  used_ms BIGINT NOT NULL,
  PRIMARY KEY (issuer, subject),
  FOREIGN KEY(account) REFERENCES bree.accounts (id)
);
CREATE INDEX identities_by_account ON bree.identities (account);
CREATE TABLE bree.addresses (
  address TEXT COLLATE "C" NOT NULL,
  account TEXT COLLATE "C" NOT NULL,
  created_ms BIGINT NOT NULL,
  PRIMARY KEY (address),
  FOREIGN KEY(account) REFERENCES bree.accounts (id)
);
CREATE UNIQUE INDEX addresses_by_account ON bree.addresses (account);
"""

DESK = """
CREATE TABLE bree.reports (
  id BIGINT GENERATED ALWAYS AS IDENTITY,
  at_ms BIGINT NOT NULL,
  by_account TEXT COLLATE "C" NOT NULL,
  about TEXT COLLATE "C" NOT NULL,
  match TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  text TEXT NOT NULL,
  closed_ms BIGINT DEFAULT 0 NOT NULL,
  closed_by TEXT DEFAULT '' NOT NULL,
  verdict TEXT DEFAULT '' NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX reports_open ON bree.reports (id) WHERE closed_ms = 0;
CREATE INDEX reports_by_about ON bree.reports (about, id DESC);
CREATE INDEX reports_by_author ON bree.reports (by_account, at_ms DESC);
CREATE TABLE bree.notices (
  id BIGINT GENERATED ALWAYS AS IDENTITY,
  at_ms BIGINT NOT NULL,
  until_ms BIGINT NOT NULL,
  account TEXT COLLATE "C" DEFAULT '' NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  match TEXT COLLATE "C" DEFAULT '' NOT NULL,
  text TEXT NOT NULL,
  why TEXT DEFAULT '' NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX notices_by_account ON bree.notices (account, until_ms);
"""

RESULTS = """
CREATE TABLE bree.results (
  match TEXT COLLATE "C" NOT NULL,
  seat TEXT COLLATE "C" NOT NULL,
  side TEXT COLLATE "C" NOT NULL,
  account TEXT COLLATE "C" NOT NULL,
  player TEXT COLLATE "C" NOT NULL,
  game TEXT COLLATE "C" NOT NULL,
  pace TEXT COLLATE "C" NOT NULL,
  options TEXT COLLATE "C" NOT NULL,
  ended_ms BIGINT NOT NULL,
  length BIGINT NOT NULL,
  result TEXT COLLATE "C" NOT NULL,
  score BIGINT NOT NULL,
  rated BOOLEAN NOT NULL,
  PRIMARY KEY (match, seat),
  FOREIGN KEY(match) REFERENCES bree.matches (id)
);
CREATE INDEX results_by_account
  ON bree.results (account, ended_ms DESC, match DESC, seat DESC);
CREATE INDEX results_by_player
  ON bree.results (player, game, ended_ms DESC, match DESC, seat DESC);
CREATE INDEX results_by_game ON bree.results (game, ended_ms DESC, match DESC);
"""

ONLY_ADDED = "REVOKE UPDATE, DELETE, TRUNCATE ON bree.audit FROM CURRENT_USER;"
"""Whose tables these are may add to the audit log and read it, unless he gives himself more."""


def upgrade() -> None:
    """Add what is new; processes that know nothing of it go on beside it."""
    for script in (ACCOUNTS, WAYS_IN, DESK, RESULTS, ONLY_ADDED):
        op.execute(script)
