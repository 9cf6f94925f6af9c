// The statements that a pool sends, with their values, as they are sent. Before its first connection.
import type pg from "pg";

export type Sent = { name?: string; text: string; values: unknown[] };
export type Capture = { take: () => Sent[] };

export function captureOf(pool: pg.Pool): Capture {
  let sent: Sent[] = [];
  const note = (query: unknown, values: unknown) => {
    if (typeof query === "string") sent.push({ text: query, values: Array.isArray(values) ? values : [] });
    else if (query !== null && typeof query === "object" && "text" in query) {
      const one = query as { name?: string; text: string; values?: unknown[] };
      sent.push({ name: one.name, text: one.text, values: one.values ?? (Array.isArray(values) ? values : []) });
    }
  };
  pool.on("connect", (client) => {
    const query = client.query.bind(client);
    client.query = ((...args: Parameters<typeof query>) => {
      note(args[0], (args as unknown[])[1]);
      return query(...args);
    }) as typeof client.query;
  });
  return {
    take: () => {
      const taken = sent;
      sent = [];
      return taken;
    },
  };
}
