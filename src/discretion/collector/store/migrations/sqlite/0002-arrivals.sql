-- How many reports were accepted on a day, in UTC; with the order of positions, the day of each.
CREATE TABLE arrivals (
    plan INTEGER NOT NULL,
    round INTEGER NOT NULL,
    day TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (plan, round, day)
);
