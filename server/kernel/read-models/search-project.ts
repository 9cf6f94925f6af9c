// One search field: turns, runs, boxes, cards, agents and profiles of one project, best first.
// Every word of the query must be found in a hit. The statements run side by side; none joins what it does not show.

import type {
  AgentHit,
  BoxHit,
  CardHit,
  ProfileHit,
  RunHit,
  SearchHits,
  SearchInput,
  SearchKind,
  TurnHit,
} from "@/server/contract/search";
import { heldIn } from "../cardbox/held-in";
import { columnsOf } from "../columns";
import { countTakers, type Takers } from "../inbox/count-takers";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { HUMAN_PROFILE } from "../turns/turn-row";
import { readModelless } from "./read-unserved";

const WORDS_MAX = 6;
const EXCERPT_CHARS = 240;
/** Turns, runs, boxes and agents whose words are looked at: the newest. */
const LOOKED_AT = 1_000;
/** Cards that are not in the text index yet are scanned one by one, up to this many. */
const FRESH_CARDS = 300;

// What is named by its id or headcode is found by it, however old. Words are looked for in the newest of each kind alone: no index
// has parts of words, and five reads of all turns, boxes and agents took five seconds in a project of a million cards.
// $1 project, $2 patterns of the words, $3 limit, $4 the query as it was typed (trimmed), of turns $5 one of the run that is open: after a
// fork a headcode named the turn of the newest run instead of the one on the screen.
const TURN_HIT = [
  "agent_turn_id",
  "root_turn_id",
  "agent_id",
  "is_human",
  "headcode",
  "title",
  "profile_name",
  "status",
  "note",
  "error_code",
  "error",
  "context_cards",
  "context_tokens",
  "context_consist",
  "window_tokens",
  "sent_tokens",
  "fullest_tokens",
  "created_at",
  "started_at",
  "ended_at",
];
const IS_NEAR = "EXISTS (SELECT 1 FROM near n WHERE n.root_turn_id = t.root_turn_id)";
const TURNS = `
  WITH near AS MATERIALIZED (
    SELECT t.root_turn_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $5 AND $4 <> ''
  )
  SELECT ${columnsOf(TURN_HIT, "t")}, r.number AS run_number
  FROM (
    SELECT ${columnsOf(TURN_HIT, "t")} FROM (
      (SELECT ${columnsOf(TURN_HIT, "t")} FROM (SELECT ${columnsOf(TURN_HIT, "t")} FROM state.agent_turns t WHERE t.project_id = $1
          ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${LOOKED_AT}) t
        WHERE concat_ws(' ', t.headcode, t.title, t.profile_name, t.agent_id, t.status, t.note, t.error_code) ILIKE ALL ($2::text[])
        ORDER BY ${IS_NEAR} DESC, t.created_at DESC, t.agent_turn_id DESC LIMIT $3)
      UNION
      (SELECT ${columnsOf(TURN_HIT, "t")} FROM near n JOIN state.agent_turns t ON t.project_id = $1 AND t.root_turn_id = n.root_turn_id
        WHERE t.headcode = upper($4) LIMIT 1)
      UNION
      (SELECT ${columnsOf(TURN_HIT, "t")} FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $4)
      UNION
      (SELECT ${columnsOf(TURN_HIT, "t")} FROM state.agent_turns t WHERE t.project_id = $1 AND t.headcode = upper($4)
        ORDER BY t.created_at DESC LIMIT $3)
    ) t
    ORDER BY (t.agent_turn_id = $4) DESC, (lower(t.headcode) = lower($4)) DESC, ${IS_NEAR} DESC, t.created_at DESC, t.agent_turn_id DESC
    LIMIT $3
  ) t JOIN state.runs r ON r.project_id = $1 AND r.root_turn_id = t.root_turn_id
  ORDER BY (t.agent_turn_id = $4) DESC, (lower(t.headcode) = lower($4)) DESC, ${IS_NEAR} DESC, t.created_at DESC, t.agent_turn_id DESC`;

