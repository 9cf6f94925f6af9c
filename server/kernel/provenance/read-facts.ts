// The facts of a delegation, read from execution records and never from a model's text: turns for the chain, profiles for the
// caller's identity, the root's cards for what the person asked.
import { type CardContent, sentText } from "@/server/contract/card";
import { type CallerFacts, type ChainAgent, RootOrigin } from "@/server/contract/delegation-context";
import { log } from "@/server/log";
import { lastChunksOf } from "../cardbox/chunks-of";
import { collapse, cutText } from "../context/cut-text";
import { type Reader, read } from "../reader";
import { bodySql } from "../roster/read-bodies";
import type { TurnRow } from "../turns/turn-row";

/** The turn that delegates; a dry run's root turn need not be written. */
export type FactsCaller = Pick<
  TurnRow,
  "agent_turn_id" | "root_turn_id" | "agent_id" | "depth" | "profile_name" | "is_human"
>;

/** The cards of `k`, which has card_ids. OFFSET 0 keeps this a look-up by id: by author or turn, it read all that the caller had written. */
const CARDS_OF_CHUNK = `(SELECT c.card_id, c.content, c.metadata, c.created_at FROM cards c
      WHERE c.tenant_id = $1 AND c.card_id = ANY (k.card_ids) AND c.deleted_at IS NULL OFFSET 0)`;

// Turns, not agents: one agent may be at several depths. `path` stops a lineage that forms a cycle. `root` is who launched, or the top.
// A caller's own last words are searched in the last two chunks of its output. The person's last words are searched from the end of
// each box, no further than the first chunk that has some: a run started with ten thousand cards read all of them at each delegation.
const FACTS = `
  WITH RECURSIVE line AS (
    SELECT t.project_id, t.agent_turn_id, t.agent_id, t.parent_turn_id, t.profile_box_id, t.profile_name,
      t.is_human, t.primitive, t.context_box_id, t.output_box_id, t.instruction_card_id, t.root_turn_id, 0 AS hop, ARRAY[t.agent_turn_id] AS path
    FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2
    UNION ALL
    SELECT p.project_id, p.agent_turn_id, p.agent_id, p.parent_turn_id, p.profile_box_id, p.profile_name,
      p.is_human, p.primitive, p.context_box_id, p.output_box_id, p.instruction_card_id, p.root_turn_id, l.hop + 1, l.path || p.agent_turn_id
    FROM line l JOIN state.agent_turns p ON p.project_id = l.project_id AND p.agent_turn_id = l.parent_turn_id
    WHERE p.agent_turn_id <> ALL (l.path) AND l.hop < 64
  ), self AS MATERIALIZED (SELECT profile_box_id, output_box_id, root_turn_id FROM line WHERE hop = 0
  ), run AS MATERIALIZED (SELECT coalesce($3::text, (SELECT root_turn_id FROM self)) AS root_turn_id
  ), root AS MATERIALIZED (
    SELECT agent_id, context_box_id, output_box_id, instruction_card_id, hop FROM line
    ORDER BY primitive = 'ui_action' DESC, CASE WHEN primitive = 'ui_action' THEN hop ELSE -hop END LIMIT 1
  )
  SELECT
    (SELECT json_agg(json_build_object('agent_turn_id', l.agent_turn_id, 'agent_id', l.agent_id, 'parent_turn_id', l.parent_turn_id,
      'profile_name', l.profile_name, 'is_human', l.is_human, 'display_name', a.display_name, 'derived_from', a.derived_from) ORDER BY l.hop DESC)
      FROM line l LEFT JOIN resource.project_agents a USING (project_id, agent_id) WHERE l.hop <= (SELECT hop FROM root)) AS lineage,
    ${bodySql("(SELECT profile_box_id FROM self)")} ->> 'description' AS description,
    (SELECT r.metadata ->> 'origin' FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = (SELECT root_turn_id FROM run)) AS origin,
    (SELECT jsonb_agg(jsonb_build_object('key', e.key, 'short_description', left(e.short_description, 200)) ORDER BY e.key COLLATE "C") FROM
      (SELECT key, short_description FROM state.env_data WHERE project_id = $1 AND root_turn_id = (SELECT root_turn_id FROM run) ORDER BY key COLLATE "C" LIMIT 10) e) AS env_manifest,
    (SELECT found.content FROM (SELECT unnest(ARRAY[context_box_id, output_box_id]) AS box_id FROM root) b CROSS JOIN LATERAL (
      SELECT c.card_id, c.content, c.created_at FROM card_box_chunks k CROSS JOIN LATERAL (
        SELECT c.card_id, c.content, c.created_at FROM ${CARDS_OF_CHUNK} c
        WHERE c.metadata ->> 'author_id' = (SELECT agent_id FROM root) AND c.metadata ->> 'role' = 'user'
          AND c.created_at <= coalesce((SELECT b.created_at FROM state.agent_turns b WHERE b.project_id = $1
            AND b.agent_turn_id = (SELECT agent_turn_id FROM line WHERE hop = (SELECT hop - 1 FROM root))), now())
        ORDER BY c.created_at DESC, c.card_id DESC LIMIT 1) c
      WHERE k.tenant_id = $1 AND k.box_id = b.box_id ORDER BY k.n DESC LIMIT 1) found
      ORDER BY found.created_at DESC, found.card_id DESC LIMIT 1) AS root_content,
    (SELECT c.content FROM cards c WHERE c.tenant_id = $1 AND c.card_id = (SELECT instruction_card_id FROM root) AND c.deleted_at IS NULL) AS first_instruction,
    (SELECT c.content FROM (SELECT o.card_ids FROM ${lastChunksOf("(SELECT output_box_id FROM self)")} o ORDER BY o.n DESC LIMIT 2) k
        CROSS JOIN LATERAL ${CARDS_OF_CHUNK} c
      WHERE c.metadata ->> 'agent_turn_id' = $2 AND c.metadata ->> 'role' = 'assistant'
        AND c.content ->> 'kind' = 'text' AND c.content ->> 'text' ~ '\\S'
      ORDER BY c.created_at DESC, c.card_id DESC LIMIT 1) AS last_words`;

