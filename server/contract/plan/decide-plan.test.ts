// The one act that a run does next: by example, in the order in which acts go before each other.
import { describe, expect, test } from "vitest";
import { fork, planOf, wagon } from "@/server/testing/plans";
import { type DecidePlan, decidePlan, type PlanAct } from "./decide-plan";
import { followersToReopen } from "./followers-to-reopen";
import type { NodeState } from "./node-end";
import type { Plan } from "./plan";

const now = "2026-01-01T00:00:10Z";
const waiting: NodeState = {
  status: "waiting",
  next_retry_at: null,
  is_released: false,
  passes_limit: false,
  skipped_by: null,
  headcodes: [],
  batch_status: null,
  tasks: [],
};
type Rows = Record<string, Partial<NodeState> | NodeState["status"]>;

const rowsOf = (plan: Plan, rows: Rows) =>
  new Map(
    plan.nodes.map(({ id }) => {
      const row = rows[id] ?? {};
      return [id, { ...waiting, ...(typeof row === "string" ? { status: row } : row) }];
    }),
  );
const run = (plan: Plan, rows: Rows, more: Partial<DecidePlan> = {}) =>
  decidePlan({ plan, nodes: rowsOf(plan, rows), limit: null, is_stepped: false, is_overdue: false, now, ...more });

const line = planOf([wagon("a"), wagon("b", { load: [{ from: "a" }] })]);
const split = planOf([
  wagon("a"),
  wagon("b", { load: [{ from: "a" }] }),
  wagon("c", { after: [{ node: "a", on: "failed" }] }),
  wagon("d", { after: [{ node: "c", on: "ended" }] }),
]);
const lanes = planOf([
  fork("f", [wagon("x"), wagon("y")]),
  wagon("b", { load: [{ from: "f.x" }] }),
  wagon("c", { load: [{ from: "f" }] }),
]);
const held = planOf([wagon("a", { hold: true }), wagon("b")]);
const limit = "turns_max 2 reached: 2 turns";
const batch = (batch_status: NodeState["batch_status"], tasks: NodeState["tasks"] = []) => ({
  status: "running" as const,
  batch_status,
  tasks,
});
const start = (node_id: string): PlanAct => ({ act: "start", node_id });
const skip = (node_id: string, reason: string): PlanAct => ({ act: "skip", node_id, reason });
const end = (status: Extract<PlanAct, { act: "end" }>["status"]): PlanAct => ({ act: "end", status });
const rest: PlanAct = { act: "wait", until: null };

