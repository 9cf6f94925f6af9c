// Everything that hand-overs read from the database before a decision: profiles by name, what the source may hand over and
// whether it exists, and what the boxes contain. One statement, whatever their number and length.

import type { Profile } from "@/server/contract/profile";
import { BASES_MAX, basesUnder } from "../cardbox/bases";
import { heldIn } from "../cardbox/held-in";
import { columnsOf } from "../columns";
import { PROFILE_COLUMNS, type ProfileRow, profileOf } from "../roster/profile-row";
import type { Unit } from "../unit";
import type { Grant, Grants } from "./authorise-boxes";
import type { Fact, SourceBox, SourceChunk } from "./plan-inheritance";

/**
 * Which chunks of a clean box are read. `last`: every box is the only one of its hand-over and no rule looks at its cards, so only the last
 * chunk is written out, which may grow meanwhile. `none`: such boxes also come first, and are named.
 */
export const READS = { all: 0, last: 1, none: 2 } as const;

export type HandoverQuestions = {
  project_id: string;
  source_agent_id: string;
  /** Trimmed. */
  profile_names: string[];
  box_ids: string[];
  card_ids: string[];
  reads: (typeof READS)[keyof typeof READS];
};

export type HandoverAnswers = {
  /** By the position of the name; absent if no such profile is registered. */
  profiles: Map<number, Profile>;
  grants: Grants;
  boxes: Map<string, SourceBox>;
  /** Of last chunks, of chunks with a card that never travels, and of single cards; null for a card that is not stored. */
  facts: Map<string, Fact | null>;
};

// A person acts under a role and may hand over any box of the project. An agent that merely has such a name runs on a worker
// and is not a person.
export const isHuman = (agentId: string): boolean => agentId.startsWith("human_");

// Own profile, also that of the turn it is in, and last output; context and output boxes of own turns; boxes of children's finished turns.
export const mayHandOver = (box: string) => `(
    EXISTS (SELECT 1 FROM resource.project_agents a
      LEFT JOIN LATERAL (SELECT t.profile_box_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = a.active_turn OFFSET 0) t ON true
      WHERE a.project_id = $1 AND a.agent_id = $2
        AND ${box} IN (t.profile_box_id, a.profile_box_id, a.memory_context_box_id, a.last_output_box_id))
    OR EXISTS (SELECT 1 FROM state.agent_turns t
      LEFT JOIN state.agent_turns p ON p.project_id = t.project_id AND p.agent_turn_id = t.parent_turn_id
      WHERE t.project_id = $1 AND (t.context_box_id = ${box} OR t.output_box_id = ${box})
        AND (t.agent_id = $2 OR (p.agent_id = $2 AND t.ended_at IS NOT NULL))))`;

const fact = (card: string) =>
  `json_build_array(${card}.card_id, ${card}.token_count, ${card}.metadata ->> 'type', ${card}.metadata ->> 'role')`;

// A box of 10,000 cards that is named or copied whole is described by a hash: reading its ids and checking them for repeats took
// half as long as the copy. A box that was never appended to knows whether it repeats a card; the others are counted. What a box
// inherits by name was clean. `$7`: versions of boxes that this process has hashed. They were clean, and until something is written to such a box,
// it is neither looked through nor hashed again (hashed-boxes.ts). OFFSET 0 and lower() as elsewhere: plans made for empty tables, and letters on which JavaScript and
// Postgres differ. Ids contain no spaces: one text per chunk is read ten times faster than an array of texts.
// The time, because ids of transactions are given again after a failover that lost the last commits.
const VERSION = "concat(x.xmin, ' ', x.length, ' ', extract(epoch FROM x.updated_at))";
const IS_HASHED = `coalesce($7::jsonb ->> x.box_id = ${VERSION}, false)`;
const BOXES = `, box AS MATERIALIZED (
    SELECT r.box_id, b.box_id IS NOT NULL AS is_there, b.consist, b.length, b.token_sum, b.chunks, b.is_untouched, b.is_lendable,
      b.version, b.is_hashed, coalesce(CASE WHEN c.is_clean THEN CASE WHEN $5::int = 2 AND b.is_lendable THEN b.chunks
        WHEN $5::int > 0 AND b.chunks > 1 THEN b.chunks - 1 END END, 0) AS reads_from
    FROM unnest($6::text[]) AS r(box_id)
    LEFT JOIN LATERAL (SELECT x.box_id, x.consist, x.length, x.token_sum, x.chunk_count + (x.tail IS NOT NULL)::int AS chunks,
        x.rev = 1 AND NOT x.has_repeats AS is_untouched, ${VERSION} AS version,
        ${IS_HASHED} AS is_hashed,
        ${IS_HASHED} OR NOT coalesce(x.tail_untravelled, false) AND NOT EXISTS (SELECT 1 FROM box_chunks k
          WHERE k.tenant_id = $1 AND k.box_id = x.box_id AND k.has_untravelled) AS is_travelled,
        x.length > 0 AND ${basesUnder("$1", "x.base_box")} < ${BASES_MAX} AS is_lendable
      FROM card_boxes x WHERE x.tenant_id = $1 AND x.box_id = r.box_id AND x.deletion_id IS NULL OFFSET 0) b ON true
    CROSS JOIN LATERAL (SELECT b.is_travelled AND (b.is_untouched OR $5::int > 0 AND (b.is_hashed OR
        (SELECT count(*) = count(DISTINCT i.card_id COLLATE "C") FROM card_box_chunks c CROSS JOIN unnest(c.card_ids) AS i(card_id)
        WHERE c.tenant_id = $1 AND c.box_id = r.box_id))) AS is_clean OFFSET 0) c
  )`;

