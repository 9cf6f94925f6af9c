// Which cards of a context another agent wrote, and who it is: one statement for all receivers, none if no card can be
// another's. What is known about an agent and its turns comes from the records, never from the text of a card.
import type { Card } from "@/server/contract/card";
import { type Reader, read } from "../reader";
import type { Background, Writer } from "./tell-background";

export type Receiver = {
  agent_id: string;
  /** A clone that is not written yet: its source's work is its own. */
  derived_from?: string;
  /** Without its memory and its own output. */
  context: readonly Card[];
};

// Kin: whose work counts as the receiver's own. For a clone its source; for a fork or a rerun the agent it replaces, which is
// named in the deliverable of the person who launched it.
const WRITERS = `
  WITH RECURSIVE kin AS (
    SELECT g.self, g.agent_id FROM jsonb_to_recordset($2::jsonb) AS g(self text, agent_id text)
    UNION
    SELECT k.self, b.agent_id FROM kin k CROSS JOIN LATERAL (
      SELECT a.derived_from AS agent_id FROM resource.project_agents a
      WHERE a.project_id = $1 AND a.agent_id = k.agent_id AND a.derived_from IS NOT NULL
      UNION ALL
      SELECT o.agent_id FROM (
        SELECT t.parent_turn_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_id = k.agent_id
        ORDER BY t.created_at LIMIT 1) first
      CROSS JOIN LATERAL (SELECT deliverable_card_id FROM state.agent_turns
        WHERE project_id = $1 AND agent_turn_id = first.parent_turn_id AND is_human AND depth = 0 OFFSET 0) r
      CROSS JOIN LATERAL (SELECT content -> 'data' AS data FROM cards WHERE tenant_id = $1 AND card_id = r.deliverable_card_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT agent_id FROM state.agent_turns
        WHERE project_id = $1 AND agent_turn_id = coalesce(c.data ->> 'forked_from', c.data ->> 'rerun_of') OFFSET 0) o
    ) b
  ), written AS (
    SELECT t.agent_turn_id, t.agent_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($3::text[])
    UNION ALL
    SELECT NULL, g.agent_id FROM unnest($4::text[]) AS g(agent_id)
  )
  SELECT k.self, NULL AS agent_turn_id, k.agent_id, NULL AS name, NULL AS profile FROM kin k
  UNION ALL
  SELECT NULL, w.agent_turn_id, a.agent_id, coalesce(nullif(a.display_name, ''), a.profile_name), a.profile_name
  FROM written w CROSS JOIN LATERAL (SELECT agent_id, display_name, profile_name FROM resource.project_agents
    WHERE project_id = $1 AND agent_id = w.agent_id AND NOT is_human OFFSET 0) a`;

type Row = {
  self: string | null;
  agent_turn_id: string | null;
  agent_id: string;
  name: string | null;
  profile: string | null;
};

/** In the order of the receivers. */
export async function readBackgrounds(
  reader: Reader,
  { project_id, receivers }: { project_id: string; receivers: readonly Receiver[] },
): Promise<Background[]> {
  const cards = receivers.flatMap(({ context }) => context.filter(mayBeAnothers));
  if (cards.length === 0) return receivers.map(() => new Map());
  const seeds = receivers.flatMap(({ agent_id: self, derived_from }) =>
    [self, ...(derived_from === undefined ? [] : [derived_from])].map((agent_id) => ({ self, agent_id })),
  );
  const turns = cards.flatMap((card) => turnOf(card) ?? []);
  const authors = cards.flatMap((card) => (turnOf(card) === null ? card.author_id : []));
  const rows = await read<Row>(reader, "context_writers", WRITERS, [
    project_id,
    JSON.stringify(seeds),
    [...new Set(turns)],
    [...new Set(authors)],
  ]);
  const kin = new Set(rows.flatMap((row) => (row.self === null ? [] : kinKey(row.self, row.agent_id))));
  const writers = new Map<string, Writer>();
  for (const { self, agent_turn_id, agent_id, name, profile } of rows) {
    if (self !== null || name === null || profile === null) continue;
    writers.set(agent_turn_id === null ? `agent ${agent_id}` : `turn ${agent_turn_id}`, { agent_id, name, profile });
  }
  return receivers.map(({ agent_id, context }) => backgroundOf(agent_id, context, kin, writers));
}

const kinKey = (self: string, agent_id: string): string => `${self} ${agent_id}`;

function backgroundOf(
  self: string,
  context: readonly Card[],
  kin: ReadonlySet<string>,
  writers: ReadonlyMap<string, Writer>,
): Background {
  const background = new Map<string, Writer>();
  // A service that reports over REST uses its own name as author: a result belongs to the writer of its call.
  const callers = new Map<string, Writer | undefined>();
  for (const card of context.filter(mayBeAnothers)) {
    const turn = turnOf(card);
    const known = writers.get(turn === null ? `agent ${card.author_id}` : `turn ${turn}`);
    if (card.type === "tool.call" && card.tool_call_id !== undefined) callers.set(card.tool_call_id, known);
    const writer = known ?? (card.role === "tool" ? callers.get(card.tool_call_id ?? "") : undefined);
    if (writer && !kin.has(kinKey(self, writer.agent_id))) background.set(card.card_id, writer);
  }
  return background;
}

/** Cards packed by a hand-over belong to no turn and have the tool as author: most contexts have nothing else. */
function mayBeAnothers(card: Card): boolean {
  if (card.role === "system" || /^(meta|sys)\./.test(card.type)) return false;
  return turnOf(card) !== null || card.role !== "user";
}

function turnOf({ metadata }: Card): string | null {
  return typeof metadata.agent_turn_id === "string" ? metadata.agent_turn_id : null;
}