describe("one act", () => {
  test.each<[string, Plan, Rows, Partial<DecidePlan>, PlanAct]>([
    ["the first node starts", line, {}, {}, start("a")],
    ["its follower waits while it runs", line, { a: batch("running") }, {}, rest],
    ["an end is adopted", line, { a: batch("partial") }, {}, { act: "adopt", node_id: "a", status: "partial" }],
    ["a result lets the follower start", line, { a: "partial" }, {}, start("b")],
    ["a replayed result too", line, { a: "replayed" }, {}, start("b")],
    [
      "a replayed failure does not",
      line,
      { a: { status: "replayed", replayed_as: "failed" } },
      {},
      skip("b", "skipped: A failed, and it waits for its result"),
    ],
    [
      "a skip names the wagon by its code",
      planOf([wagon("a"), wagon("b", { after: [{ node: "a", on: "success" }] })]),
      { a: { status: "failed", headcodes: ["1S03"] } },
      {},
      skip("b", "skipped: 1S03 failed, and it waits for its success"),
    ],
    ["a timeout is a failure", split, { a: "timeout", b: "skipped" }, {}, start("c")],
    ["so is a cancellation", split, { a: "canceled", b: "skipped" }, {}, start("c")],
    [
      "a success is none",
      split,
      { a: "success", b: "success" },
      {},
      skip("c", "skipped: A succeeded, and it waits for its failure"),
    ],
    ["what was skipped is over", split, { a: "success", b: "success", c: "skipped" }, {}, start("d")],
    [
      "a task that delivered lets its follower start while the fork runs",
      lanes,
      { f: batch("running", ["success", "dispatched"]) },
      {},
      start("b"),
    ],
    [
      "a task that failed skips it",
      lanes,
      { f: { ...batch("running", ["failed", "pending"]), headcodes: ["1A01", "1A02"] } },
      {},
      skip("b", "skipped: 1A01 failed, and it waits for its result"),
    ],
    ["a task that is tried again is not over", lanes, { f: batch("running", ["pending", "success"]) }, {}, rest],
    [
      "the tasks of a fork that was refused failed with it",
      lanes,
      { f: "failed" },
      {},
      skip("b", "skipped: X failed, and it waits for its result"),
    ],
    [
      "a fork is named by its title",
      lanes,
      { f: "failed", b: "skipped" },
      {},
      skip("c", "skipped: F failed, and it waits for its result"),
    ],
    [
      "rows of an earlier try decide nothing",
      lanes,
      { f: { tasks: ["success", "success"], next_retry_at: "2026-01-01T00:00:12Z" } },
      {},
      { act: "wait", until: "2026-01-01T00:00:12Z" },
    ],
    [
      "a node that holds is held",
      held,
      {},
      {},
      { act: "hold", node_id: "a", reason: "hold", limit: null, cause: "hold" },
    ],
    ["others start meanwhile", held, { a: "held" }, {}, start("b")],
    ["it is held once", held, { a: "held", b: "success" }, {}, rest],
    ["it starts when it is let pass", held, { a: { status: "held", is_released: true } }, {}, start("a")],
    [
      "or is skipped by who decided",
      held,
      { a: { status: "held", skipped_by: "ada: no" } },
      {},
      skip("a", "skipped by ada: no"),
    ],
    [
      "a stepped run holds each node",
      line,
      {},
      { is_stepped: true },
      { act: "hold", node_id: "a", reason: "stepped: each node waits for a person", limit: null, cause: "stepped" },
    ],
    [
      "a limit holds what would start",
      line,
      {},
      { limit: () => limit },
      { act: "hold", node_id: "a", reason: limit, limit, cause: "limit" },
    ],
    [
      "but not what a person let pass it",
      line,
      { a: { status: "held", is_released: true, passes_limit: true } },
      { limit: () => limit },
      start("a"),
    ],
    [
      "again if they did not know of it",
      line,
      { a: { status: "held", is_released: true } },
      { limit: () => limit },
      { act: "hold", node_id: "a", reason: limit, limit, cause: "limit" },
    ],
    [
      "and not another for which there is room",
      planOf([wagon("a"), wagon("b")]),
      { a: { status: "held" } },
      { limit: (id) => (id === "a" ? limit : null) },
      start("b"),
    ],
    [
      "what is to be tried again is not due yet",
      line,
      { a: { next_retry_at: "2026-01-01T00:00:12Z" } },
      {},
      { act: "wait", until: "2026-01-01T00:00:12Z" },
    ],
    ["and then is", line, { a: { next_retry_at: now } }, {}, start("a")],
    ["the deadline ends what is open", line, { a: batch("running") }, { is_overdue: true }, { act: "timeout" }],
    [
      "after an end is adopted",
      line,
      { a: batch("success") },
      { is_overdue: true },
      { act: "adopt", node_id: "a", status: "success" },
    ],
    ["and nothing that was over in time", line, { a: "success", b: "success" }, { is_overdue: true }, end("success")],
    [
      "skips come before starts",
      planOf([wagon("z"), ...split.nodes]),
      { a: "success" },
      {},
      skip("c", "skipped: A succeeded, and it waits for its failure"),
    ],
    [
      "a node that is off is skipped",
      planOf([wagon("a", { disabled: true }), wagon("b")]),
      {},
      {},
      skip("a", "skipped: it is switched off"),
    ],
    [
      "nodes of a circle are skipped, or the run would never end",
      planOf([wagon("a", { load: [{ from: "b" }] }), wagon("b", { load: [{ from: "a" }] })]),
      {},
      {},
      skip("a", "skipped: nothing that it waits for can end any more"),
    ],
  ])("%s", (_, plan, rows, more, act) => {
    expect(run(plan, rows, more)).toEqual(act);
  });
});

