-- How many reports were accepted on a day, in UTC: of one report no time is kept.
CREATE TABLE arrivals (
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    day TEXT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (plan, round, day)
);
