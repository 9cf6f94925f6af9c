// What `npm test` runs a second time, on Node 24. Between versions of Node the runtime differs: streams, sockets, timers,
// threads, processes, HTTP, compression. SQL and verbs do not, and running all of them twice took nine minutes. The unit tests
// of the server and its tools run in full, those of pure code (the browser's, the contract) do not. Of the database tests only
// those of these rooms do; add a room here when it begins to use one of these. Left out of a room is what uses the same part of
// the runtime as another test of it, and is about what our own code or the database does with it: a third of the time. That the
// product starts, embedded Postgres and all, is told by server/embedded and scripts/worker.pg.test.ts.
import fs from "node:fs";
import path from "node:path";

export type Room = {
  /** A folder with all below it, or a file. */
  at: string;
  /** What of the runtime it uses. */
  uses: string;
  /** Files of the room that would tell nothing new there. */
  without?: string[];
};

export const rooms: Room[] = [
  {
    at: "scripts",
    uses: "child processes, signals and exit codes",
    // Its exit codes and words are ours.
    without: ["scripts/import.pg.test.ts"],
  },
  { at: "server/embedded", uses: "Postgres as a child process, lock files" },
  {
    at: "server/backup",
    uses: "streams between child processes, files and Postgres, compression",
    // When the next one is due and which go, with the same streams.
    without: ["server/backup/repeat-backups.pg.test.ts"],
  },
  { at: "server/migrate.pg.test.ts", uses: "WebAssembly in a child process" },
  { at: "server/doorbell", uses: "sockets that break and reconnect, timers" },
  { at: "server/pooler.pg.test.ts", uses: "the database driver's sockets through another program" },
  { at: "server/kernel/read-timeout.pg.test.ts", uses: "sockets that fall silent, timers" },
  { at: "server/kernel/journal/journal.pg.test.ts", uses: "the tail: async iterators, aborts, timers" },
  { at: "server/kernel/artifacts", uses: "streams of bytes, hashes" },
  {
    at: "server/worker",
    uses: "fetch, server-sent events, aborts, MCP over HTTP and pipes, child processes",
    // Their subject is what the database holds afterwards.
    without: [
      "server/worker/faults.pg.test.ts",
      "server/worker/loop.pg.test.ts",
      "server/worker/recovery.pg.test.ts",
      "server/worker/side-by-side.pg.test.ts",
      "server/worker/deep-answers.pg.test.ts",
      "server/worker/humans.pg.test.ts",
      "server/worker/planner-run.pg.test.ts",
      "server/worker/preview-is-sent.pg.test.ts",
      "server/worker/step.pg.test.ts",
      // The transports are those of mcp.pg.test.ts.
      "server/worker/tools/mcp-resources.pg.test.ts",
    ],
  },
  {
    at: "server/interop/importers",
    uses: "a thread that parses files, streams of requests",
    without: [
      // How our own reader slices its work.
      "server/interop/importers/loop-delay.pg.test.ts",
      // What becomes of what was read: the thread and the streams are those of long-log.pg.test.ts.
      "server/interop/importers/import-files.pg.test.ts",
      "server/interop/importers/import-run.pg.test.ts",
      "server/interop/importers/transcript.pg.test.ts",
    ],
  },
  { at: "server/interop/sign-in", uses: "HTTP headers and addresses of connections, crypto" },
  { at: "server/interop/rest/rest.pg.test.ts", uses: "every route: Request, Response, URL" },
  { at: "server/interop/rest/heavy-bodies.pg.test.ts", uses: "bodies that are read in parts and given up" },
  { at: "server/interop/rest/large-cards.pg.test.ts", uses: "JSON of many MiB" },
  { at: "server/interop/rest/call-once.pg.test.ts", uses: "requests that break off" },
  { at: "server/interop/rest/python-worker.pg.test.ts", uses: "an HTTP server with a foreign client" },
  { at: "server/interop/rest/waiting.pg.test.ts", uses: "responses that stay open, timers" },
];

/** The database tests of `room`, as paths from `root`. Throws if there are none: a room that moved must not be lost. */
export function testsOf({ at, without = [] }: Room, root: string): string[] {
  const full = path.join(root, at);
  if (!fs.existsSync(full)) throw new Error(`${at} not found. Correct scripts/node24-rooms.ts.`);
  const below = fs.statSync(full).isDirectory()
    ? fs.readdirSync(full, { recursive: true, encoding: "utf8" }).map((file) => path.posix.join(at, file))
    : [at];
  const all = below.filter((file) => file.endsWith(".pg.test.ts"));
  const unknown = without.filter((file) => !all.includes(file));
  if (unknown.length > 0) throw new Error(`${at}: ${unknown.join(", ")} not found. Correct scripts/node24-rooms.ts.`);
  const tests = all.filter((file) => !without.includes(file)).sort();
  if (tests.length === 0) throw new Error(`${at} has no database test. Correct scripts/node24-rooms.ts.`);
  return tests;
}
