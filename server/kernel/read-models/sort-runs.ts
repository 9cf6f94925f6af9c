// Puts the lines of runs in the order that is asked for, and says where a page of them goes on. Pure.
import { KernelError } from "@/server/contract/errors";
import type { RunLine } from "@/server/contract/run-list";
import { type RunOrder, type RunSort, runSorts, runStatuses } from "@/server/contract/run-order";

type Value = number | string | null;
/** A line by what decides its place. */
type Key = { value: Value; begun: string; id: string };
export type RunsAfter = Key & { order: RunOrder };

const figureOf: Record<RunSort, (line: RunLine, now_ms: number) => Value> = {
  begun: ({ created_at }) => created_at,
  status: ({ status }) => runStatuses.indexOf(status),
  title: ({ title }) => title.toLowerCase(),
  who: ({ who }) => who.toLowerCase(),
  duration: ({ created_at, ended_at, is_untimed }, now_ms) =>
    is_untimed ? null : (ended_at === undefined ? now_ms : Date.parse(ended_at)) - Date.parse(created_at),
  turns: ({ turns }) => turns,
  failed: ({ failed }) => failed,
  tokens: ({ tokens }) => tokens,
  cost: ({ cost }) => cost ?? null,
  alarms: ({ alarms }) => alarms,
};

export type SortRuns = { order: RunOrder; now_ms: number; after: RunsAfter | null; limit: number };
export type SortedRuns = { items: RunLine[]; next?: RunsAfter };

export function sortRuns(lines: readonly RunLine[], { order, now_ms, after, limit }: SortRuns): SortedRuns {
  const sort = sortOf(order);
  const compare = comparing(order.startsWith("-"));
  const keyed = lines.map((line) => {
    const key: Key = { value: figureOf[sort](line, now_ms), begun: line.created_at, id: line.root_turn_id };
    return { line, key };
  });
  const rest = keyed
    .filter(({ key }) => after === null || compare(after, key) < 0)
    .sort((a, b) => compare(a.key, b.key));
  const page = rest.slice(0, limit);
  const last = rest.length > limit ? page.at(-1) : undefined;
  return { items: page.map(({ line }) => line), ...(last && { next: { ...last.key, order } }) };
}

/** What is not known comes last both ways; among equals the newest comes first. */
const comparing =
  (isDown: boolean) =>
  (a: Key, b: Key): number => {
    if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1;
    const by = compareValues(a.value, b.value);
    if (by !== 0) return isDown ? -by : by;
    return compareValues(b.begun, a.begun) || compareValues(b.id, a.id);
  };

const compareValues = (a: Value, b: Value): number => (a === b || a === null || b === null ? 0 : a < b ? -1 : 1);

const sortOf = (order: RunOrder): RunSort => {
  const name = order.replace(/^-/, "");
  const sort = runSorts.find((one) => one === name);
  if (sort === undefined) throw new Error(`${order} is no order of runs`);
  return sort;
};

export const formatRunsAfter = (project_id: string, { order, value, begun, id }: RunsAfter): string =>
  Buffer.from(JSON.stringify([project_id, order, value, begun, id])).toString("base64url");

/** null without a cursor; bad_request for one of another list. */
export function parseRunsAfter(project_id: string, order: RunOrder, cursor: string | undefined): RunsAfter | null {
  if (cursor === undefined) return null;
  const [project, by, value, begun, id] = partsOf(cursor);
  const isValue = value === null || typeof value === "number" || typeof value === "string";
  if (project !== project_id || by !== order || !isValue || typeof begun !== "string" || typeof id !== "string")
    throw new KernelError(
      "bad_request",
      "cursor: not a cursor of this list. Leave it out to start from the beginning.",
    );
  return { order, value, begun, id };
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    // The refusal of the caller says it: what is no JSON is no cursor.
    return [];
  }
}
