// The way of cards through a box: what it was made of, and the boxes that inherited from it. No index leads from a box to its
// heirs, so they are found by the places of a few of its cards.
import type { BoxKind } from "@/server/contract/box";
import type { BoxLineage } from "@/server/contract/box-lineage";
import { findPlaces } from "../cardbox/find-places";
import { boxMissing, findBoxes, readBoxIds } from "../cardbox/read-box";
import type { Kernel } from "../kernel";
import { read } from "../reader";

const SOURCES_MAX = 100;
const HEIRS_MAX = 50;
/** Cards by which heirs are looked for, of this many candidates. */
const PROBES_MAX = 8;
const CANDIDATES_MAX = 64;

// A chunk keeps its origins as runs: each run is a slice of its cards.
const WEIGHED = `
  CROSS JOIN LATERAL (
    SELECT r.run ->> 1 AS origin, (r.run ->> 0)::int AS cards, (sum((r.run ->> 0)::int) OVER (ORDER BY r.ord))::int AS upto
    FROM jsonb_array_elements(k.origins) WITH ORDINALITY AS r(run, ord)
  ) r
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(c.token_count), 0) AS tokens FROM unnest(k.card_ids[r.upto - r.cards + 1:r.upto]) AS i(card_id)
    CROSS JOIN LATERAL (SELECT c.token_count FROM cards c WHERE c.tenant_id = $1 AND c.card_id = i.card_id OFFSET 0) c
  ) c`;

const SOURCES = `
  SELECT r.origin, sum(r.cards)::int AS cards, sum(c.tokens)::float8 AS tokens, (count(*) OVER ())::int AS total
  FROM card_box_chunks k ${WEIGHED}
  WHERE k.tenant_id = $1 AND k.box_id = $2
  GROUP BY r.origin ORDER BY min(k.start + r.upto - r.cards) LIMIT ${SOURCES_MAX}`;

/** What a hand-over never passes on finds nobody. */
const TRAVELLED = `
  SELECT c.card_id FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[]) AND c.metadata ->> 'type' !~ '^(meta|sys)[.]'`;

const HEIRS = `
  WITH heir AS MATERIALIZED (
    SELECT b.box_id, b.kind, b.created_at, (count(*) OVER ())::int AS total
    FROM unnest($2::text[]) AS p(box_id)
    CROSS JOIN LATERAL (SELECT b.box_id, b.kind, b.created_at FROM card_boxes b
      WHERE b.tenant_id = $1 AND b.box_id = p.box_id AND b.kind <> 'request' OFFSET 0) b
    WHERE (SELECT bool_or(x.run ->> 1 = $3::text) FROM card_box_chunks k CROSS JOIN LATERAL jsonb_array_elements(k.origins) AS x(run)
      WHERE k.tenant_id = $1 AND k.box_id = b.box_id)
    ORDER BY b.created_at DESC, b.box_id DESC LIMIT ${HEIRS_MAX}
  )
  SELECT h.box_id, h.kind, h.created_at, h.total, s.cards, s.tokens, t.agent_turn_id, t.headcode
  FROM heir h
  CROSS JOIN LATERAL (
    SELECT sum(r.cards)::int AS cards, sum(c.tokens)::float8 AS tokens FROM card_box_chunks k ${WEIGHED}
    WHERE k.tenant_id = $1 AND k.box_id = h.box_id AND r.origin = $3::text
  ) s
  LEFT JOIN LATERAL (SELECT t.agent_turn_id, t.headcode FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.context_box_id = h.box_id ORDER BY t.created_at DESC LIMIT 1) t ON true
  ORDER BY h.created_at DESC, h.box_id DESC`;

type SourceRow = BoxLineage["sources"][number] & { total: number };
type HeirRow = {
  box_id: string;
  kind: BoxKind;
  created_at: string;
  total: number;
  cards: number;
  tokens: number;
  agent_turn_id: string | null;
  headcode: string | null;
};

/** not_found for an unknown box and for one of another project alike. */
export async function readBoxLineage(
  kernel: Kernel,
  { project_id, box_id }: { project_id: string; box_id: string },
): Promise<BoxLineage> {
  const [{ boxes }, ids, sources] = await Promise.all([
    findBoxes(kernel, { project_id, box_ids: [box_id] }),
    readBoxIds(kernel, { project_id, box_ids: [box_id] }),
    read<SourceRow>(kernel, "box_sources", SOURCES, [project_id, box_id]),
  ]);
  if (boxes.length === 0) throw boxMissing(box_id);
  const candidates = spread([...new Set(ids.get(box_id))], CANDIDATES_MAX);
  const travelled = await read<{ card_id: string }>(kernel, "box_probes", TRAVELLED, [project_id, candidates]);
  const known = new Set(travelled.map((row) => row.card_id));
  const card_ids = spread(
    candidates.filter((id) => known.has(id)),
    PROBES_MAX,
  );
  const { places, looked_at } = await findPlaces(kernel, { project_id, card_ids });
  const others = [...new Set(places.map((place) => place.box_id))].filter((id) => id !== box_id);
  const heirs = await read<HeirRow>(kernel, "box_heirs", HEIRS, [project_id, others, `box:${box_id}`]);
  return {
    sources: sources.map(({ origin, cards, tokens }) => ({ origin, cards, tokens })),
    sources_total: sources[0]?.total ?? 0,
    heirs: heirs.map(({ total: _total, agent_turn_id, headcode, ...heir }) => ({
      ...heir,
      ...(agent_turn_id !== null && { agent_turn_id }),
      ...(headcode !== null && { headcode }),
    })),
    heirs_total: heirs[0]?.total ?? 0,
    probes: card_ids.length,
    ...(looked_at !== undefined && { looked_at }),
  };
}

/** Evenly over the whole list, its ends included. */
function spread(ids: readonly string[], max: number): string[] {
  if (ids.length <= max) return [...ids];
  return Array.from({ length: max }, (_, i) => ids[Math.round((i * (ids.length - 1)) / (max - 1))] ?? "");
}
