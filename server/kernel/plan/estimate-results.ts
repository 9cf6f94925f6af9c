// What results that do not exist yet may weigh: of each profile the median of its last deliverables and outputs in this project,
// with their range. One statement, however many profiles.
import type { Estimate } from "@/server/contract/plan/kernel-check";
import type { Load } from "@/server/contract/plan/plan";
import { type Reader, read } from "../reader";

/** Absent = nothing is known. */
export type ProfileResults = { deliverable?: Estimate; output?: Estimate };

// The newest turns of the project are read once; a profile that has not run among them is not known.
const RESULTS = `
  WITH recent AS MATERIALIZED (
    SELECT t.profile_name, t.deliverable_card_id, t.output_box_id, t.created_at FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.status IN ('success', 'partial') AND NOT t.is_human ORDER BY t.created_at DESC LIMIT 2000
  )
  SELECT n.name, d.body AS deliverable, o.body AS output
  FROM unnest($2::text[]) AS n(name)
  CROSS JOIN LATERAL (SELECT json_build_object('low', min(x.tokens), 'likely', percentile_disc(0.5) WITHIN GROUP (ORDER BY x.tokens),
      'high', max(x.tokens)) AS body
    FROM (SELECT c.token_count AS tokens FROM recent r
      JOIN LATERAL (SELECT token_count FROM cards WHERE tenant_id = $1 AND card_id = r.deliverable_card_id OFFSET 0) c ON true
      WHERE r.profile_name = n.name ORDER BY r.created_at DESC LIMIT 20) x) d
  CROSS JOIN LATERAL (SELECT json_build_object('low', min(x.tokens), 'likely', percentile_disc(0.5) WITHIN GROUP (ORDER BY x.tokens),
      'high', max(x.tokens)) AS body
    FROM (SELECT b.token_sum AS tokens FROM recent r
      JOIN LATERAL (SELECT token_sum FROM card_boxes WHERE tenant_id = $1 AND box_id = r.output_box_id OFFSET 0) b ON true
      WHERE r.profile_name = n.name ORDER BY r.created_at DESC LIMIT 20) x) o`;

type Row = { name: string; deliverable: Nullable; output: Nullable };
type Nullable = { [K in keyof Estimate]: number | null };

export async function estimateResults(
  reader: Reader,
  { project_id, profile_names }: { project_id: string; profile_names: string[] },
): Promise<Map<string, ProfileResults>> {
  if (profile_names.length === 0) return new Map();
  const rows = await read<Row>(reader, "plan_estimates", RESULTS, [project_id, [...new Set(profile_names)]]);
  return new Map(rows.map(({ name, ...of }) => [name, known(of)]));
}

const known = ({ deliverable, output }: Omit<Row, "name">): ProfileResults => ({
  ...(isKnown(deliverable) && { deliverable }),
  ...(isKnown(output) && { output }),
});
const isKnown = (one: Nullable): one is Estimate => one.likely !== null;

/** A digest is cut at 2,000 characters (turns/digest.ts), and the card says whose it is. */
const SUMMARY_TOKENS_MAX = 500;
const SUMMARY_TOKENS_OWN = 30;

/** Undefined = not known. */
export function estimateOf(results: ProfileResults | undefined, take: TakeOf): Estimate | undefined {
  if (take !== "summary") return results?.[take];
  const { low, likely, high } = results?.deliverable ?? { low: 0, likely: SUMMARY_TOKENS_MAX / 2, high: Infinity };
  const cut = (tokens: number) => Math.min(tokens, SUMMARY_TOKENS_MAX) + SUMMARY_TOKENS_OWN;
  return { low: cut(low), likely: cut(likely), high: cut(high) };
}
export type TakeOf = Extract<Load, { from: string }>["take"];

export const sumOf = (estimates: readonly Estimate[]): Estimate | undefined =>
  estimates.length === 0
    ? undefined
    : estimates.reduce((a, b) => ({ low: a.low + b.low, likely: a.likely + b.likely, high: a.high + b.high }));