const OF_BOXES = `
  UNION ALL
  SELECT 'box', b.box_id, b.chunks, b.length, b.token_sum::int, b.is_there, s.is_person OR ${mayHandOver("b.box_id")}, NULL, b.consist,
    json_build_object('reads_from', b.reads_from, 'is_untouched', b.is_untouched, 'is_lendable', b.is_lendable,
      'version', b.version, 'is_hashed', b.is_hashed, 'ids_hash', CASE WHEN b.reads_from > 0 AND NOT b.is_hashed THEN (
      SELECT encode(sha256(convert_to(string_agg(array_to_string(c.card_ids, E'\\n'), E'\\n' ORDER BY c.n), 'UTF8')), 'hex')
      FROM card_box_chunks c WHERE c.tenant_id = $1 AND c.box_id = b.box_id) END)
  FROM source s CROSS JOIN box b
  UNION ALL
  SELECT 'chunk', b.box_id, c.n, c.start, c.tokens, NULL, NULL, c.has_untravelled, array_to_string(c.card_ids, ' '),
    CASE WHEN c.n = b.chunks - 1 OR c.has_untravelled THEN (
      SELECT coalesce(json_agg(${fact("t")}), '[]') FROM cards t WHERE t.tenant_id = $1 AND t.card_id = ANY (c.card_ids)) END
  FROM box b
  CROSS JOIN LATERAL (SELECT n, start, tokens, has_untravelled, card_ids FROM card_box_chunks WHERE tenant_id = $1 AND box_id = b.box_id
    AND n >= b.reads_from OFFSET 0) c WHERE b.reads_from < b.chunks`;

const OF_CARDS = `
  UNION ALL
  SELECT 'card', r.card_id, NULL, NULL, NULL, c.card_id IS NOT NULL, s.is_person OR EXISTS (
    SELECT 1 FROM ${heldIn("ARRAY[r.card_id]")} k WHERE ${mayHandOver("k.box_id")}),
    NULL, NULL, CASE WHEN c.card_id IS NOT NULL THEN ${fact("c")} END
  FROM source s CROSS JOIN unnest($8::text[]) AS r(card_id)
  LEFT JOIN LATERAL (SELECT card_id, token_count, metadata FROM cards WHERE tenant_id = $1 AND card_id = r.card_id OFFSET 0) c ON true`;

const readSql = (boxes: string, more: string) => `
  WITH source AS (
    SELECT $3::boolean AND NOT EXISTS (SELECT 1 FROM resource.project_agents
      WHERE project_id = $1 AND agent_id = $2 AND NOT is_human) AS is_person
  )${boxes}
  SELECT 'profile' AS kind, n.name AS id, n.ord::int AS n, NULL::int AS start, NULL::int AS tokens, NULL::boolean AS is_there,
    NULL::boolean AS is_allowed, NULL::boolean AS has_untravelled, NULL::text AS ids, row_to_json(p) AS body
  FROM unnest($4::text[]) WITH ORDINALITY AS n(name, ord)
  CROSS JOIN LATERAL (SELECT ${columnsOf(PROFILE_COLUMNS, "profiles")} FROM resource.profiles WHERE project_id = $1 AND lower(name) = lower(n.name) OFFSET 0) p
  UNION ALL
  SELECT 'agent', $2, NULL, NULL, NULL, true, s.is_person OR EXISTS (SELECT 1 FROM resource.project_agents
    WHERE project_id = $1 AND agent_id = $2), NULL, NULL, NULL
  FROM source s${more}`;

// Parts that are not needed are left out of the statement: opening and closing their plans took longer than running the others.
const READ_NONE = readSql("", "");
const READ_BOXES = readSql(BOXES, OF_BOXES);
const READ_ALL = readSql(BOXES, OF_BOXES + OF_CARDS);

type FactRow = [string, number, string, Fact["role"]];
/** `reads_from`: the first of its chunks that was read. */
type BoxState = {
  reads_from: number;
  is_untouched: boolean | null;
  is_lendable: boolean | null;
  version: string | null;
  is_hashed: boolean | null;
  ids_hash: string | null;
};
type Row = { id: string } & (
  | { kind: "profile"; n: number; body: ProfileRow }
  | ({ kind: "agent" } & Grant)
  | ({ kind: "box"; body: BoxState } & BoxFigures & Grant)
  | ({ kind: "card"; body: FactRow | null } & Grant)
  | ({ kind: "chunk"; ids: string; body: FactRow[] | null } & Omit<ChunkRow, "ids">)
);
/** `n`: how many chunks it has; `start`: where it ends; `ids`: its consist. */
type BoxFigures = { n: number | null; start: number | null; tokens: number | null; ids: string | null };
type ChunkRow = { n: number; start: number; tokens: number; has_untravelled: boolean; ids: string };
type RowOf<K extends Row["kind"]> = Extract<Row, { kind: K }>;

