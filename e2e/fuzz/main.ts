// `npm run fuzz -- --requests N --seed S`: every route and every procedure of the built web server gets valid and invalid
// input. No answer may be a 5xx or be missing, no request may block the event loop for a second, and a refused request must
// leave every row as it was. docs/testing.md explains the report.
import { METHODS } from "node:http";
import { parseArgs } from "node:util";
import pg from "pg";
import { randomOf } from "../chaos/random";
import { type Door, listDoors } from "./doors";
import { draw, type FuzzRequest } from "./requests";
import { changedIn, type Rows, readRows } from "./rows";
import { type Answer, send } from "./send";
import { type FuzzServer, startServer } from "./server";
import { setStage } from "./stage";
import type { Known } from "./values";

const heldMsMax = 1_000;
const readsAtOnce = 8;
const recentMax = 24;
const shownMax = 40;

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "2000" },
    seed: { type: "string" },
    /** Uses the web server that is built, even if the sources have changed since. */
    "any-build": { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});
const total = Number(values.requests);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));

const faults: string[] = [];
const counts = new Map<string, number>();
/** Refused, but only by the database: the contract should have named the field. */
const gaps = new Map<string, string>();
const met = new Set<string>();
const server = await startServer({ anyBuild: values["any-build"] });
const pool = new pg.Pool({ connectionString: server.database_url, max: 4 });
const started = Date.now();
let longestHeldMs = 0;
let longestHeldBy = "";
const recent: FuzzRequest[] = [];
try {
  const known = await setStage(server, pool);
  const doors = await listDoors(server.url);
  console.log(`seed ${seed}: ${total} requests at ${doors.length} doors`);
  await tryDoors(server, doors, known);
  const missed = doors.filter(({ name }) => !met.has(name)).map(({ name }) => name);
  // A door gets some ten requests on average; with fewer, some are left out by chance.
  if (missed.length > 0 && total >= doors.length * 12) faults.push(`never tried: ${missed.join(", ")}`);
} catch (error) {
  faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  await pool.end();
  if (faults.length > 0) console.error(server.log().slice(values.verbose ? -60_000 : -6_000));
  await server.stop();
}
report();
process.exit(faults.length > 0 ? 1 : 0);

async function tryDoors(at: FuzzServer, doors: Door[], known: Known): Promise<void> {
  const random = randomOf(seed);
  let rows = await readRows(pool);
  let reads: FuzzRequest[] = [];
  const flush = async () => {
    await Promise.all(reads.map(async (request) => judge(request, await send(at.port, request))));
    noteHeld(at, reads);
    reads = [];
  };
  for (let n = 0; n < total && at.isAlive(); n++) {
    const request = draw(doors, random, known);
    met.add(request.door);
    if (!request.isMutation) {
      reads.push(request);
      if (reads.length >= readsAtOnce) await flush();
      continue;
    }
    await flush();
    const answer = await send(at.port, request);
    judge(request, answer);
    rows = await refuseTraces(request, answer, rows);
    noteHeld(at, [request]);
  }
  await flush();
  if (!at.isAlive()) faults.push("the web server ended");
}

function judge(request: FuzzRequest, answer: Answer): void {
  const { status, fault } = answer;
  const key = fault ?? `${Math.floor(status / 100)}xx`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  if (values.verbose && answer.ms > 1_000) console.log(`${answer.ms} ms: ${shown(request, answer)}`);
  if (answer.text.includes("a value cannot be stored: ")) gaps.set(request.door, answer.text.slice(0, 200));
  if (fault) faults.push(`${fault}: ${shown(request, answer)}`);
  else if (status >= 500) faults.push(`${status}: ${shown(request, answer)}`);
  else if (status >= 400 && isInterface(request)) judgeForm(request, answer);
}

function isInterface({ target }: FuzzRequest): boolean {
  return /^\/api\/(v1|trpc)\//.test(target);
}

/** Every refusal has a code and says what is wrong. */
function judgeForm(request: FuzzRequest, answer: Answer): void {
  // Node's parser answers unknown HTTP methods and lines above 16 kB, without a body.
  if (!METHODS.includes(request.method) || answer.status === 431) return;
  if (request.method === "HEAD" || answer.text.length >= 4_000) return;
  if (/"error_code":"[a-z_]+"/.test(answer.text) && /"(error_)?message":"/.test(answer.text)) return;
  faults.push(`a refusal without code and message: ${shown(request, answer)}`);
}

async function refuseTraces(request: FuzzRequest, answer: Answer, before: Rows): Promise<Rows> {
  const after = await readRows(pool);
  const isRefused = answer.status >= 400;
  const changed = changedIn(before, after);
  if (isRefused && changed.length > 0)
    faults.push(`refused, and yet ${changed.join(", ")} changed: ${shown(request, answer)}`);
  return after;
}

function noteHeld(at: FuzzServer, requests: FuzzRequest[]): void {
  // The delay is reported twice a second, so an earlier request may have caused it.
  recent.push(...requests);
  recent.splice(0, recent.length - recentMax);
  const { ms: held, during } = at.held();
  if (held > longestHeldMs) {
    longestHeldMs = held;
    const sent = recent.map(({ door, body }) => `${door} (${body?.length ?? 0})`).join("; ");
    longestHeldBy = `being answered: ${during.join("; ") || "none"}; sent lately: ${sent}`;
  }
  if (held > heldMsMax) faults.push(`the event loop was held ${Math.round(held)} ms, ${longestHeldBy}`);
}

function shown({ door, target, body }: FuzzRequest, { status, text }: Answer): string {
  return `${door}\n    ${target.slice(0, 300)}\n    ${(body ?? "").slice(0, 500)}\n    -> ${status} ${text.slice(0, 400)}`;
}

function report(): void {
  for (const fault of faults.slice(0, shownMax)) console.log(`FAULT ${fault}`);
  if (faults.length > shownMax) console.log(`... and ${faults.length - shownMax} more`);
  for (const [door, text] of gaps)
    console.log(`GAP the database refused what the contract had let through: ${door}: ${text}`);
  const seconds = Math.round((Date.now() - started) / 1000);
  const said = [...counts].sort().map(([key, n]) => `${n} ${key}`);
  console.log(
    `seed ${seed}: ${said.join(", ")} in ${seconds} s; event loop held ${Math.round(longestHeldMs)} ms at most (${longestHeldBy}), ${Math.round(server.loadingMs)} ms while its code was loaded; ${faults.length} faults`,
  );
}
