// What a query asks of `state.agent_turns t`. $1 is the project.
import { isLate, tookMs } from "../alarms/late-sql";
import { tunables } from "../tunables";
import { alarmFlags } from "./alarm-sql";
import type { Ask, KindSql } from "./condition";
import { aboveTurns, hasHeld, hasSeen, heldCards, rootsOf, sawCards, underTurns, wroteCards } from "./key-sets";
import { inNames } from "./words";

const TEXT = "concat_ws(' ', t.headcode, t.title, t.profile_name, t.agent_id, t.status, t.note, t.error_code, t.error)";

const displayName =
  "(SELECT a.display_name FROM resource.project_agents a WHERE a.project_id = $1 AND a.agent_id = t.agent_id)";

/** True if it wrote a card that fits. */
const wroteCard = (question: string) =>
  `(SELECT true FROM cards k WHERE k.tenant_id = $1 AND k.metadata ->> 'agent_turn_id' = t.agent_turn_id AND ${question} LIMIT 1)`;

/** In a list of ids that no row changes: read once. */
const among = (set: (ids: string) => string) => (ask: Ask) => `(t.agent_turn_id IN (${set(ask.ids())})) IS TRUE`;

/** A threshold of the project, or the program's. */
const limit = (name: "late_times" | "late_ms") =>
  `coalesce((SELECT (p.alarm_limits ->> '${name}')::float8 FROM projects p WHERE p.project_id = $1), ${tunables.alarmLimits[name]})`;

const SLOW = isLate("t", { times: limit("late_times"), ms: limit("late_ms") });

export const turnSql: KindSql = {
  fields: {
    type: ({ is }) => wroteCard(is("(k.metadata ->> 'type')")),
    role: ({ is }) => wroteCard(is("(k.metadata ->> 'role')")),
    author: ({ is }) => wroteCard(is("(k.metadata ->> 'author_id')")),
    tool: ({ is }) =>
      wroteCard(
        `k.deleted_at IS NULL AND ${is("coalesce(k.content ->> 'tool_name', k.metadata ->> 'function_name')")}`,
      ),
    agent: ({ is }) => `${is("t.agent_id")} OR ${is(displayName)}`,
    profile: ({ is }) => is("t.profile_name"),
    tokens: ({ is }) => is("(t.tokens_in + t.tokens_out)"),
    cards: ({ is }) => is("(t.context_cards + t.output_cards)"),
    cost: ({ is }) => is("t.cost"),
    depth: ({ is }) => is("t.depth"),
    steps: ({ is }) => is("t.step_count"),
    attempt: ({ is }) => is("t.attempt"),
    duration: ({ is }) => is(tookMs("t")),
    status: ({ is }) => is("t.status"),
    primitive: ({ is }) => is("t.primitive"),
    strategy: ({ is }) => is("t.target_strategy"),
    target: ({ is }) => is("t.worker_target"),
    run: ({ ids }) => `t.root_turn_id = ANY (ARRAY(${rootsOf(ids())}))`,
    // They are written in capitals, so a whole one is found by its index.
    headcode: ({ is, ids, isWhole }) =>
      isWhole ? `t.headcode = ANY (ARRAY(SELECT upper(x) FROM unnest(${ids()}) x))` : is("t.headcode"),
    batch: ({ is }) => is("t.batch_id"),
    error: ({ is }) => is("t.error_code"),
    saw: among(sawCards),
    wrote: among(wroteCards),
    held: among(heldCards),
    under: among(underTurns),
    above: among(aboveTurns),
    before: ({ is }) => is("t.created_at"),
    after: ({ is }) => is("t.created_at"),
  },
  flags: {
    failed: "(t.status IN ('failed', 'timeout'))",
    running: "(t.status IN ('dispatched', 'running'))",
    waiting: "(t.status IN ('queued', 'suspended'))",
    slow: SLOW,
    retried: "(t.attempt > 1)",
    forked: "(t.forked_from IS NOT NULL)",
    ...alarmFlags("al.agent_turn_id = t.agent_turn_id"),
    inferred: `(SELECT true FROM state.edge_extra e
      WHERE e.project_id = $1 AND e.target_turn_id = t.agent_turn_id AND e.is_inferred LIMIT 1)`,
  },
  ...inNames(TEXT, "t.agent_turn_id"),
};

/** For cards that are in so many boxes that only some turns are asked: each of these by its own boxes. */
export const turnByTurnSql: KindSql = {
  ...turnSql,
  fields: { ...turnSql.fields, saw: ({ ids }) => hasSeen(ids()), held: ({ ids }) => hasHeld(ids()) },
};
