// What to send to a model now: for workers that ask over REST, built by the same code that the built-in worker uses.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { countSteps, type NextRequest, nextRequest } from "../provenance/next-request";
import { readOwnCards, readScene } from "../provenance/read-scene";
import { readTools } from "../tools/read-tools";
import { readTurn } from "../turns/read-turn";

/** not_found for an unknown turn; conflict for one that makes no model calls any more, or not yet. */
export async function readNextRequest(
  kernel: Kernel,
  input: { project_id: string; agent_turn_id: string },
): Promise<NextRequest> {
  const { project_id, agent_turn_id } = input;
  const turn = await readTurn(kernel, input);
  if (!turn) throw new KernelError("not_found", `turn ${agent_turn_id} not found in project ${project_id}`);
  if (turn.status !== "dispatched" && turn.status !== "running" && turn.status !== "suspended")
    throw new KernelError(
      "conflict",
      `turn ${agent_turn_id} is ${turn.status}, so it has no next request; leave out step to see its last one`,
    );
  const scene = await readScene(kernel, turn);
  const own_cards = await readOwnCards(kernel, turn);
  const steps_max = scene.profile.max_steps ?? kernel.tunables.stepsMax;
  const tools = await readTools(kernel, { project_id, profile: scene.profile });
  return nextRequest(scene, tools, { own_cards, steps_done: countSteps(own_cards), steps_max });
}
