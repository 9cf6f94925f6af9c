-- The bytes of a request are kept once, not once a step: a step keeps what is new beside an earlier step of its turn. Eight steps of a
-- growing context of 400 kB used to keep every byte of it eight times.

-- Where `request_base` is set, the request is the first `request_start` bytes of that step's, then request_bytes, then the last
-- `request_end` bytes of that step's. `request_size`: of the whole. `request_hops`: how many steps lie between it and one that is whole.
ALTER TABLE state.agent_steps
  ADD COLUMN request_base text,
  ADD COLUMN request_start integer,
  ADD COLUMN request_end integer,
  ADD COLUMN request_size integer,
  ADD COLUMN request_hops integer,
  ADD CONSTRAINT agent_steps_request_check CHECK (
    request_base IS NULL OR (request_start >= 0 AND request_end >= 0 AND request_size >= request_start + request_end AND request_hops > 0));

-- How many bytes at the start are the same, and at the end, of at most `most`.
CREATE FUNCTION state.same_start(a bytea, b bytea) RETURNS integer LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  low integer := 0;
  high integer := least(octet_length(a), octet_length(b));
  mid integer;
BEGIN
  WHILE low < high LOOP
    mid := (low + high + 1) / 2;
    IF substr(a, low + 1, mid - low) = substr(b, low + 1, mid - low) THEN low := mid; ELSE high := mid - 1; END IF;
  END LOOP;
  RETURN low;
END $$;

CREATE FUNCTION state.same_end(a bytea, b bytea, most integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  of_a integer := octet_length(a);
  of_b integer := octet_length(b);
  low integer := 0;
  high integer := least(of_a, of_b, most);
  mid integer;
BEGIN
  WHILE low < high LOOP
    mid := (low + high + 1) / 2;
    IF substr(a, of_a - mid + 1, mid - low) = substr(b, of_b - mid + 1, mid - low) THEN low := mid; ELSE high := mid - 1; END IF;
  END LOOP;
  RETURN low;
END $$;

-- The bytes as they were sent. Null: there are none, or they were erased.
CREATE FUNCTION state.request_of(project text, step text) RETURNS bytea LANGUAGE plpgsql STABLE STRICT AS $$
DECLARE
  next text := step;
  part record;
  parts bytea[] := '{}';
  starts integer[] := '{}';
  ends integer[] := '{}';
  whole bytea;
BEGIN
  WHILE next IS NOT NULL LOOP
    SELECT s.request_bytes, s.request_base, s.request_start, s.request_end INTO part
      FROM state.agent_steps s WHERE s.project_id = project AND s.step_id = next;
    IF NOT FOUND OR part.request_bytes IS NULL OR cardinality(parts) > 64 THEN RETURN NULL; END IF;
    parts := parts || part.request_bytes;
    starts := starts || coalesce(part.request_start, 0);
    ends := ends || coalesce(part.request_end, 0);
    next := part.request_base;
  END LOOP;
  whole := parts[cardinality(parts)];
  FOR at IN REVERSE cardinality(parts) - 1 .. 1 LOOP
    whole := substr(whole, 1, starts[at]) || parts[at] || substr(whole, octet_length(whole) - ends[at] + 1);
  END LOOP;
  RETURN whole;
END $$;
