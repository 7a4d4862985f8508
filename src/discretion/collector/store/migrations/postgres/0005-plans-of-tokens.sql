-- The id of the plan that a token or an act is about; NULL: all plans of the store.
-- A token may be made before its plan is first collected, so it refers to no row of plans.
ALTER TABLE tokens ADD COLUMN plan TEXT;
ALTER TABLE acts ADD COLUMN plan TEXT;
