// pg-boss and graphile-worker know jobs, not joins: a row a child and a row a fork stand in for one, in the manner of
// a counter. A job that is delivered twice is counted once.
import pg from "pg";

const TABLES = `
  CREATE TABLE IF NOT EXISTS join_row (fork_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, open int NOT NULL, joined_at timestamptz);
  CREATE TABLE IF NOT EXISTS join_result (fork_id bigint, n int, result jsonb, PRIMARY KEY (fork_id, n));`;

const END = `
  WITH ended AS (
    INSERT INTO join_result (fork_id, n, result)
    SELECT fork_id, n, jsonb_build_object('n', n) FROM unnest($1::bigint[], $2::int[]) AS e (fork_id, n)
    ON CONFLICT DO NOTHING RETURNING fork_id
  ), counted AS (SELECT fork_id, count(*)::int AS count FROM ended GROUP BY fork_id)
  UPDATE join_row SET open = open - count, joined_at = CASE WHEN open = count THEN now() END
  FROM counted WHERE join_row.fork_id = counted.fork_id
  RETURNING join_row.fork_id, open`;

export type Child = { fork_id: string; n: number };

export type JoinRows = {
  begin: (n: number) => Promise<{ children: Child[]; joined: Promise<void> }>;
  /** Results and count in one statement. */
  end: (children: Child[]) => Promise<void>;
  close: () => Promise<void>;
};

export async function openJoinRows(url: string): Promise<JoinRows> {
  const pool = new pg.Pool({ connectionString: url, max: 24 });
  await pool.query(TABLES);
  const waiting = new Map<string, () => void>();
  return {
    begin: async (n) => {
      const text = "INSERT INTO join_row (open) VALUES ($1) RETURNING fork_id";
      const { rows } = await pool.query<{ fork_id: string }>({ name: "begin", text, values: [n] });
      const fork_id = rows[0]?.fork_id ?? "";
      const joined = new Promise<void>((resolve) => waiting.set(fork_id, resolve));
      return { children: Array.from({ length: n }, (_, i) => ({ fork_id, n: i })), joined };
    },
    end: async (children) => {
      const values = [children.map((child) => child.fork_id), children.map((child) => child.n)];
      const { rows } = await pool.query<{ fork_id: string; open: number }>({ name: "end", text: END, values });
      for (const { fork_id } of rows.filter((row) => row.open === 0)) {
        waiting.get(fork_id)?.();
        waiting.delete(fork_id);
      }
    },
    close: () => pool.end(),
  };
}
