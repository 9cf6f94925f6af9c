-- One row a process, written every few seconds: whether a commit is confirmed is known by making one.
CREATE TABLE state.write_proofs (
  process    text PRIMARY KEY,
  written_at timestamptz NOT NULL DEFAULT now()
);

-- What each unit of a request with a key answered, written by the unit itself: a key is never ahead of its write, nor behind it.
-- Named by the unit's first statement, and numbered where a request makes several of that name. `result` is JSON text.
CREATE TABLE state.kept_results (
  project_id   text NOT NULL,
  key          text NOT NULL,
  unit         text NOT NULL,
  n            integer NOT NULL,
  request_hash text NOT NULL,
  result       text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, key, unit, n)
);
