CREATE TABLE plans (
    plan INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    bytes BLOB NOT NULL
);
-- A body of NULL is a tombstone: the report was deleted, and its id stays taken.
-- AUTOINCREMENT: a position that was counted once is never given to another report.
CREATE TABLE reports (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    id BLOB NOT NULL,
    body BLOB,
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
    position INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    aggregate TEXT,
    PRIMARY KEY (plan, round)
);
CREATE TABLE counters (
    plan INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (plan, outcome, reason)
);
CREATE TABLE marks (
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    mark BLOB NOT NULL,
    PRIMARY KEY (plan, round, mark)
) WITHOUT ROWID;
CREATE TABLE tokens (
    name TEXT PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    roles TEXT NOT NULL
);
CREATE TABLE acts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    act TEXT NOT NULL,
    detail TEXT NOT NULL
);
