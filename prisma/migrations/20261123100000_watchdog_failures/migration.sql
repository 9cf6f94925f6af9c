-- Rows that break a rule of the watchdog, each with how often, why, and when it is tried again: it is left aside until then,
-- and stops no other row, rule or project.
CREATE TABLE state.watchdog_failures (
  project_id    text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  rule          text NOT NULL,
  row_key       text NOT NULL,
  attempts      integer NOT NULL DEFAULT 1,
  error_code    text NOT NULL,
  last_error    text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at  timestamptz NOT NULL DEFAULT now(),
  next_try_at   timestamptz NOT NULL,
  PRIMARY KEY (project_id, rule, row_key)
);
CREATE INDEX watchdog_failures_newest ON state.watchdog_failures (last_seen_at);
