// The least that a durable fork/join can cost on Postgres: two tables made only for this, one worker loop next to the
// caller, children claimed and ended sixteen at a time. Everything else is compared with this.
import pg from "pg";
import { createBell } from "@/server/worker/bell";
import type { OpenContender } from "./contender";

const CLAIM_LIMIT = 16;
const POLL_MS = 1_000;

const TABLES = `
  CREATE TABLE fork (fork_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, open int NOT NULL, joined_at timestamptz);
  CREATE TABLE child (
    fork_id bigint NOT NULL, n int NOT NULL, status text NOT NULL DEFAULT 'pending', result jsonb,
    PRIMARY KEY (fork_id, n)
  );
  CREATE INDEX child_pending ON child (fork_id, n) WHERE status = 'pending';`;

const FORK = `
  WITH born AS (INSERT INTO fork (open) VALUES ($1) RETURNING fork_id)
  INSERT INTO child (fork_id, n) SELECT fork_id, n FROM born, generate_series(1, $1) AS n RETURNING fork_id`;

const CLAIM = `
  UPDATE child SET status = 'running'
  WHERE (fork_id, n) IN (
    SELECT fork_id, n FROM child WHERE status = 'pending' ORDER BY fork_id, n LIMIT ${CLAIM_LIMIT} FOR UPDATE SKIP LOCKED)
  RETURNING fork_id, n`;

const COMPLETE = `
  WITH ended AS (
    UPDATE child SET status = 'success', result = e.result
    FROM unnest($1::bigint[], $2::int[], $3::jsonb[]) AS e (fork_id, n, result)
    WHERE child.fork_id = e.fork_id AND child.n = e.n AND child.status = 'running'
    RETURNING child.fork_id
  ), counted AS (SELECT fork_id, count(*)::int AS count FROM ended GROUP BY fork_id)
  UPDATE fork SET open = open - count, joined_at = CASE WHEN open = count THEN now() END
  FROM counted WHERE fork.fork_id = counted.fork_id
  RETURNING fork.fork_id, open`;

type Child = { fork_id: string; n: number };

export const openFloor: OpenContender = async (url) => {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const bell = createBell();
  const waiting = new Map<string, () => void>();
  const joined = new Set<string>();
  let isClosing = false;
  await pool.query(TABLES);

  const loop = (async () => {
    const client = await pool.connect();
    while (!isClosing) {
      bell.reset();
      const { rows } = await client.query<Child>({ name: "claim", text: CLAIM });
      if (rows.length === 0) {
        await bell.wait(POLL_MS);
        continue;
      }
      const results = rows.map(({ n }) => JSON.stringify({ n }));
      const values = [rows.map((row) => row.fork_id), rows.map((row) => row.n), results];
      const ended = await client.query<{ fork_id: string; open: number }>({ name: "complete", text: COMPLETE, values });
      for (const { fork_id, open } of ended.rows) if (open === 0) settle(fork_id);
    }
    client.release();
  })();

  // A fork may have joined before its caller has read the fork's number.
  function settle(forkId: string): void {
    const resolve = waiting.get(forkId);
    if (resolve) resolve();
    else joined.add(forkId);
    waiting.delete(forkId);
  }

  return {
    fork: async (n) => {
      const { rows } = await pool.query<{ fork_id: string }>({ name: "fork", text: FORK, values: [n] });
      bell.ring();
      const forkId = rows[0]?.fork_id ?? "";
      if (joined.delete(forkId)) return;
      await new Promise<void>((resolve) => waiting.set(forkId, resolve));
    },
    close: async () => {
      isClosing = true;
      bell.ring();
      await loop;
      await pool.end();
    },
  };
};
