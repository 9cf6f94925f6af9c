-- A query that people of a project keep under a name, with the page that it is asked on.
CREATE TABLE resource.saved_views (
  project_id text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  name       text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
  page       text NOT NULL CHECK (page IN ('search', 'cards', 'yard')),
  query      text NOT NULL CHECK (char_length(query) BETWEEN 1 AND 1000),
  saved_by   text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, name)
);