const RUNS = `
  SELECT h.root_turn_id, h.number, h.title, h.source, h.created_at, c.turn_count, c.failed_turns FROM (
    SELECT r.root_turn_id, r.number, r.title, r.source, r.created_at FROM (
      (SELECT r.root_turn_id, r.number, r.title, r.source, r.created_at FROM state.runs r WHERE r.project_id = $1
        ORDER BY r.number DESC LIMIT ${LOOKED_AT})
      UNION
      (SELECT r.root_turn_id, r.number, r.title, r.source, r.created_at FROM state.runs r WHERE r.project_id = $1
        AND (r.root_turn_id = $4 OR r.number = CASE WHEN $4 ~ '^[0-9]{1,9}$' THEN $4::int END))
    ) r
    WHERE r.root_turn_id = $4 OR concat_ws(' ', 'run ' || r.number, r.title, r.source) ILIKE ALL ($2::text[])
    ORDER BY (r.root_turn_id = $4) DESC, (r.number::text = $4) DESC, r.number DESC
    LIMIT $3
  ) h CROSS JOIN LATERAL (
    SELECT count(*)::int AS turn_count,
      (count(*) FILTER (WHERE t.status IN ('failed', 'timeout')))::int AS failed_turns
    FROM state.agent_turns t WHERE t.project_id = $1 AND t.root_turn_id = h.root_turn_id
  ) c
  ORDER BY (h.root_turn_id = $4) DESC, (h.number::text = $4) DESC, h.number DESC`;

const TEXT = `coalesce(CASE c.content ->> 'kind' WHEN 'text' THEN c.content ->> 'text' WHEN 'json' THEN c.content ->> 'data'
  WHEN 'tool_call' THEN concat_ws(' ', c.content ->> 'tool_name', c.content ->> 'arguments')
  WHEN 'tool_result' THEN coalesce(c.content ->> 'result', c.content ->> 'error') ELSE c.content ->> 'fields' END, '')`;

// Boxes of requests and profiles come only when they are named: there is one for every step. A context box that names no
// owner belongs to the turn that reads it. One that belongs to no turn has no name of its own: it is told by how it begins.
const BOX = "b.box_id, b.kind, b.owner_turn_id, b.length, b.token_sum, b.consist, b.created_at";
const BOXES = `
  SELECT h.box_id, h.kind, h.length, h.token_sum, h.consist, h.created_at, h.owner_headcode, h.owner_profile_name, h.owner_title,
    (SELECT r.number FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = h.root_turn_id) AS run_number,
    CASE WHEN h.owner_title IS NULL AND h.owner_profile_name IS NULL THEN
      (SELECT left(regexp_replace(left(${TEXT}, 200), '\\s+', ' ', 'g'), 80)
        FROM card_box_chunks k JOIN cards c ON c.tenant_id = $1 AND c.card_id = k.card_ids[1] AND c.deleted_at IS NULL
        WHERE k.tenant_id = $1 AND k.box_id = h.box_id ORDER BY k.n LIMIT 1) END AS opening
  FROM (
  SELECT b.box_id, b.kind, b.length, b.token_sum, b.consist, b.created_at, t.headcode AS owner_headcode,
    t.profile_name AS owner_profile_name, t.title AS owner_title, t.root_turn_id
  FROM (
    (SELECT ${BOX} FROM (SELECT ${BOX} FROM card_boxes b WHERE b.tenant_id = $1 ORDER BY b.created_at DESC, b.box_id DESC LIMIT ${LOOKED_AT}) b
      WHERE (b.kind NOT IN ('request', 'profile') OR ($4 <> '' AND (b.box_id ILIKE '%' || $4 OR $4 ILIKE b.kind || '%')))
        AND (b.length > 0 OR $4 <> ''))
    UNION
    (SELECT ${BOX} FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = $4)
  ) b
  LEFT JOIN LATERAL (
    (SELECT o.project_id, o.root_turn_id, o.headcode, o.profile_name, o.title FROM state.agent_turns o WHERE o.project_id = $1 AND o.agent_turn_id = b.owner_turn_id)
    UNION ALL
    (SELECT c.project_id, c.root_turn_id, c.headcode, c.profile_name, c.title FROM state.agent_turns c WHERE b.owner_turn_id IS NULL AND b.kind = 'context'
      AND c.project_id = $1 AND c.context_box_id = b.box_id LIMIT 1)
  ) t ON true
  WHERE b.box_id = $4 OR concat_ws(' ', right(b.box_id, 8), b.kind, t.headcode, t.profile_name, t.title) ILIKE ALL ($2::text[])
  ORDER BY (b.box_id = $4) DESC, (right(b.box_id, length($4)) = lower($4) AND $4 <> '') DESC, b.created_at DESC, b.box_id DESC
  LIMIT $3) h`;