describe("the end", () => {
  const two = planOf([wagon("a"), wagon("b", { load: [{ from: "a" }] }), wagon("c", { load: [{ from: "a" }] })]);
  const named = { ...two, result: "b" };
  const guarded = planOf([wagon("a"), wagon("b", { after: [{ node: "a", on: "failed" }] })]);
  test.each<[string, Plan, Rows, Parameters<typeof end>[0]]>([
    ["that of the last node", line, { a: "success", b: "timeout" }, "timeout"],
    ["canceled, if that is how it ended", line, { a: "success", b: "canceled" }, "canceled"],
    ["that of the node named", named, { a: "success", b: "success", c: "failed" }, "success"],
    ["failed if that was skipped", named, { a: "success", b: "skipped", c: "success" }, "failed"],
    ["of several, that of a batch", two, { a: "success", b: "success", c: "failed" }, "partial"],
    ["of several, without those skipped", two, { a: "success", b: "skipped", c: "success" }, "success"],
    ["of several, failed if only canceled ones are left", two, { a: "success", b: "skipped", c: "canceled" }, "failed"],
    ["failed if all are skipped", two, { a: "failed", b: "skipped", c: "skipped" }, "failed"],
    ["success if a handler of failures was not needed", guarded, { a: "success", b: "skipped" }, "success"],
    ["partial if it was", guarded, { a: "failed", b: "success" }, "partial"],
    [
      "that of a replayed result",
      line,
      { a: "replayed", b: { status: "replayed", replayed_as: "partial" } },
      "partial",
    ],
  ])("is %s", (_, plan, rows, status) => expect(run(plan, rows)).toEqual(end(status)));
});

describe("tried again", () => {
  const reopen = (plan: Plan, rows: Rows, place: string) =>
    followersToReopen({ plan, nodes: rowsOf(plan, rows) }, place);
  const chain = planOf([
    wagon("a"),
    wagon("z"),
    wagon("b", { load: [{ from: "a" }] }),
    wagon("c", { load: [{ from: "b" }] }),
    wagon("d", { load: [{ from: "b" }, { from: "z" }] }),
    wagon("e", { after: [{ node: "a", on: "ended" }] }),
  ]);
  const failed: Rows = { a: "failed", z: "success", b: "skipped", c: "skipped", d: "skipped", e: "success" };
  test.each<[string, Plan, Rows, string, string[]]>([
    ["what was skipped because of it waits again, and what was because of that", chain, failed, "a", ["b", "c", "d"]],
    ["what something else skipped stays skipped", chain, { ...failed, z: "failed" }, "a", ["b", "c"]],
    [
      "what a person skipped stays skipped",
      chain,
      { ...failed, b: { status: "skipped", reason: "skipped by ada" } },
      "a",
      [],
    ],
    ["what ran stays as it ran", chain, { ...failed, b: "success", c: "success", d: "success" }, "a", []],
    ["a task: its followers", lanes, { f: batch("running", ["failed", "dispatched"]), b: "skipped" }, "f.x", ["b"]],
    [
      "a fork: those of tasks that did not deliver",
      lanes,
      { f: { status: "failed", tasks: ["failed", "success"] }, b: "skipped", c: "skipped" },
      "f",
      ["b", "c"],
    ],
    [
      "but not those that waited for the failure of one that did",
      planOf([fork("f", [wagon("x"), wagon("y")]), wagon("b", { after: [{ node: "f.y", on: "failed" }] })]),
      { f: { status: "partial", tasks: ["failed", "success"] }, b: "skipped" },
      "f",
      [],
    ],
  ])("%s", (_, plan, rows, place, ids) => expect(reopen(plan, rows, place)).toEqual(ids));
});
