-- Reports that were deleted and are still part of a snapshot, until they are subtracted from it.
-- From here on the revision of a snapshot changes whenever the snapshot is replaced.
CREATE TABLE removals (
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    position INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (plan, round, position)
) WITHOUT ROWID;
