// pg-boss and graphile-worker have jobs, but no joins: one row per fork and one result per child replace them. A job that is
// delivered twice is counted once.
import pg from "pg";

const TABLES = `
  CREATE TABLE IF NOT EXISTS join_row (fork_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, open int NOT NULL, joined_at timestamptz);
  CREATE TABLE IF NOT EXISTS join_result (fork_id bigint, n int, result jsonb, PRIMARY KEY (fork_id, n));`;

const END_MANY = `
  WITH ended AS (
    INSERT INTO join_result (fork_id, n, result)
    SELECT fork_id, n, jsonb_build_object('n', n) FROM unnest($1::bigint[], $2::int[]) AS e (fork_id, n)
    ON CONFLICT DO NOTHING RETURNING fork_id
  ), counted AS (SELECT fork_id, count(*)::int AS count FROM ended GROUP BY fork_id)
  UPDATE join_row SET open = open - count, joined_at = CASE WHEN open = count THEN now() END
  FROM counted WHERE join_row.fork_id = counted.fork_id
  RETURNING join_row.fork_id, open`;

// Two dozen jobs that end one by one and each decrement the same row wait for each other's commits: half as fast as this.
const END_ONE = `
  INSERT INTO join_result (fork_id, n, result) VALUES ($1, $2, jsonb_build_object('n', $2::int)) ON CONFLICT DO NOTHING`;
const JOIN = `
  UPDATE join_row SET joined_at = now()
  WHERE fork_id = $1 AND joined_at IS NULL AND open = (SELECT count(*) FROM join_result WHERE fork_id = $1)
  RETURNING fork_id`;

export type Child = { fork_id: string; n: number };

export type JoinRows = {
  begin: (n: number) => Promise<{ children: Child[]; joined: Promise<void> }>;
  /** Children that ended together: results and count in one statement. */
  endMany: (children: Child[]) => Promise<void>;
  endOne: (child: Child) => Promise<void>;
  close: () => Promise<void>;
};

export async function openJoinRows(url: string): Promise<JoinRows> {
  const pool = new pg.Pool({ connectionString: url, max: 24 });
  await pool.query(TABLES);
  const waiting = new Map<string, () => void>();
  const settle = (forkId: string): void => {
    waiting.get(forkId)?.();
    waiting.delete(forkId);
  };
  return {
    begin: async (n) => {
      const text = "INSERT INTO join_row (open) VALUES ($1) RETURNING fork_id";
      const { rows } = await pool.query<{ fork_id: string }>({ name: "begin", text, values: [n] });
      const fork_id = rows[0]?.fork_id ?? "";
      const joined = new Promise<void>((resolve) => waiting.set(fork_id, resolve));
      return { children: Array.from({ length: n }, (_, i) => ({ fork_id, n: i })), joined };
    },
    endMany: async (children) => {
      const values = [children.map((child) => child.fork_id), children.map((child) => child.n)];
      const { rows } = await pool.query<{ fork_id: string; open: number }>({ name: "many", text: END_MANY, values });
      for (const { fork_id, open } of rows) if (open === 0) settle(fork_id);
    },
    endOne: async ({ fork_id, n }) => {
      await pool.query({ name: "one", text: END_ONE, values: [fork_id, n] });
      const { rows } = await pool.query({ name: "join", text: JOIN, values: [fork_id] });
      if (rows.length > 0) settle(fork_id);
    },
    close: () => pool.end(),
  };
}