// $5 the words as a text-search query, $6 the first word. Fresh cards may not be in the index yet. Prompts hold the words
// of everything they were made of, so they come only when their type is asked for.
const CARDS = `
  WITH found AS (
    (SELECT s.card_id, s.created_at FROM (
        (SELECT s.card_id, s.created_at FROM card_search s
          WHERE s.tenant_id = $1 AND $5 <> '' AND s.body @@ to_tsquery('simple', $5) LIMIT ${LOOKED_AT})
        UNION
        (SELECT s.card_id, s.created_at FROM (SELECT s.card_id, s.created_at, s.body FROM card_search s WHERE s.tenant_id = $1 AND $5 <> ''
            ORDER BY s.created_at DESC LIMIT ${LOOKED_AT}) s WHERE s.body @@ to_tsquery('simple', $5))
      ) s ORDER BY s.created_at DESC LIMIT $3 * 3)
    UNION
    (SELECT f.card_id, f.created_at FROM (
        SELECT c.card_id, c.created_at, c.content, c.metadata FROM cards c
        WHERE c.tenant_id = $1 AND c.deleted_at IS NULL ORDER BY c.created_at DESC, c.card_id DESC LIMIT ${FRESH_CARDS}) f
      CROSS JOIN LATERAL (SELECT f.content, f.metadata) c
      WHERE concat_ws(' ', f.metadata ->> 'type', ${TEXT}) ILIKE ALL ($2::text[])
      LIMIT $3 * 3)
    UNION
    (SELECT c.card_id, c.created_at FROM cards c WHERE c.tenant_id = $1 AND c.card_id = $4)
  )
  SELECT c.card_id, c.metadata ->> 'type' AS type, c.metadata ->> 'role' AS role,
    coalesce(c.metadata ->> 'author_id', '') AS author_id, c.token_count, c.created_at,
    CASE WHEN w.at > 41 THEN '…' || regexp_replace(substr(x.text, w.at - 40, ${EXCERPT_CHARS}), '^\\S*\\s+', '')
      ELSE left(x.text, ${EXCERPT_CHARS}) END AS excerpt,
    (SELECT (array_agg(b.box_id))[1] FROM ${heldIn("ARRAY[c.card_id]")} b) AS box_id
  FROM found f JOIN cards c ON c.tenant_id = $1 AND c.card_id = f.card_id
  CROSS JOIN LATERAL (SELECT ${TEXT} AS text) x CROSS JOIN LATERAL (SELECT strpos(lower(x.text), lower($6)) AS at) w
  WHERE c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())
    AND (c.metadata ->> 'type' NOT LIKE 'sys.%' OR c.card_id = $4 OR $4 ILIKE 'sys.%')
  ORDER BY (c.card_id = $4) DESC, c.created_at DESC, c.card_id DESC
  LIMIT $3`;

const AGENT =
  "a.agent_id, a.profile_name, a.display_name, a.worker_target, a.profile_box_id, a.last_seen_at, a.created_at, a.is_human, a.status, a.last_output_box_id";
const AGENTS = `
  SELECT a.agent_id, a.profile_name, a.display_name, a.worker_target, a.profile_box_id, a.head_status, a.last_seen_at,
    a.last_output_box_id,
    (SELECT count(*)::int FROM state.due d WHERE d.project_id = $1 AND d.queued_for = a.agent_id) AS queued_count,
    (SELECT count(*)::int FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_id = a.agent_id) AS turn_count
  FROM (
  SELECT ${AGENT}, h.status AS head_status, coalesce(h.updated_at, a.created_at) AS moved_at FROM (
    (SELECT ${AGENT} FROM resource.project_agents a WHERE a.project_id = $1 ORDER BY a.created_at DESC, a.agent_id DESC LIMIT ${LOOKED_AT})
    UNION
    (SELECT ${AGENT} FROM resource.project_agents a WHERE a.project_id = $1 AND a.agent_id = $4)
  ) a
  CROSS JOIN LATERAL (SELECT h.status, h.updated_at FROM state.agent_state_head h WHERE h.project_id = $1 AND h.agent_id = a.agent_id OFFSET 0) h
  WHERE NOT a.is_human AND a.status = 'active' AND (a.agent_id = $4
    OR concat_ws(' ', a.agent_id, a.display_name, a.profile_name, a.worker_target) ILIKE ALL ($2::text[]))
  ORDER BY (a.agent_id = $4) DESC, moved_at DESC, a.agent_id
  LIMIT $3) a
  ORDER BY (a.agent_id = $4) DESC, a.moved_at DESC, a.agent_id`;

const PROFILES = `
  SELECT p.profile_box_id, p.name, p.description, p.worker_target, p.tags, p.updated_at
  FROM resource.profiles p
  WHERE p.project_id = $1 AND p.name <> '${HUMAN_PROFILE}'
    AND concat_ws(' ', p.name, p.worker_target, array_to_string(p.tags, ' '), p.description) ILIKE ALL ($2::text[])
  ORDER BY (lower(p.name) = lower($4)) DESC, (p.name ILIKE $4 || '%') DESC, p.name
  LIMIT $3`;

