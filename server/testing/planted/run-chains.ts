// Runs planted chains with the built-in worker: everything they leave behind is written by the product itself.
import { Handover } from "@/server/contract/pack";
import { createBoxes } from "@/server/kernel/cardbox/create-boxes";
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import { decideRequest } from "@/server/kernel/humans/decide-request";
import { reportResult } from "@/server/kernel/inbox/report-result";
import type { Kernel } from "@/server/kernel/kernel";
import { launch } from "@/server/kernel/launch/launch";
import { saveRecipe } from "@/server/kernel/roster/save-recipe";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { withUnit } from "@/server/kernel/unit";
import { seedProject } from "../kernel";
import { startTestWorker } from "../turns";
import type { Chain } from "./chain";

const MS_MAX = 120_000;

export async function runChains(kernel: Kernel, project_id: string, chains: readonly Chain[]): Promise<void> {
  await seedProject(
    kernel,
    project_id,
    chains.flatMap(({ profiles }) => profiles),
  );
  await saveTool(kernel, { project_id, tool: { tool_name: "lookup" } });
  await saveRecipe(kernel, {
    ...{ project_id, user: "ann", name: "careful" },
    handover: Handover.parse({
      context_packing_config: {
        pack_arguments: [{ arg_key: "instruction" }],
        inherit_context: { include_from_args: ["sources"], redact: true },
      },
    }),
  });
  const worker = await startTestWorker(kernel);
  try {
    const roots = [];
    for (const one of chains) roots.push(await launched(kernel, project_id, one));
    await untilEnded(kernel, project_id, chains);
  } finally {
    await worker.stop();
  }
}

async function launched(kernel: Kernel, project_id: string, { name, profiles, instruction, more }: Chain) {
  const box_id = `box-${name}`;
  if (more)
    await withUnit(kernel, async (unit) => {
      const cards = await insertCards(unit, {
        project_id,
        cards: more.box.map((card) => ({ ...card, author_id: "ann" })),
      });
      const items = cards.map((card) => ({ ...card, origin: "given" }));
      await createBoxes(unit, { project_id, boxes: [{ box_id, kind: "plain", items }] });
    });
  return launch(kernel, {
    ...{ project_id, tool: "delegate_async", user: "ann" },
    args: {
      ...{ target_strategy: "new", target_ref: profiles[0]?.name, instruction },
      ...(more && { recipe: more.recipe, arguments: { sources: [{ box_id }] } }),
    },
  });
}

const OPEN = `
  SELECT (SELECT count(*)::int FROM state.agent_turns WHERE project_id = $1 AND ended_at IS NULL) AS turns,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', w.tool_call_id, 'key', c.content -> 'arguments' ->> 'key')), '[]')
      FROM state.turn_waiting_tools w JOIN cards c ON c.tenant_id = $1 AND c.tool_call_id = w.tool_call_id AND c.metadata ->> 'type' = 'tool.call'
      WHERE w.project_id = $1 AND w.wait_status = 'waiting' AND w.tool_name = 'lookup') AS calls,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.request_id, 'key', r.question ->> 'question')), '[]')
      FROM state.human_requests r WHERE r.project_id = $1 AND r.status = 'open') AS questions`;
type Asked = { id: string; key: string }[];

async function untilEnded(kernel: Kernel, project_id: string, chains: readonly Chain[]): Promise<void> {
  const byName = new Map(chains.map((one) => [one.name, one]));
  for (const end = Date.now() + MS_MAX; Date.now() < end; await new Promise((done) => setTimeout(done, 50))) {
    const { rows } = await kernel.db.pool.query<{ turns: number; calls: Asked; questions: Asked }>(OPEN, [project_id]);
    const { turns, calls, questions } = rows[0] ?? { turns: 0, calls: [], questions: [] };
    if (turns === 0) return;
    for (const { id, key } of calls) {
      const result = (byName.get(key)?.lookup ?? null) as never;
      await reportResult(kernel, { project_id, tool_call_id: id, status: "success", result });
    }
    for (const { id, key } of questions) {
      const decision = { action: "answer" as const, answer: byName.get(key)?.answer ?? "" };
      await decideRequest(kernel, { project_id, request_id: id, by: "ann", decision });
    }
  }
  throw new Error(`the planted chains did not end in ${MS_MAX} ms`);
}
