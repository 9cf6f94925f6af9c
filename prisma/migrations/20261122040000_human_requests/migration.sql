-- What agents ask of people: a question, or leave to carry out a call. A row is written when it is asked and once more when
-- it is decided; room is left in the page, and only what is asked by is indexed.
CREATE TABLE state.human_requests (
  project_id        text NOT NULL,
  request_id        text NOT NULL,
  kind              text NOT NULL CHECK (kind IN ('question', 'approval')),
  agent_id          text NOT NULL,
  agent_turn_id     text NOT NULL,
  root_turn_id      text NOT NULL,
  turn_epoch        bigint NOT NULL,
  step_id           text,
  -- One call asks once, however often it is made.
  tool_call_id      text NOT NULL,
  tool_call_card_id text,
  tool_name         text NOT NULL,
  -- {question, details?} of a question.
  question          jsonb,
  choices           jsonb,
  -- Of an approval: what the model called with, and the schema that an edit has to fit.
  arguments         jsonb,
  parameters        jsonb,
  status            text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'answered', 'approved', 'denied', 'expired', 'dropped')),
  decided_by        text,
  answer            jsonb,
  edited_arguments  jsonb,
  reason            text,
  decision_card_id  text,
  deadline_at       timestamptz,
  rev               bigint NOT NULL DEFAULT 1,
  created_at        timestamptz NOT NULL DEFAULT now(),
  decided_at        timestamptz,
  PRIMARY KEY (project_id, request_id),
  UNIQUE (project_id, tool_call_id),
  FOREIGN KEY (project_id, agent_turn_id) REFERENCES state.agent_turns (project_id, agent_turn_id) ON DELETE CASCADE,
  CHECK ((status = 'open') = (decided_at IS NULL)),
  CHECK (kind = 'question' OR status <> 'answered'),
  CHECK (kind = 'approval' OR status NOT IN ('approved', 'denied')),
  CHECK (status NOT IN ('answered', 'approved', 'denied') OR decided_by IS NOT NULL)
) WITH (fillfactor = 70);

CREATE INDEX human_requests_open ON state.human_requests (project_id, created_at, request_id) WHERE status = 'open';
CREATE INDEX human_requests_of_turn ON state.human_requests (project_id, agent_turn_id);
CREATE INDEX human_requests_due ON state.human_requests (deadline_at) WHERE status = 'open' AND deadline_at IS NOT NULL;
