// When a branch counts as late, as SQL: the same for the sweep and for `is:slow` in a search.

/** Of a running turn: so far. */
export const tookMs = (t: string): string =>
  `(extract(epoch FROM coalesce(${t}.ended_at, now()) - ${t}.started_at) * 1000)::float8`;

/** Of the branches of its fork that have ended. NULL without one. */
export const siblingsMs = (t: string): string => `(
  SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ${tookMs("o")}) FROM state.agent_turns o
  WHERE o.project_id = ${t}.project_id AND o.batch_id = ${t}.batch_id AND o.agent_turn_id <> ${t}.agent_turn_id
    AND o.started_at IS NOT NULL AND o.ended_at IS NOT NULL)`;

/** `times` and `ms`: how often the median of its siblings, and the least that is late at all. */
export const isLate = (t: string, { times, ms }: { times: string; ms: string }): string =>
  `(CASE WHEN ${t}.batch_id IS NOT NULL AND ${t}.started_at IS NOT NULL AND ${tookMs(t)} > ${ms}
    THEN ${tookMs(t)} > ${times} * ${siblingsMs(t)} ELSE false END)`;
