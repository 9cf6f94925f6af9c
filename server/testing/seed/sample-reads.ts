// Every read of a page, of a REST route and of the palette, with arguments that find something in a seeded project: for the
// bench that times them and for the test that looks at their plans. Some turns asked for are among the newest, some are old.
import { PERSON_KINDS } from "@/server/contract/person-data";
import { RUN_TURNS, seedId, TURN_CARDS } from "./seed-many";

/** `ask`: a path below the project, or a procedure with its input. */
export type SampleRead = {
  name: string;
  ask: { path: string } | { procedure: string; input: Record<string, unknown> };
};

export function sampleReads(project_id: string, turns: number, run_turns = RUN_TURNS): SampleRead[] {
  const id = (kind: Parameters<typeof seedId>[1], i: number) => seedId(project_id, kind, i);
  const newest = turns - run_turns;
  const root = id("turn_", newest);
  // Two turns from the middle of a run, and the one that delegated to the first of them.
  const half = run_turns / 2;
  const [turn, old, parent] = [newest + half, half, newest + Math.floor((half - 1) / 8)];
  const t = { project: project_id, turn: id("turn_", turn), old: id("turn_", old), parent: id("turn_", parent) };
  const agent = id("agent_", turn);
  const batch = id("batch_", parent);
  const card = id("card_", turn * TURN_CARDS + 9);
  const hot = id("card_", 5);
  const [box, other] = [id("in_", turn), id("in_", turn + 1)];
  const step = id("step_", turn);
  const headcode = `${half < 73 ? 2 : 3}${"ABCW"[turn % 4]}${half}`;
  const plan = `Report-${Math.floor(newest / 100)}`;
  const planRun = id("prun_", newest / 100);
  const get = (path: string): SampleRead => ({ name: `GET ${generic(path)}`, ask: { path } });
  const call = (procedure: string, input: Record<string, unknown> = {}, note = ""): SampleRead => ({
    name: note === "" ? procedure : `${procedure} (${note})`,
    ask: {
      procedure,
      input: ["health.get", "project.list", "project.removed"].includes(procedure) ? input : { project_id, ...input },
    },
  });
  /** Ids differ between projects: what is asked is named without them. */
  const generic = (path: string) =>
    path.replace(/\b(turn|card|in|out|req|agent|batch|step|hr|prun)_01a2[0-9a-f]+/g, "{$1}");
  const search = (kind: string, q: string) =>
    call("search.query", { q, kind, facets: false, limit: 50 }, `${kind} ${generic(q) || "all"}`);

  return [
    ...[
      "",
      "/agents",
      `/agents?profile_name=Worker`,
      "/agents?worker_target=worker_generic",
      `/agents/${agent}`,
      `/agents/${agent}/prefix`,
    ].map(get),
    ...[
      "/alarms",
      `/alarms?root_turn_id=${root}`,
      "/alarms?rule=secret",
      "/alarms?muted=true",
      `/alarms/${id("alarm_", Math.floor(turn / 10) * 10)}`,
      "/alarm-limits",
      "/views",
    ].map(get),
    ...["/deletions", "/retention", "/retention?days=30", `/cards/${card}/holders`, `/runs/${root}/holds`].map(get),
    get("/people/ann/data"),
    ...PERSON_KINDS.map((kind) => get(`/people/ann/data/${kind}`)),
    ...["/artifacts", "/artifacts?area=reports", "/artifacts/reports/report-3.txt"].map(get),
    ...[
      "/batches",
      `/batches?root_turn_id=${root}`,
      `/batches?agent_turn_id=${t.parent}`,
      "/batches?status=running",
      "/batches?status=canceled",
    ].map(get),
    ...[`/batches/${batch}`, `/batches/${batch}/prefix`].map(get),
    ...[
      "/boxes",
      "/boxes?kind=output",
      "/boxes?kind=pack",
      `/boxes?owner_agent_id=${agent}`,
      `/boxes?owner_turn_id=${t.old}`,
    ].map(get),
    ...[
      `/boxes/${box}`,
      `/boxes/${box}/cards`,
      "/boxes/whole_box/cards?limit=500",
      `/boxes/${box}/diff/${other}`,
      `/boxes/${box}/partners`,
      `/boxes/${box}/as-sent`,
    ].map(get),
    ...[
      "/cards",
      "/cards?q=report",
      "/cards?q=lighthouse",
      "/cards?q=unheard",
      "/cards?type=task.deliverable",
      "/cards?type=sys.prompt",
      "/cards?role=tool",
    ].map(get),
    ...[
      "/cards?author_id=human_ann",
      "/cards?author_id=nobody",
      `/cards?author_id=${id("agent_", old)}`,
      `/cards?agent_turn_id=${t.turn}`,
    ].map(get),
    ...[
      `/cards?agent_turn_id=${t.old}`,
      "/cards?agent_turn_id=nothing",
      "/cards?trace_id=nothing",
      "/cards?created_before=2020-01-01T00:00:00Z",
    ].map(get),
    ...[
      `/cards/${card}`,
      `/cards/${card}/sightings`,
      `/cards/${hot}/sightings`,
      `/cards/${card}/sightings?include=same_words,copies`,
      `/runs/${root}/saw-text?text=lighthouse`,
    ].map(get),
    ...["/runs", "/runs?limit=10", "/runs?status=failed", "/runs?sort=-tokens", "/runs?q=is:alarm"].map(get),
    ...[`/runs/${root}/transcript`, `/runs/${root}/transcript-head`].map(get),
    ...[
      "/context-packs",
      "/context-packs?q=choose",
      "/context-packs?q=nothing-like-it",
      `/context-packs?root_turn_id=${root}`,
    ].map(get),
    ...[
      "/human-requests",
      "/human-requests?status=open",
      "/human-requests?status=denied",
      `/human-requests?agent_turn_id=${id("turn_", old + 11)}`,
      `/human-requests?root_turn_id=${root}`,
    ].map(get),
    ...[
      `/human-requests/${id("hr_", old + 11)}`,
      "/inbox",
      "/inbox?status=queued",
      "/inbox?status=error",
      `/inbox?agent_id=${agent}`,
      "/inbox?message_type=stop",
    ].map(get),
    ...[
      "/plans",
      `/plans/${plan}`,
      `/plans/${plan}/versions`,
      `/plans/${plan}/versions/1`,
      `/plans/${plan}/versions/1/diff/2`,
      "/plan-drafts",
    ].map(get),
    ...[
      "/plan-runs",
      "/plan-runs?status=running",
      `/plan-runs?plan=${plan}`,
      `/plan-runs?root_turn_id=${root}`,
      `/plan-runs/${planRun}`,
    ].map(get),
    ...["/profiles", "/profiles/Worker", "/recipes", "/tools", "/workspaces", "/workspaces/repo"].map(get),
    ...[`/env/${root}/key_3`].map(get),
    ...[
      "/state/agents",
      `/state/agents?agent_id=${agent}`,
      "/state/agents?status=suspended",
      "/state/agents?trace_id=trace_0",
      `/state/agents?agent_turn_id=${id("turn_", turns - 8)}`,
    ].map(get),
    ...[
      "/state/steps",
      `/state/steps?agent_turn_id=${t.turn}`,
      `/state/steps?agent_id=${agent}`,
      `/state/steps?step_id=${step}`,
      `/state/steps?parent_step_id=${step}`,
    ].map(get),
    ...[
      "/state/steps?trace_id=trace_0",
      "/state/steps?status=failed",
      "/state/steps?started_before=2020-01-01T00:00:00Z",
    ].map(get),
    ...[
      "/state/execution/edges",
      `/state/execution/edges?agent_id=${agent}`,
      `/state/execution/edges?agent_turn_id=${t.turn}`,
      "/state/execution/edges?primitive=join",
    ].map(get),
    ...[
      "/state/execution/edges?edge_phase=response",
      "/state/execution/edges?trace_id=trace_0",
      `/state/execution/edges?parent_step_id=${step}`,
      `/state/execution/edges?correlation_id=${t.turn}`,
    ].map(get),
    ...[
      "/state/identity/edges",
      `/state/identity/edges?agent_id=${agent}`,
      "/state/identity/edges?action=derive",
      "/state/identity/edges?trace_id=trace_0",
      `/state/identity/edges?parent_step_id=${step}`,
    ].map(get),
    ...[
      "/turns",
      `/turns?agent_id=${agent}`,
      "/turns?status=failed",
      "/turns?status=canceled",
      `/turns?root_turn_id=${root}`,
      "/turns?trace_id=trace_0",
      "/turns?trace_id=nothing",
      `/turns?batch_id=${batch}`,
    ].map(get),
    ...[
      `/turns/${t.turn}`,
      `/turns/${t.turn}/messages`,
      `/turns/${t.turn}/handover`,
      `/runs/${root}/compare/${id("turn_", 0)}`,
      `/steps/${step}/diff/${id("step_", turn + 2)}`,
    ].map(get),

    call("alarm.list", {}),
    call("alarm.limits", {}),
    call("run.list", {}),
    call("run.transcript", { root_turn_id: root }),
    call("run.transcript_head", { root_turn_id: root }),
    call("run.list", { sort: "-tokens" }, "by tokens"),
    call("view.list"),
    call("agent.list", { limit: 50 }),
    call("agent.list", { limit: 50, words: "Worker 5" }, "words"),
    call("agent.list", { limit: 50, words: "unheard" }, "no hit"),
    call("agent.again", { agent_ids: [agent, id("agent_", old)] }),
    call("agent.get", { agent_id: agent }),
    call("agent.turns", { agent_id: agent }),
    call("batch.list", {}),
    call("batch.get", { batch_id: batch }),
    call("batch.part", { batch_id: batch, task_indexes: [1, 2] }),
    call("batch.shared", { batch_id: batch }),
    call("box.list", { without: ["request"] }),
    call("box.list", { kind: "pack" }, "a kind without boxes"),
    call("box.get", { box_id: box }),
    call("box.get", { box_id: "whole_box" }, "10,000 cards"),
    call("box.weights", { box_id: "whole_box", from: 0 }),
    call("box.lines", { box_id: "whole_box", positions: [1, 70, 700, 7_000] }),
    call("box.as_sent", { box_id: box }),
    call("box.as_sent", { box_id: "whole_box" }, "10,000 cards"),
    call("box.lineage", { box_id: box }),
    call("box.lineage", { box_id: "whole_box" }, "10,000 cards"),
    call("box.find", { box_id: "whole_box", card_id: id("card_", 800) }),
    call("card.list", { limit: 50 }),
    call("card.list", { q: "report", limit: 50 }, "a common word"),
    call("card.list", { type: "agent.error", limit: 50 }, "a type without cards"),
    call("card.facets"),
    call("card.holders", { card_id: card }),
    call("run.holds", { root_turn_id: root }),
    call("project.retention", { days: 30 }),
    call("person.data", { user: "ann" }),
    call("person.list", { user: "ann", kind: "cards" }),
    call("card.get", { card_id: card }),
    call("card.get", { card_id: hot }, "in every fifth context"),
    call("card.sightings", { card_id: card }),
    call("card.sightings", { card_id: hot }, "in every fifth context"),
    call("card.sightings", { card_id: card, include: ["same_words", "copies"] }, "and those like it"),
    call("card.saw_text", { root_turn_id: root, text: "the report about" }),
    call("context_pack.list"),
    call("context_pack.list", { q: "nothing-like-it" }, "no hit"),
    call("debugger.handover", { agent_turn_id: t.turn }),
    call("debugger.blame", { card_id: card }),
    call("debugger.blame", { text: "the report about", root_turn_id: root }, "a text of the run"),
    call("debugger.diff", { of: "boxes", a: box, b: other }),
    call("debugger.agent_prefix", { agent_id: agent }),
    call("debugger.batch_prefix", { batch_id: batch }),
    call("debugger.compare", { a: root, b: id("turn_", 0) }),
    call("debugger.partners", { box_id: box }),
    call("delegation.liveRuns", {}),
    call("env_data.sheet", { root_turn_id: root }),
    call("env_data.get", { root_turn_id: root, key: "key_3" }),
    call("graph.snapshot", {}, "the newest run"),
    call("graph.snapshot", { root_turn_id: id("turn_", 0) }, "the oldest run"),
    call("graph.snapshot", { agent_turn_id: t.old }, "the run of a turn"),
    call("graph.snapshot", { root_turn_id: "all", limit: 1_000 }, "all runs, 1,000 turns"),
    call("graph.steps", {
      agent_turn_ids: Array.from({ length: Math.min(100, half) }, (_, i) => id("turn_", turn + i)),
    }),
    call("health.get"),
    call("health.unserved", { asked: [{ worker_target: "worker_generic", needs_own_worker: false }] }),
    call("health.taker", { agent_turn_id: id("turn_", turns - 1) }),
    call("inbox.list", {}),
    call("inbox.list", { state: "ended" }, "ended"),
    call("inbox.requests", {}),
    call("inbox.open_requests", {}),
    call("inbox.queue", {}),
    ...["", "report", "lighthouse", "thing 5", "failed worker", "unheard", headcode, t.old, box, agent].map((query) =>
      call("palette.search", { query }, generic(query) || "nothing typed"),
    ),
    call("plan.lines"),
    call("plan.sheet", { name: plan }),
    call("plan.drawing", { plan }),
    call("plan.drafts"),
    call("plan.graph", { plan_run_id: planRun, body_rev: 1 }),
    call("plan.lift", { agent_turn_id: root }),
    call("plan_run.drawing", { root_turn_id: root }),
    call("plan_run.difference", { a: t.turn, b: id("turn_", turn + 1) }),
    call("profile.lines"),
    call("profile.get", { name: "Worker" }),
    call("profile.sheet", { name: "Worker" }),
    call("project.list"),
    call("project.get"),
    call("project.contents"),
    call("project.extras"),
    call("project.removed"),
    call("recipe.list"),
    ...[
      "",
      "report",
      "lighthouse",
      "unheard",
      "type:task.deliverable",
      "author:nobody",
      "tokens:>1M",
      `in:${t.old}`,
      "run:1",
    ].map((q) => search("card", q)),
    ...[
      "",
      "thing",
      "unheard",
      t.old,
      `headcode:${headcode}`,
      `saw:${card}`,
      `saw:${hot}`,
      "is:failed",
      "is:slow",
      "cost:>1k",
      `under:${id("turn_", newest + 7)}`,
    ].map((q) => search("turn", q)),
    call("search.turn_ids", { q: "is:failed", root_turn_id: root }, "of a run"),
    ...["", "tokens:>1M", "thing"].map((q) => search("box", q)),
    ...["", "5"].map((q) => search("run", q)),
    ...["", "Worker"].map((q) => search("agent", q)),
    call("turn.detail", { agent_turn_id: t.turn }),
    call("turn.sheet", { agent_turn_id: t.turn }),
    call("turn.sheet", { agent_turn_id: root }, "a person's"),
    call("turn.step", { agent_turn_id: t.turn, step_id: step }),
    call("turn.text", { agent_turn_id: t.turn, step_id: step, part: 0 }),
    call("turn.wire", { agent_turn_id: t.turn, ordinal: 1 }),
    call("workspace.list"),
  ];
}
