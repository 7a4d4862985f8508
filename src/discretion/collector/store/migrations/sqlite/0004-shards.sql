-- A file has one writer, so it has one shard; the same statements serve databases with several.
ALTER TABLE reports ADD COLUMN shard INTEGER GENERATED ALWAYS AS (0) VIRTUAL;
-- The newest position of each shard.
CREATE VIEW shards AS SELECT
    0 AS shard,
    COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'reports'), 0) AS position;
-- The positions up to which a snapshot counts, one for each shard, as a list in JSON.
ALTER TABLE snapshots ADD COLUMN positions TEXT NOT NULL DEFAULT '[0]';
UPDATE snapshots SET positions = '[' || position || ']';
ALTER TABLE snapshots DROP COLUMN position;
-- Counts are kept for each shard, and summed when they are read.
ALTER TABLE counters RENAME TO counters_before;
CREATE TABLE counters (
    plan INTEGER NOT NULL,
    shard INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (plan, shard, outcome, reason)
);
INSERT INTO counters SELECT plan, 0, outcome, reason, count FROM counters_before;
DROP TABLE counters_before;
ALTER TABLE arrivals RENAME TO arrivals_before;
CREATE TABLE arrivals (
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    shard INTEGER NOT NULL,
    day TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (plan, round, shard, day)
);
INSERT INTO arrivals SELECT plan, round, 0, day, count FROM arrivals_before;
DROP TABLE arrivals_before;
ALTER TABLE removals RENAME TO removals_before;
CREATE TABLE removals (
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    shard INTEGER NOT NULL,
    position INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (plan, round, shard, position)
) WITHOUT ROWID;
INSERT INTO removals SELECT plan, round, 0, position, body FROM removals_before;
DROP TABLE removals_before;
