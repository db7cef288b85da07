"""The ledger as it begins."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None
branch_labels = depends_on = None

TABLES = """
CREATE TABLE bree.accounts (
  id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  first_name TEXT COLLATE "C" DEFAULT '' NOT NULL,
  guest BOOLEAN NOT NULL,
  created_ms BIGINT NOT NULL,
  token_hash TEXT COLLATE "C" NOT NULL,
  version BIGINT DEFAULT 1 NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE bree.audit (
  n BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  why TEXT NOT NULL,
  before TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (n)
);
CREATE TABLE bree.matches (
  id TEXT COLLATE "C" NOT NULL,
  game TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  created_ms BIGINT NOT NULL,
  ended_ms BIGINT NOT NULL,
  doc TEXT NOT NULL,
  settled TEXT COLLATE "C" DEFAULT '' NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX matches_by_time ON bree.matches (game, state, created_ms DESC, id DESC);
CREATE TABLE bree.outbox (
  id BIGINT GENERATED ALWAYS AS IDENTITY,
  kind TEXT COLLATE "C" NOT NULL,
  account TEXT COLLATE "C" DEFAULT '' NOT NULL,
  match TEXT COLLATE "C" DEFAULT '' NOT NULL,
  payload TEXT DEFAULT '' NOT NULL,
  at_ms BIGINT NOT NULL,
  tries INTEGER DEFAULT 0 NOT NULL,
  next_ms BIGINT DEFAULT 0 NOT NULL,
  delivered_ms BIGINT,
  PRIMARY KEY (id)
);
CREATE INDEX outbox_delivered ON bree.outbox (delivered_ms) WHERE delivered_ms IS NOT NULL;
CREATE INDEX outbox_waiting ON bree.outbox (id) WHERE delivered_ms IS NULL;
CREATE INDEX outbox_waiting_of ON bree.outbox (account, id) WHERE delivered_ms IS NULL;
CREATE TABLE bree.platform (
  one SMALLINT NOT NULL,
  word TEXT COLLATE "C" NOT NULL,
  store TEXT COLLATE "C" DEFAULT '' NOT NULL,
  serves BIGINT DEFAULT 1 NOT NULL,
  made_ms BIGINT NOT NULL,
  PRIMARY KEY (one)
);
CREATE TABLE bree.rating_history (
  game TEXT COLLATE "C" NOT NULL,
  player TEXT COLLATE "C" NOT NULL,
  match TEXT COLLATE "C" NOT NULL,
  at_ms BIGINT NOT NULL,
  version BIGINT NOT NULL,
  mu_before DOUBLE PRECISION NOT NULL,
  sigma_before DOUBLE PRECISION NOT NULL,
  ordinal_before DOUBLE PRECISION NOT NULL,
  mu DOUBLE PRECISION NOT NULL,
  sigma DOUBLE PRECISION NOT NULL,
  ordinal DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (game, player, match)
);
CREATE INDEX rating_history_by_match ON bree.rating_history (match);
CREATE INDEX rating_history_by_time ON bree.rating_history (game, player, at_ms DESC);
CREATE TABLE bree.ratings (
  game TEXT COLLATE "C" NOT NULL,
  player TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  matches BIGINT NOT NULL,
  mu DOUBLE PRECISION NOT NULL,
  sigma DOUBLE PRECISION NOT NULL,
  ordinal DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (game, player)
);
CREATE INDEX ratings_by_ordinal ON bree.ratings (game, ordinal DESC, player DESC);
CREATE TABLE bree.login_codes (
  account TEXT COLLATE "C" NOT NULL,
  code TEXT COLLATE "C" NOT NULL,
  until_ms BIGINT NOT NULL,
  PRIMARY KEY (account),
  FOREIGN KEY(account) REFERENCES bree.accounts (id)
);
CREATE INDEX login_codes_by_code ON bree.login_codes (code);
CREATE TABLE bree.names (
  name TEXT COLLATE "C" NOT NULL,
  account TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (name),
  FOREIGN KEY(account) REFERENCES bree.accounts (id)
);
CREATE INDEX ix_bree_names_account ON bree.names (account);
CREATE TABLE bree.notes (
  match TEXT COLLATE "C" NOT NULL,
  team TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  account TEXT COLLATE "C" NOT NULL,
  label TEXT NOT NULL,
  seat TEXT NOT NULL,
  text TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  request_id TEXT NOT NULL,
  PRIMARY KEY (match, team, number),
  FOREIGN KEY(match) REFERENCES bree.matches (id)
);
CREATE TABLE bree.records (
  match TEXT COLLATE "C" NOT NULL,
  record BYTEA NOT NULL,
  kept BYTEA NOT NULL,
  head TEXT COLLATE "C" NOT NULL,
  revision BIGINT NOT NULL,
  PRIMARY KEY (match),
  FOREIGN KEY(match) REFERENCES bree.matches (id)
);
CREATE TABLE bree.seats (
  account TEXT COLLATE "C" NOT NULL,
  match TEXT COLLATE "C" NOT NULL,
  created_ms BIGINT NOT NULL,
  game TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account, match),
  FOREIGN KEY(match) REFERENCES bree.matches (id)
);
CREATE INDEX seats_by_kind ON bree.seats (account, game, state, created_ms DESC, match DESC);
CREATE INDEX seats_by_match ON bree.seats (match);
CREATE INDEX seats_by_time ON bree.seats (account, created_ms DESC, match DESC);
CREATE TABLE bree.sessions (
  account TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  token_hash TEXT COLLATE "C" NOT NULL,
  created_ms BIGINT NOT NULL,
  used_ms BIGINT NOT NULL,
  device TEXT NOT NULL,
  PRIMARY KEY (account, id),
  FOREIGN KEY(account) REFERENCES bree.accounts (id)
);
"""

KEPT_APART = """
ALTER TABLE bree.records ALTER record SET STORAGE EXTERNAL;
ALTER TABLE bree.records ALTER kept SET STORAGE EXTERNAL;
"""
"""What is compressed already is not compressed again."""

AUDIT = """
CREATE FUNCTION bree.audit_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  latest bree.audit;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('bree.audit'));
  SELECT * INTO latest FROM bree.audit ORDER BY n DESC LIMIT 1;
  NEW.n := coalesce(latest.n, 0) + 1;
  NEW.before := coalesce(latest.hash, '');
  NEW.hash := encode(sha256(convert_to(
    json_build_array(NEW.n, NEW.at_ms, NEW.who, NEW.what, NEW.why, NEW.before)::text, 'UTF8'
  )), 'hex');
  RETURN NEW;
END $$;
CREATE TRIGGER chain BEFORE INSERT ON bree.audit
  FOR EACH ROW EXECUTE FUNCTION bree.audit_chain();
CREATE FUNCTION bree.audit_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what the audit log says is not changed' USING ERRCODE = 'BR001';
END $$;
CREATE TRIGGER stays BEFORE UPDATE OR DELETE OR TRUNCATE ON bree.audit
  FOR EACH STATEMENT EXECUTE FUNCTION bree.audit_stays();
"""

PLATFORM = """
INSERT INTO bree.platform (one, word, made_ms)
VALUES (1, replace(gen_random_uuid()::text, '-', ''), extract(epoch FROM now()) * 1000);
"""


def upgrade() -> None:
    """Make the tables, and the word by which this ledger is known."""
    for script in (TABLES, KEPT_APART, AUDIT, PLATFORM):
        op.execute(script)
