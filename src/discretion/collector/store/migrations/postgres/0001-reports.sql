CREATE TABLE plans (
    plan INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    bytes BYTEA NOT NULL
);
-- A body of NULL is a tombstone: the report was deleted, and its id stays taken.
CREATE TABLE reports (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    id BYTEA NOT NULL,
    body BYTEA,
    UNIQUE (plan, round, id)
);
CREATE TABLE rounds (
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    state TEXT NOT NULL,
    closed_on TEXT,
    PRIMARY KEY (plan, round)
);
-- The aggregate of all reports up to a position; the revision changes with every deletion.
CREATE TABLE snapshots (
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    position BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    aggregate TEXT,
    PRIMARY KEY (plan, round)
);
CREATE TABLE counters (
    plan INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (plan, outcome, reason)
);
CREATE TABLE marks (
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    mark BYTEA NOT NULL,
    PRIMARY KEY (plan, round, mark)
);
CREATE TABLE tokens (
    name TEXT PRIMARY KEY,
    hash BYTEA NOT NULL UNIQUE,
    roles TEXT NOT NULL
);
CREATE TABLE acts (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    act TEXT NOT NULL,
    detail TEXT NOT NULL
);
