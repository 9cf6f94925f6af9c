// The weight of a request that a foreign worker built by itself, by the same rule as for those that the kernel renders.
import { getCards } from "../cardbox/get-cards";
import { assembleMessages } from "../context/assemble-messages";
import { readBackgrounds } from "../context/read-background";
import type { Kernel } from "../kernel";
import { levelOf } from "../roster/parse-profile";
import { readBodies } from "../roster/read-bodies";
import { type Sent, sentTokens } from "../tokens/sent-tokens";
import type { WireTool } from "../tokens/tools-on-wire";
import type { TurnRow } from "../turns/turn-row";
import { renderer } from "./renderer";

export type WeighInput = {
  turn: Pick<TurnRow, "project_id" | "agent_id" | "profile_box_id">;
  system: string;
  card_ids: string[];
  tools: (Pick<WireTool, "tool_name"> & Partial<WireTool>)[];
};

export async function weighRequest(kernel: Kernel, { turn, system, card_ids, tools }: WeighInput): Promise<Sent> {
  const { project_id, agent_id, profile_box_id } = turn;
  const [bodies, context] = await Promise.all([
    readBodies(kernel, { project_id, profile_box_ids: [profile_box_id] }),
    getCards(kernel, { project_id, card_ids }),
  ]);
  const body = bodies.get(profile_box_id);
  if (!body) throw new Error(`profile box ${profile_box_id} was read and is gone`);
  const level = levelOf(body.delegation_context, [], kernel.delegationContext);
  const [background] = await readBackgrounds(kernel, { project_id, receivers: [{ agent_id, context }] });
  const given = { body, level, agent: { agent_id }, memory: [], context, background, output: [], renderer };
  const { messages } = assembleMessages(given);
  const told = tools.map((tool) => ({ description: "", parameters: {}, ...tool }));
  return sentTokens({ system, tools: told, messages, llm_config: body.llm_config });
}
