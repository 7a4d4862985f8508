-- Codes with which one report each may be sent; of a code only the SHA-256 is kept.
-- The id of the plan is that of a survey which may be collected later, as with tokens.
CREATE TABLE invitations (
    hash BYTEA PRIMARY KEY,
    plan TEXT NOT NULL,
    list TEXT NOT NULL,
    state TEXT NOT NULL
);
CREATE INDEX invitations_by_list ON invitations (plan, list, state);
