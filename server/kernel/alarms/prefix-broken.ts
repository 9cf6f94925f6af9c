// A request begins unlike the one before it though nothing was taken out of the context: what a provider had cached is paid
// again. Compared as the prefix page does, item by item, and letter by letter where the first items differ. Four statements.
import { commonItems, type SentItem, SYSTEM, TOOLS, tokensOf } from "../debugger/common-prefix";
import { readCommonParts } from "../debugger/read-common-parts";
import { readItems } from "../debugger/read-items";
import { type Reader, read } from "../reader";
import type { FoundRow, Swept } from "./found";

// With the last request that the agent sent in an earlier turn.
const REQUESTS = `
  SELECT t.agent_turn_id, t.root_turn_id, t.agent_id, s.step_id, s.request_box_id, t.agent_turn_id = ANY ($2::text[]) AS is_swept
  FROM state.agent_turns t JOIN state.agent_steps s ON s.project_id = $1 AND s.agent_turn_id = t.agent_turn_id
  WHERE t.project_id = $1 AND s.request_box_id IS NOT NULL AND (t.agent_turn_id = ANY ($2::text[]) OR s.step_id = ANY (ARRAY(
    SELECT b.step_id FROM state.agent_turns w CROSS JOIN LATERAL (
      SELECT e.step_id FROM state.agent_turns o
      JOIN state.agent_steps e ON e.project_id = $1 AND e.agent_turn_id = o.agent_turn_id AND e.request_box_id IS NOT NULL
      WHERE o.project_id = $1 AND o.agent_id = w.agent_id AND o.created_at < w.created_at
      ORDER BY o.created_at DESC, e.ordinal DESC LIMIT 1) b
    WHERE w.project_id = $1 AND w.agent_turn_id = ANY ($2::text[]) AND w.step_count > 0)))
  ORDER BY t.agent_id, t.created_at, t.agent_turn_id, s.ordinal, s.step_id`;

type Request = {
  agent_turn_id: string;
  root_turn_id: string;
  agent_id: string;
  step_id: string;
  request_box_id: string | null;
  is_swept: boolean;
};
type Pair = { request: Request; a: readonly SentItem[]; b: readonly SentItem[]; common: number };

export async function findBrokenPrefixes(
  reader: Reader,
  { project_id, agent_turn_ids, limits }: Swept,
): Promise<FoundRow[]> {
  const requests = await read<Request>(reader, "alarm_requests", REQUESTS, [project_id, agent_turn_ids]);
  const box_ids = requests.flatMap(({ request_box_id }) => request_box_id ?? []);
  const items = await readItems(reader, { project_id, box_ids });
  const suspects = pairsOf(requests, items).filter(({ a, b, common }) => {
    const least = Math.max(limits.prefix_broken_tokens, 1);
    return tokensOf(a) >= least && isBroken(a, tokensOf(a.slice(0, common)), limits) && keepsAll(a, b);
  });
  const partOf = await readCommonParts(reader, {
    project_id,
    pairs: suspects.flatMap(({ a, b, common }): [SentItem, SentItem][] => {
      const [one, other] = [a[common], b[common]];
      return one && other ? [[one, other]] : [];
    }),
  });
  const found = new Map<string, FoundRow>();
  for (const { request, a, b, common } of suspects) {
    const { agent_turn_id, root_turn_id, step_id } = request;
    const [one, other] = [a[common], b[common]];
    const shared = tokensOf(a.slice(0, common)) + (one && other ? partOf(one, other) : 0);
    if (!isBroken(a, shared, limits)) continue;
    const times = Number(found.get(agent_turn_id)?.figures.times ?? 0) + 1;
    const first = found.get(agent_turn_id)?.figures ?? { step_id, tokens: tokensOf(a), common_tokens: shared };
    const figures = { ...first, times, threshold: limits.prefix_broken_share };
    found.set(agent_turn_id, { subject_id: agent_turn_id, agent_turn_id, root_turn_id, figures });
  }
  return [...found.values()];
}

function pairsOf(requests: readonly Request[], items: ReadonlyMap<string, readonly SentItem[]>): Pair[] {
  return requests.flatMap((request, at) => {
    const before = requests[at - 1];
    if (!request.is_swept || before?.agent_id !== request.agent_id) return [];
    const a = items.get(before.request_box_id ?? "") ?? [];
    const b = items.get(request.request_box_id ?? "") ?? [];
    return [{ request, a, b, common: commonItems(a, b) }];
  });
}

const isBroken = (a: readonly SentItem[], shared: number, limits: Swept["limits"]): boolean =>
  shared < limits.prefix_broken_share * tokensOf(a);

/** The system prompt and the tools are written for each request; everything else is the context. */
function keepsAll(a: readonly SentItem[], b: readonly SentItem[]): boolean {
  const there = new Set(b.map(({ words }) => words));
  return a.every(({ type, words }) => type === SYSTEM || type === TOOLS || there.has(words));
}
