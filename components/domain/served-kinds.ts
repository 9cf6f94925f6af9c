// What is asked about the rows of a list: each kind of turns once, in an order that does not change with theirs, and what is
// said of one that nobody takes. Pure.
import type { AskedOfWorkers } from "@/server/contract/health";

export type AskedAbout = AskedOfWorkers & { is_human?: boolean };

/** What one question holds; see the server's interface. */
const KINDS_MAX = 100;

export function kindsOf(shown: readonly AskedAbout[]): AskedOfWorkers[] {
  const kinds = new Map<string, AskedOfWorkers>();
  for (const { worker_target, needs_own_worker, is_human } of shown)
    if (!is_human) kinds.set(`${worker_target} ${needs_own_worker}`, { worker_target, needs_own_worker });
  return [...kinds]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, KINDS_MAX)
    .map(([, kind]) => kind);
}

/** `asked` is empty where the answer is one to an earlier question: what that one did not name is not known. */
export type UnservedAnswer = { unserved: readonly AskedOfWorkers[] | undefined; asked: readonly AskedOfWorkers[] };

/** Undefined while it is not known. */
export function isUnserved(one: AskedAbout, { unserved, asked }: UnservedAnswer): boolean | undefined {
  if (one.is_human) return false;
  if (unserved?.some((kind) => isSame(kind, one))) return true;
  return unserved !== undefined && asked.some((kind) => isSame(kind, one)) ? false : undefined;
}

const isSame = (a: AskedOfWorkers, b: AskedOfWorkers): boolean =>
  a.worker_target === b.worker_target && a.needs_own_worker === b.needs_own_worker;

/** Cause and remedy in one breath, for a title. */
export function unservedWords({ worker_target, needs_own_worker }: AskedOfWorkers): string {
  if (needs_own_worker)
    return `Names no model, so only a worker of this project that asks for ${worker_target} takes its turns, and none is there. Name a model in the profile, or start that worker (docs/workers.md).`;
  return `No worker takes turns for ${worker_target}. Start one: SWITCHYARD_WORKER_TARGETS=${worker_target} npm run worker`;
}