// Whether there are older ones than those that were looked at.
const OLDER = `
  SELECT EXISTS (SELECT FROM state.agent_turns t WHERE t.project_id = $1 OFFSET ${LOOKED_AT} LIMIT 1) AS turn,
    EXISTS (SELECT FROM state.runs r WHERE r.project_id = $1 OFFSET ${LOOKED_AT} LIMIT 1) AS run,
    EXISTS (SELECT FROM card_boxes b WHERE b.tenant_id = $1 OFFSET ${LOOKED_AT} LIMIT 1) AS box,
    EXISTS (SELECT FROM resource.project_agents a WHERE a.project_id = $1 OFFSET ${LOOKED_AT} LIMIT 1) AS agent`;
type Older = Record<"turn" | "run" | "box" | "agent", boolean>;

/** An unknown project has nothing in it. */
export async function searchProject(kernel: Kernel, input: SearchInput): Promise<SearchHits> {
  const words = input.query.trim().split(/\s+/).filter(Boolean).slice(0, WORDS_MAX);
  const query = input.query.trim();
  const patterns = words.length === 0 ? ["%"] : words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  const more: SearchKind[] = [];

  async function find<Hit extends object>(kind: SearchKind, text: string, extra: unknown[] = []): Promise<Hit[]> {
    if (!input.kinds.includes(kind)) return [];
    const rows = await read<Record<string, unknown>>(kernel, `search_${kind}`, text, [
      input.project_id,
      patterns,
      input.limit + 1,
      query,
      ...extra,
    ]);
    if (rows.length > input.limit) more.push(kind);
    return rows.slice(0, input.limit).map((row) => present<Hit>(row));
  }

  const [[older], turns, runs, boxes, cards, agents, profiles] = await Promise.all([
    read<Older>(kernel, "search_older", OLDER, [input.project_id]),
    find<TurnHit>("turn", TURNS, [input.near_turn ?? null]),
    find<RunHit>("run", RUNS),
    find<BoxHit>("box", BOXES),
    find<CardHit>("card", CARDS, [textQuery(words), words[0] ?? ""]),
    find<Unasked<AgentHit> & { profile_box_id: string }>("agent", AGENTS),
    find<Unasked<ProfileHit>>("profile", PROFILES),
  ]);
  const takers = await takersOf(kernel, input.project_id, [...agents, ...profiles]);
  return {
    turns,
    runs,
    boxes,
    cards,
    agents: agents.map(({ profile_box_id, ...hit }) => ({ ...hit, ...takers({ ...hit, profile_box_id }) })),
    profiles: profiles.map((hit) => ({ ...hit, ...takers(hit) })),
    more,
    looked_at: LOOKED_AT,
    partial: input.kinds.filter((kind) => words.length > 0 && older?.[kind as keyof Older] === true),
  };
}

type Unasked<Hit> = Omit<Hit, "worker_count" | "needs_own_worker">;
type Performer = { worker_target: string; profile_box_id: string };

/** How many workers take what each of them runs: the figure of the dry run, by the same statement. */
async function takersOf(kernel: Kernel, project_id: string, hits: readonly Performer[]) {
  const modelless = await readModelless(kernel, { project_id, profile_box_ids: hits.map((hit) => hit.profile_box_id) });
  const askedOf = ({ worker_target, profile_box_id }: Performer): Takers => ({
    worker_target,
    needs_own_worker: modelless.has(profile_box_id),
  });
  const keyOf = (one: Takers) => `${one.worker_target} ${one.needs_own_worker}`;
  const targets = [...new Map(hits.map(askedOf).map((one) => [keyOf(one), one])).values()];
  const counts =
    targets.length === 0
      ? []
      : await countTakers(kernel, { project_id, seen_ms: kernel.tunables.workerSeenMsMax, targets });
  const countOf = new Map(targets.map((one, i) => [keyOf(one), counts[i] ?? 0]));
  return (hit: Performer) => {
    const asked = askedOf(hit);
    return { needs_own_worker: asked.needs_own_worker, worker_count: countOf.get(keyOf(asked)) ?? 0 };
  };
}

/** Words as prefixes, all of them required; signs that mean something to Postgres are left out. */
function textQuery(words: string[]): string {
  return words
    .flatMap((word) => word.split(/[^\p{L}\p{N}]+/u))
    .filter(Boolean)
    .map((word) => `${word}:*`)
    .join(" & ");
}

/** A column without a value is an absent key. */
const present = <Hit extends object>(row: Record<string, unknown>): Hit =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Hit;
