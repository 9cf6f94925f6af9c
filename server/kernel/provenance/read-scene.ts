// What stays the same while a turn runs, read once: who it is, what it was given, what it may do. Workers of every language
// start from it, so that none of them is told something else.
import { type Card, sentText } from "@/server/contract/card";
import type { DelegationContextLevel, ProfileBody } from "@/server/contract/profile";
import { getCards } from "../cardbox/get-cards";
import { readBoxStretches } from "../cardbox/read-box-cards";
import { requiredFields } from "../context/assemble-messages";
import { readBackgrounds } from "../context/read-background";
import type { Background } from "../context/tell-background";
import type { Kernel } from "../kernel";
import { readAtOnce } from "../read-at-once";
import { read } from "../reader";
import { levelOf } from "../roster/parse-profile";
import { readBodies } from "../roster/read-bodies";
import type { TurnRow } from "../turns/turn-row";

export type Scene = {
  turn: TurnRow;
  output_box_id: string;
  profile: ProfileBody;
  level: DelegationContextLevel;
  display_name: string;
  instruction: string;
  /** Output of the agent's earlier turns in this box. */
  memory: Card[];
  context: Card[];
  /** Which cards of the context another agent wrote. */
  background: Background;
  required_fields: string[];
};

const EVERYTHING = 1_000_000;

const NAME = "SELECT display_name FROM resource.project_agents WHERE project_id = $1 AND agent_id = $2";

export async function readScene(kernel: Kernel, turn: TurnRow): Promise<Scene> {
  const { project_id, agent_id, profile_box_id, context_box_id, output_box_id, output_start } = turn;
  if (output_box_id === null) throw new Error(`turn ${turn.agent_turn_id} runs without an output box`);
  const stretches = [
    { box_id: output_box_id, from: 0, limit: output_start ?? 0 },
    { box_id: context_box_id, from: 0, limit: EVERYTHING },
  ];
  const [bodies, [agent], boxes, instruction] = await readAtOnce(kernel, (reader) =>
    Promise.all([
      readBodies(reader, { project_id, profile_box_ids: [profile_box_id] }),
      read<{ display_name: string | null }>(reader, "scene_name", NAME, [project_id, agent_id]),
      readBoxStretches(reader, { project_id, stretches }),
      getCards(reader, { project_id, card_ids: [turn.instruction_card_id] }),
    ]),
  );
  const body = bodies.get(profile_box_id);
  const [memory, context] = boxes;
  if (!body || !agent || !memory || !context)
    throw new Error(`turn ${turn.agent_turn_id} lacks its agent, its profile or one of its boxes`);
  const receivers = [{ agent_id, context: context.cards }];
  const [background = new Map()] = await readBackgrounds(kernel, { project_id, receivers });
  return {
    turn,
    output_box_id,
    profile: body,
    level: levelOf(body.delegation_context, [], kernel.delegationContext),
    display_name: agent.display_name || body.name,
    instruction: sentText(instruction[0]?.content ?? null),
    memory: memory.cards,
    context: context.cards,
    background,
    required_fields: requiredFields(body, [...memory.cards, ...context.cards]).map((field) => field.name),
  };
}

const GONE = `
  SELECT card_id FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2) AND (c.deleted_at IS NOT NULL OR c.expires_at <= now())`;

/** A turn may run for an hour: what was deleted or has expired meanwhile is not in its next request. */
export async function withoutGone(kernel: Kernel, scene: Scene): Promise<Scene> {
  const { turn, memory, context } = scene;
  const shown = [...memory, ...context].filter((card) => card.gone === undefined).map((card) => card.card_id);
  if (shown.length === 0) return scene;
  const gone = await read<{ card_id: string }>(kernel, "scene_gone", GONE, [turn.project_id, shown]);
  if (gone.length === 0) return scene;
  const cards = await getCards(kernel, { project_id: turn.project_id, card_ids: gone.map(({ card_id }) => card_id) });
  const tombstones = new Map(cards.map((card) => [card.card_id, card]));
  const told = (card: Card): Card => tombstones.get(card.card_id) ?? card;
  return {
    ...scene,
    memory: memory.map(told),
    context: context.map(told),
    ...(tombstones.has(turn.instruction_card_id ?? "") && { instruction: sentText(null) }),
  };
}

/** What this turn has written so far, in order. */
export async function readOwnCards(kernel: Kernel, turn: TurnRow): Promise<Card[]> {
  const { project_id, output_box_id, output_start } = turn;
  if (output_box_id === null) return [];
  const stretches = [{ box_id: output_box_id, from: output_start ?? 0, limit: EVERYTHING }];
  const [box] = await readAtOnce(kernel, (reader) => readBoxStretches(reader, { project_id, stretches }), {
    isOneStatement: true,
  });
  return box?.cards ?? [];
}
