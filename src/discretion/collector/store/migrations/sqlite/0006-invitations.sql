-- Codes with which one report each may be sent; of a code only the SHA-256 is kept.
-- The id of the plan is that of a survey which may be collected later, as with tokens.
CREATE TABLE invitations (
    hash BLOB PRIMARY KEY,
    plan TEXT NOT NULL,
    list TEXT NOT NULL,
    state TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX invitations_by_list ON invitations (plan, list, state);