type Ancestor = {
  agent_turn_id: string;
  agent_id: string;
  parent_turn_id: string | null;
  profile_name: string;
  is_human: boolean;
  display_name: string | null;
  derived_from: string | null;
};

/** What the records say of a caller, as they were read. */
export type CallerRecords = {
  /** From the root to the caller; null: the turn is not written. */
  lineage: Ancestor[] | null;
  description: string | null;
  origin: string | null;
  env_manifest: { key: string; short_description: string }[] | null;
  root_content: CardContent | null;
  first_instruction: CardContent | null;
  last_words: CardContent | null;
};

/**
 * What is the same for every child of one caller: one statement, whatever the depth and however many there are. `root_turn_id`: of a
 * turn that is not written.
 */
export async function readCallerRecords(
  reader: Reader,
  { project_id, agent_turn_id, root_turn_id = null }: Asked,
): Promise<CallerRecords | undefined> {
  const [records] = await read<CallerRecords>(reader, "facts_of_caller", FACTS, [
    project_id,
    agent_turn_id,
    root_turn_id,
  ]);
  return records;
}

type Asked = { project_id: string; agent_turn_id: string; root_turn_id?: string | null };

export const readCallerFacts = async (
  reader: Reader,
  { project_id, caller }: { project_id: string; caller: FactsCaller },
): Promise<CallerFacts> => factsOf(caller, await readCallerRecords(reader, { project_id, ...caller }));

export function factsOf(caller: FactsCaller, records: CallerRecords | undefined): CallerFacts {
  const lineage = records?.lineage ?? [];
  const self = lineage.at(-1);
  const came = originOf(lineage, caller, records?.origin ?? null);
  const isCallerHuman = caller.is_human;
  // Input from a schedule or a program was not asked by a human.
  const root_text =
    came.origin === "human" ? wordsOf(records?.root_content ?? records?.first_instruction, ROOT_TEXT_MAX) : undefined;
  const caller_note = isCallerHuman ? undefined : wordsOf(records?.last_words, CALLER_NOTE_MAX);
  return {
    parent_turn_id: caller.agent_turn_id,
    root_turn_id: caller.root_turn_id,
    ...came,
    depth: caller.depth + 1,
    caller: {
      agent_id: caller.agent_id,
      name: self ? nameOf(self) : caller.profile_name,
      ...(records?.description && { description: records.description }),
      is_human: isCallerHuman,
    },
    chain: lineage.filter((turn) => !turn.is_human).map(linkOf),
    ...(root_text && { root_text }),
    has_env_data: records?.env_manifest !== null && records?.env_manifest !== undefined,
    ...(records?.env_manifest && { env_manifest: records.env_manifest }),
    ...(caller_note && { caller_note }),
  };
}

/** The most that any level shows; longer texts stay where they are. */
const ROOT_TEXT_MAX = 1000;
const CALLER_NOTE_MAX = 300;

function wordsOf(content: CardContent | null | undefined, max: number): string | undefined {
  const text = content ? collapse(sentText(content)) : "";
  return text === "" ? undefined : cutText(text, max);
}

/** A root whose own parent is named but missing, or is in a cycle with it, is not a root. */
function originOf(
  lineage: Ancestor[],
  caller: FactsCaller,
  recorded: string | null,
): Pick<CallerFacts, "origin" | "lineage_fault"> {
  const [root] = lineage;
  const begun = root ?? caller;
  // What the run says of its origin is about whoever began it.
  if (begun.is_human && begun.agent_turn_id !== caller.root_turn_id) return { origin: "human" };
  if (root && root.parent_turn_id !== null) {
    const isRing = lineage.some((turn) => turn.agent_turn_id === root.parent_turn_id);
    const lineage_fault = isRing ? "cycle" : "missing";
    log().warn(
      { agent_turn_id: caller.agent_turn_id, at: root.agent_turn_id, lineage_fault },
      "the records of who called this turn are broken",
    );
    return { origin: "unknown", lineage_fault };
  }
  const named = RootOrigin.safeParse(recorded);
  if (named.success) return { origin: named.data };
  return { origin: (root ?? caller).is_human ? "human" : "autonomous" };
}

const nameOf = (turn: Ancestor): string => turn.display_name || turn.profile_name;

const linkOf = (turn: Ancestor): ChainAgent => ({
  agent_id: turn.agent_id,
  agent_turn_id: turn.agent_turn_id,
  name: nameOf(turn),
  ...(turn.derived_from && { derived_from: turn.derived_from }),
});
