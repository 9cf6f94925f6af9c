// One plan run of a report: how it ended, what it was given, and each node with what it was asked, how it stands and its turns.
import type { PlanRunLine } from "@/server/contract/bundle/plan-lines";
import { anchorOf, escaped, readable } from "./escape";
import { nodeKey, type PlanNode, type RunIndex } from "./run-index";

type Drawn = PlanRunLine["body"]["nodes"][number];

export function planSection(index: RunIndex, run: PlanRunLine): string {
  const { plan_run_id, body, status } = run;
  const drawn = new Set(body.nodes.map(({ id }) => id));
  const gone = [...index.nodes.values()].filter((node) => node.plan_run_id === plan_run_id && !drawn.has(node.node_id));
  const codes = new Map(index.turns.map(({ turn }) => [turn.agent_turn_id, turn.headcode]));
  const nodes = body.nodes.map((node) => nodeItem(node, index.nodes.get(nodeKey(plan_run_id, node.id)), codes));
  const taken = gone.map((node) => nodeItem({ id: node.node_id }, node, codes));
  return `<details class="plan" open id="plan-${escaped(plan_run_id)}"><summary><span dir="auto">${escaped(body.name || "Plan")}</span> ${stateOf(status)}</summary><div>
<p class="dim">${escaped(factsOf(run))}</p>${inputsOf(run)}<ol>${nodes.join("")}${taken.join("")}</ol>${editsOf(index, plan_run_id)}</div></details>
`;
}

const stateOf = (status: string): string => `<span class="status ${escaped(status)}">${escaped(status)}</span>`;

const factsOf = ({ plan_run_id, version, body_rev, created_at, ended_at, forked_from }: PlanRunLine): string =>
  [
    `plan run ${plan_run_id}`,
    version === null ? "" : `version ${version}`,
    body_rev > 1 ? `edited ${body_rev - 1} times` : "",
    forked_from === null ? "" : `fork of ${forked_from}`,
    `began ${readable(created_at)}`,
    ended_at === null ? "not ended" : `ended ${readable(ended_at)}`,
  ]
    .filter(Boolean)
    .join(", ");

function inputsOf({ inputs }: PlanRunLine): string {
  const given = Object.entries(inputs).map(([name, one]) => {
    const said = "box_id" in one ? `box ${one.box_id}` : (one.text ?? `card ${one.card_id}`);
    return `<p class="card">Input ${escaped(name)}</p><pre dir="auto">${escaped(said)}</pre>`;
  });
  return given.join("");
}

function nodeItem(
  drawn: Pick<Drawn, "id"> & Partial<Drawn>,
  node: PlanNode | undefined,
  codes: Map<string, string>,
): string {
  const name = `<span dir="auto">${escaped(drawn.title ?? drawn.id)}</span> <span class="dim">${escaped(drawn.id)}${drawn.kind ? `, ${drawn.kind}` : ", taken away"}</span>`;
  const stands = node
    ? ` ${stateOf(node.status)}${node.try > 1 ? ` <span class="dim">try ${node.try}</span>` : ""}`
    : "";
  const why = node?.reason ? `<p class="dim" dir="auto">${escaped(node.reason)}</p>` : "";
  const turns = (node?.turns ?? []).map(
    (id) => `<a href="#${anchorOf("turn", id)}">${escaped(codes.get(id) ?? id)}</a>`,
  );
  return `<li>${name}${stands} ${turns.join(" ")}${why}${asked(drawn)}</li>`;
}

function asked(drawn: Partial<Drawn>): string {
  const texts =
    drawn.kind === "fork"
      ? (drawn.tasks ?? []).map(({ id, instruction }) => `${id}: ${instruction}`)
      : "instruction" in drawn && drawn.instruction
        ? [drawn.instruction]
        : [];
  return texts.map((text) => `<pre dir="auto">${escaped(text)}</pre>`).join("");
}

function editsOf({ edits }: RunIndex, plan_run_id: string): string {
  const own = edits.get(plan_run_id) ?? [];
  if (own.length === 0) return "";
  const said = own.map(
    ({ n, by, ops, reason, created_at }) =>
      `<li dir="auto">Edit ${n} by ${escaped(by)}, ${readable(created_at)}: ${ops.length} operations${reason ? `, ${escaped(reason)}` : ""}</li>`,
  );
  return `<ul class="dim">${said.join("")}</ul>`;
}
