-- The newest position of each shard. Whoever writes in a shard locks its row until the commit.
CREATE TABLE shards (
    shard INTEGER PRIMARY KEY,
    position BIGINT NOT NULL
);
INSERT INTO shards SELECT shard, GREATEST(
    (SELECT max(position) FROM reports),
    (SELECT max(position) FROM removals),
    (SELECT max(position) FROM snapshots),
    0
) FROM generate_series(0, 7) AS shard;
-- One partition for each shard of a round: reports_PLAN_ROUND_SHARD.
ALTER TABLE reports RENAME TO reports_before;
CREATE TABLE reports (
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    shard INTEGER NOT NULL,
    id BYTEA NOT NULL,
    position BIGINT NOT NULL,
    body BYTEA,
    CONSTRAINT reports_once PRIMARY KEY (plan, round, shard, id)
) PARTITION BY RANGE (plan, round, shard);
CREATE INDEX reports_by_position ON reports (position);
DO $$
DECLARE own RECORD;
BEGIN
    FOR own IN SELECT plan, round, shard FROM rounds, shards WHERE state <> 'cleared' LOOP
        EXECUTE format(
            'CREATE TABLE reports_%1$s_%2$s_%3$s PARTITION OF reports'
            ' FOR VALUES FROM (%1$s, %2$s, %3$s) TO (%1$s, %2$s, %4$s)',
            own.plan, own.round, own.shard, own.shard + 1
        );
    END LOOP;
END $$;
-- Positions stay as they are: in the order of commits, within each shard too.
INSERT INTO reports (plan, round, shard, id, position, body)
SELECT plan, round, get_byte(id, 0) % 8, id, position, body
FROM reports_before JOIN rounds USING (plan, round) WHERE state <> 'cleared';
-- A report of a cleared round may have no row any more, and any shard will do for its removal.
ALTER TABLE removals ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
UPDATE removals SET shard = get_byte(reports_before.id, 0) % 8 FROM reports_before
WHERE reports_before.position = removals.position;
ALTER TABLE removals ALTER COLUMN shard DROP DEFAULT;
ALTER TABLE removals DROP CONSTRAINT removals_pkey;
ALTER TABLE removals ADD PRIMARY KEY (plan, round, shard, position);
DROP TABLE reports_before;
-- The positions up to which a snapshot counts, one for each shard, as a list in JSON.
ALTER TABLE snapshots ADD COLUMN positions TEXT;
UPDATE snapshots SET positions =
    '[' || array_to_string(array_fill(position, ARRAY[8]), ', ') || ']';
ALTER TABLE snapshots ALTER COLUMN positions SET NOT NULL;
ALTER TABLE snapshots DROP COLUMN position;
-- Counts are kept for each shard, and summed when they are read.
ALTER TABLE counters ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counters ALTER COLUMN shard DROP DEFAULT;
ALTER TABLE counters DROP CONSTRAINT counters_pkey;
ALTER TABLE counters ADD PRIMARY KEY (plan, shard, outcome, reason);
ALTER TABLE arrivals ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
ALTER TABLE arrivals ALTER COLUMN shard DROP DEFAULT;
ALTER TABLE arrivals DROP CONSTRAINT arrivals_pkey;
ALTER TABLE arrivals ADD PRIMARY KEY (plan, round, shard, day);
