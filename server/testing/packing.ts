// Hand-overs for tests: a project with a caller `agent_parent` whose head's context is `box_context` = [c_ctx], a profile
// `delegatee`, and boxes as a test needs them.
import { expect } from "vitest";
import type { Card } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import type { HandoverInput } from "@/server/contract/pack";
import { createBoxes } from "@/server/kernel/cardbox/create-boxes";
import type { AuthoredCard } from "@/server/kernel/cardbox/draft-card";
import { getCards } from "@/server/kernel/cardbox/get-cards";
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import { packContext } from "@/server/kernel/context/pack-context";
import type { PackContextInput } from "@/server/kernel/context/pack-item";
import { findProfile } from "@/server/kernel/roster/find-profile";
import { withUnit } from "@/server/kernel/unit";
import { countRows, openTestKernel, seedProject, type TestKernel } from "./kernel";

export const packProject = "proj_1";

export type PackGiven = Partial<Omit<PackContextInput, "arguments">> & { arguments?: Record<string, unknown> };

type PackedWithIds = Awaited<ReturnType<typeof packContext>>;

export type PackYard = {
  kernel: TestKernel;
  /** The profile box of `delegatee`. */
  delegatee: string;
  /** A box of the given cards; cards of the same id are shared. */
  put: (box_id: string, cards: (string | AuthoredCard)[], project_id?: string) => Promise<string>;
  pack: (given: PackGiven) => Promise<PackedWithIds>;
  /** As a person, who may hand over any box. */
  packAny: (given: PackGiven) => Promise<PackedWithIds>;
  /** The refusal, after making sure that it left nothing behind (K10). */
  refused: (given: PackGiven) => Promise<KernelError>;
  cardsOf: (ids: string[]) => Promise<Card[]>;
  typesOf: (ids: string[]) => Promise<string[]>;
};

export const textCard = (card_id: string, content = card_id): AuthoredCard => ({
  card_id,
  type: "task.context",
  content,
  author_id: "me",
});

export const packRecipe = (inherit: object = {}, packing: object = {}): HandoverInput => ({
  target_profile_config: { profile_name: "delegatee" },
  context_packing_config: {
    pack_arguments: [{ arg_key: "instruction", as_card_type: "task.instruction" }],
    inherit_context: { include_boxes_from_args: ["input_box_ids"], include_parent: true, ...inherit },
    order: "inherited_first",
    ...packing,
  },
});

export async function openPackYard(): Promise<PackYard> {
  const kernel = await openTestKernel();
  await seedProject(kernel, packProject, [{ name: "Boss" }, { name: "delegatee" }]);
  await seedProject(kernel, "other", [{ name: "delegatee" }, { name: "only_there" }]);
  const put: PackYard["put"] = async (box_id, cards, project_id = packProject) => {
    await withUnit(kernel, async (unit) => {
      const given = cards.map((card) => (typeof card === "string" ? textCard(card) : card));
      const made = await insertCards(unit, { project_id, cards: given });
      const items = made.map((card) => ({ ...card, origin: "given" }));
      await createBoxes(unit, { project_id, boxes: [{ box_id, kind: "plain", items }] });
    });
    return box_id;
  };
  const boss = await findProfile(kernel, { project_id: packProject, name: "Boss" });
  await kernel.db.pool.query(
    `INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target)
     VALUES ($1, 'agent_parent', $2, 'Boss', 'w')`,
    [packProject, boss?.profile_box_id],
  );
  await kernel.db.pool.query(
    `UPDATE resource.project_agents SET memory_context_box_id = 'box_context' WHERE project_id = $1 AND agent_id = 'agent_parent'`,
    [packProject],
  );
  await put("box_context", ["c_ctx"]);
  const pack = (given: PackGiven) => withUnit(kernel, (unit) => packContext(unit, inputOf(given)));
  const cardsOf = (card_ids: string[]) => getCards(kernel, { project_id: packProject, card_ids });
  return {
    kernel,
    delegatee: (await findProfile(kernel, { project_id: packProject, name: "delegatee" }))?.profile_box_id ?? "",
    put,
    pack,
    packAny: (given) => pack({ source_agent_id: "human_ann", ...given }),
    refused: async (given) => {
      const before = await countRows(kernel);
      const error = await pack(given).then(
        () => null,
        (e: unknown) => e,
      );
      expect(error).toBeInstanceOf(KernelError);
      expect(await countRows(kernel)).toEqual(before);
      return error as KernelError;
    },
    cardsOf,
    typesOf: async (ids) => (await cardsOf(ids)).map((card) => card.type),
  };
}

export const inputOf = (given: PackGiven): PackContextInput => ({
  project_id: packProject,
  source_agent_id: "agent_parent",
  tool_suffix: "delegate_async",
  handover: packRecipe(),
  ...given,
  arguments: given.arguments ?? { instruction: "do work" },
});
