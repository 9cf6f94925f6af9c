// A request begins unlike the one before it though nothing was taken out of the context: what a provider had cached is paid
// again. Compared as the prefix page does, item by item, and letter by letter where the first items differ. Up to four
// statements; one if no request has another before it.
import { commonItems, type SentItem, SYSTEM, TOOLS, tokensOf } from "../debugger/common-prefix";
import { readCommonParts } from "../debugger/read-common-parts";
import { readItems } from "../debugger/read-items";
import { type Reader, read } from "../reader";
import type { FoundRow, Swept } from "./found";
import { sentRequests } from "./sent-requests-sql";

// With the last request that the agent sent in an earlier turn, if that turn is not in this set.
const REQUESTS = `
  WITH sent AS MATERIALIZED (
    SELECT t.agent_turn_id, t.root_turn_id, t.agent_id, t.created_at, s.step_id, s.ordinal, s.request_box_id, true AS is_swept
    FROM state.agent_turns t CROSS JOIN LATERAL ${sentRequests("t.agent_turn_id")} s
    WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[])
    UNION
    SELECT b.agent_turn_id, b.root_turn_id, b.agent_id, b.created_at, b.step_id, b.ordinal, b.request_box_id, false
    FROM state.agent_turns w CROSS JOIN LATERAL (
      SELECT o.agent_turn_id, o.root_turn_id, o.agent_id, o.created_at, s.step_id, s.ordinal, s.request_box_id
      FROM state.agent_turns o CROSS JOIN LATERAL ${sentRequests("o.agent_turn_id")} s
      WHERE o.project_id = $1 AND o.agent_id = w.agent_id AND o.created_at < w.created_at
      ORDER BY o.created_at DESC, s.ordinal DESC LIMIT 1) b
    WHERE w.project_id = $1 AND w.agent_turn_id = ANY ($2::text[]) AND w.step_count > 0 AND b.agent_turn_id <> ALL ($2::text[])
  )
  SELECT s.agent_turn_id, s.root_turn_id, s.agent_id, s.step_id, s.request_box_id, s.is_swept
  FROM sent s ORDER BY s.agent_id, s.created_at, s.agent_turn_id, s.ordinal, s.step_id`;

type Request = {
  agent_turn_id: string;
  root_turn_id: string;
  agent_id: string;
  step_id: string;
  request_box_id: string;
  is_swept: boolean;
};
type Comparison = { request: Request; a: readonly SentItem[]; b: readonly SentItem[]; common: number };

export async function findBrokenPrefixes(
  reader: Reader,
  { project_id, agent_turn_ids, limits }: Swept,
): Promise<FoundRow[]> {
  const requests = await read<Request>(reader, "alarm_requests", REQUESTS, [project_id, agent_turn_ids]);
  const pairs = pairsOf(requests);
  if (pairs.length === 0) return [];
  const box_ids = [...new Set(pairs.flatMap((pair) => pair.map(({ request_box_id }) => request_box_id)))];
  const items = await readItems(reader, { project_id, box_ids });
  const suspects = pairs
    .map((pair) => compared(pair, items))
    .filter(({ a, b, common }) => {
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

/** Each request of the set, with the one that its agent sent before it. */
function pairsOf(requests: readonly Request[]): [Request, Request][] {
  return requests.flatMap((request, at): [Request, Request][] => {
    const before = requests[at - 1];
    return request.is_swept && before?.agent_id === request.agent_id ? [[before, request]] : [];
  });
}

function compared([before, request]: [Request, Request], items: ReadonlyMap<string, readonly SentItem[]>): Comparison {
  const [a, b] = [items.get(before.request_box_id) ?? [], items.get(request.request_box_id) ?? []];
  return { request, a, b, common: commonItems(a, b) };
}

const isBroken = (a: readonly SentItem[], shared: number, limits: Swept["limits"]): boolean =>
  shared < limits.prefix_broken_share * tokensOf(a);

/** The system prompt and the tools are written for each request; everything else is the context. */
function keepsAll(a: readonly SentItem[], b: readonly SentItem[]): boolean {
  const there = new Set(b.map(({ words }) => words));
  return a.every(({ type, words }) => type === SYSTEM || type === TOOLS || there.has(words));
}
