-- The published results of a round: the last version, and what earlier ones counted.
-- A round is looked at once a day, and when its state changes: checked and state are of the last time.
CREATE TABLE results (
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    checked TEXT NOT NULL,
    state TEXT NOT NULL,
    version INTEGER NOT NULL,
    history TEXT NOT NULL,
    document TEXT,
    PRIMARY KEY (plan, round)
);
