-- What must hold between rows is looked at once a day, a few thousand rows at a time: references that no foreign key keeps, and
-- what several rows say of one thing. This is how far the watchdogs have come, and what they found.
CREATE TABLE state.row_checks (
  is_one     boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  round      bigint NOT NULL DEFAULT 1,
  -- The rule that is looked at, and the last row of it; null = from its first.
  rule       text,
  after_project text,
  after_key  text,
  rows       bigint NOT NULL DEFAULT 0,
  began_at   timestamptz NOT NULL DEFAULT now(),
  ended_at   timestamptz
);

CREATE TABLE state.row_findings (
  project_id text NOT NULL,
  rule       text NOT NULL,
  row_key    text NOT NULL,
  what       text NOT NULL,
  round      bigint NOT NULL,
  found_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, rule, row_key)
);
