// The person at the root of a launch: an agent `human_<user>` on the built-in profile sys.human, created when first needed.
// The caller holds the project's row, so two first launches do not make it twice.
import { KernelError } from "@/server/contract/errors";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { insertAgents } from "../roster/insert-agents";
import { HUMAN_PROFILE, HUMAN_TARGET } from "../turns/turn-row";
import type { Unit } from "../unit";

const FIND = "SELECT profile_box_id, is_human FROM resource.project_agents WHERE project_id = $1 AND agent_id = $2";

export type FoundHuman = { profile_box_id: string; is_human: boolean };

/** undefined: nobody has launched by this name yet. */
export async function findHuman(
  unit: Unit,
  { project_id, user }: { project_id: string; user: string },
): Promise<FoundHuman | undefined> {
  return (await unit.query<FoundHuman>("human_find", FIND, [project_id, `human_${user}`]))[0];
}

/** `found`: what was found behind the lock of the project's row, or of the run's. */
export async function ensureHuman(
  unit: Unit,
  input: { project_id: string; user: string; found: FoundHuman | undefined },
): Promise<{ agent_id: string; profile_box_id: string }> {
  const { project_id, user, found } = input;
  const agent_id = `human_${user}`;
  // Before such ids were reserved for people, a profile called Human gave them to its agents.
  if (found && !found.is_human)
    throw new KernelError("conflict", `user: agent ${agent_id} exists and is not a person; use another user name`);
  if (found) return { agent_id, profile_box_id: found.profile_box_id };
  const [card] = await insertCards(unit, {
    project_id,
    cards: [
      {
        type: "sys.profile",
        author_id: "switchyard",
        content: { kind: "json", data: { name: HUMAN_PROFILE, description: "A person.", worker_target: HUMAN_TARGET } },
      },
    ],
  });
  if (!card) throw new Error("a card was given and none came back");
  const [box] = await createBoxes(unit, {
    project_id,
    boxes: [{ kind: "profile", owner_agent_id: agent_id, items: [{ ...card, origin: "sys" }] }],
  });
  if (!box) throw new Error("a box was asked for and none came back");
  await insertAgents(unit, {
    project_id,
    agents: [
      {
        agent_id,
        profile_box_id: box.box_id,
        profile_name: HUMAN_PROFILE,
        worker_target: HUMAN_TARGET,
        is_human: true,
        tags: ["human"],
        display_name: user,
        action: "provision",
        source_agent_id: agent_id,
      },
    ],
  });
  return { agent_id, profile_box_id: box.box_id };
}