export async function readHandovers(unit: Unit, input: HandoverQuestions): Promise<HandoverAnswers> {
  const { project_id, source_agent_id, profile_names, box_ids, card_ids, reads } = input;
  const { hashedBoxes } = unit.kernel;
  const hashed = hashedBoxes.of(project_id, box_ids);
  const versions = JSON.stringify(Object.fromEntries([...hashed].map(([id, { version }]) => [id, version])));
  const asked = [project_id, source_agent_id, isHuman(source_agent_id), profile_names];
  const [name, sql, ids] =
    card_ids.length > 0
      ? ["handover_read", READ_ALL, [reads, box_ids, versions, card_ids]]
      : box_ids.length > 0
        ? ["handover_read_boxes", READ_BOXES, [reads, box_ids, versions]]
        : ["handover_read_none", READ_NONE, []];
  const rows = await unit.query<Row>(name, sql, [...asked, ...ids]);
  const of = <K extends Row["kind"]>(kind: K) => rows.filter((r): r is RowOf<K> => r.kind === kind);
  const chunks = new Map<string, RowOf<"chunk">[]>();
  for (const row of of("chunk")) {
    const known = chunks.get(row.id);
    if (known) known.push(row);
    else chunks.set(row.id, [row]);
  }
  const boxes = of("box");
  for (const { id, start, body } of boxes) {
    if (body.is_hashed && body.reads_from > 0) body.ids_hash = hashed.get(id)?.ids_hash ?? null;
    else if (body.ids_hash !== null && body.version !== null && (start ?? 0) >= LONG)
      hashedBoxes.keep(project_id, id, { version: body.version, ids_hash: body.ids_hash });
  }
  const cards = of("card");
  const facts: HandoverAnswers["facts"] = new Map();
  for (const row of rows) if (row.kind === "card" || row.kind === "chunk") addFacts(facts, row);
  return {
    profiles: new Map(of("profile").map((row) => [row.n - 1, profileIn(row.body)])),
    grants: {
      boxes: new Map(boxes.map((row) => [row.id, row])),
      cards: new Map(cards.map((row) => [row.id, row])),
      source_is_there: of("agent").some((row) => row.is_allowed),
    },
    boxes: new Map(boxes.map((row) => [row.id, boxOf(row, chunks.get(row.id) ?? [])])),
    facts,
  };
}

/** Boxes of at least so many cards are worth remembering. */
const LONG = 256;

// JSON formats times in its own way.
const iso = (text: string): string => new Date(text).toISOString();

const profileIn = (row: ProfileRow): Profile => ({
  ...profileOf(row),
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

function boxOf({ id, ids, n, start, tokens, body }: RowOf<"box">, rows: RowOf<"chunk">[]): SourceBox {
  const chunks = rows.toSorted((a, b) => a.n - b.n).map(chunkOf);
  const last = chunks.at(-1);
  if (last) last.is_last = true;
  const [count, length, sum] = [n ?? 0, start ?? 0, tokens ?? 0];
  const { reads_from, is_untouched, is_lendable, ids_hash } = body;
  // Chunks that were not read are represented as one.
  if (reads_from > 0)
    chunks.unshift({
      ...{ n: 0, to_n: reads_from - 1, start: 0, size: last?.start ?? length, card_ids: null },
      ...clean(sum - (last?.tokens ?? 0)),
    });
  let before = 0;
  for (const chunk of chunks) {
    chunk.before_tokens = before;
    before += chunk.tokens;
  }
  const has_no_repeats = reads_from > 0 || is_untouched === true;
  const lends = is_lendable && !chunks.some((chunk) => chunk.has_untravelled) ? count : null;
  return { box_id: id, consist: ids ?? "", length, tokens: sum, lends, chunks, has_no_repeats, ids_hash };
}

const clean = (tokens: number) => ({ tokens, before_tokens: 0, has_untravelled: false, is_last: false });

function chunkOf({ n, start, tokens, has_untravelled, ids }: RowOf<"chunk">): SourceChunk {
  const card_ids = ids.split(" ");
  return { n, to_n: n, start, size: card_ids.length, card_ids, ...clean(tokens), has_untravelled };
}

function addFacts(facts: HandoverAnswers["facts"], row: RowOf<"card"> | RowOf<"chunk">): void {
  if (row.body === null) return;
  const found = row.kind === "card" ? [row.body] : row.body;
  // Cards that are not stored are not read again.
  if (row.kind === "chunk") for (const id of row.ids.split(" ")) if (!facts.has(id)) facts.set(id, null);
  for (const [card_id, token_count, type, role] of found) facts.set(card_id, { card_id, token_count, type, role });
}
