// A box as the model sees it: its cards as messages, assembled by the code that sends them, with the profile of the newest turn
// that reads the box. A list of cards does not show which of them are joined, cut, told as background or never sent.
import type { BoxAsSent } from "@/server/contract/answers/box-as-sent";
import { type Card, contentText } from "@/server/contract/card";
import { ProfileBody } from "@/server/contract/profile";
import { readFirstCards } from "../cardbox/read-first-cards";
import { type Assembled, assembleMessages } from "../context/assemble-messages";
import { readBackgrounds } from "../context/read-background";
import type { Kernel } from "../kernel";
import { renderer } from "../provenance/renderer";
import { levelOf } from "../roster/parse-profile";
import { findBodies } from "../roster/read-bodies";
import { readTools } from "../tools/read-tools";
import { type BoxReader, readBoxReader } from "./read-box-reader";
import { cutText, sentMessages } from "./sent-messages";

const CARDS_MAX = 2_000;
const BYTES_MAX = 8_000_000;

/** not_found for an unknown box and for one of another project alike. */
export async function readBoxAsSent(
  kernel: Kernel,
  { project_id, box_id }: { project_id: string; box_id: string },
): Promise<BoxAsSent> {
  const limits = { cards_max: CARDS_MAX, bytes_max: BYTES_MAX };
  const [box, cards] = await Promise.all([
    readBoxReader(kernel, { project_id, box_id }),
    readFirstCards(kernel, { project_id, box_id, ...limits }),
  ]);
  const { assembled, isByProfile } = await assemble(kernel, project_id, box, cards);
  const places = new Map(cards.map((card) => [card.card_id, card]));
  const messages = sentMessages(assembled.messages, places);
  const stored = box.kind === "request" ? cards.find((card) => card.type === "sys.rendered_prompt") : undefined;
  const prompt = stored ? contentText(stored.content) : assembled.system;
  const sent = new Set([...assembled.card_ids, ...(stored ? [stored.card_id] : [])]);
  return {
    box_id,
    kind: box.kind,
    cards: box.length,
    cards_read: cards.length,
    cards_unsent: new Set(cards.flatMap(({ card_id }) => (sent.has(card_id) ? [] : card_id))).size,
    ...(box.reader && isByProfile && { reader: box.reader.turn }),
    ...((stored || isByProfile) && { system: { ...cutText(prompt), ...(stored && { card_id: stored.card_id }) } }),
    messages,
    messages_total: assembled.messages.length,
  };
}

async function assemble(
  kernel: Kernel,
  project_id: string,
  { kind, reader }: BoxReader,
  cards: Card[],
): Promise<{ assembled: Assembled; isByProfile: boolean }> {
  // A turn that was imported may have no profile that can be read.
  const bodies = await findBodies(kernel, { project_id, profile_box_ids: reader ? [reader.profile_box_id] : [] });
  const found = reader && bodies.get(reader.profile_box_id);
  const body = found ?? NOBODY;
  const agent = { agent_id: reader?.turn.agent_id ?? "", display_name: reader?.display_name };
  const isOutput = kind === "output";
  const [tools, [background]] = await Promise.all([
    readTools(kernel, { project_id, profile: body }),
    // Nobody's own words could be told from those of others.
    readBackgrounds(kernel, {
      project_id,
      receivers: found && !isOutput ? [{ agent_id: agent.agent_id, context: cards }] : [],
    }),
  ]);
  const assembled = assembleMessages({
    ...{ body, agent, tools, renderer, memory: [] },
    level: levelOf(body.delegation_context, [], kernel.delegationContext),
    context: isOutput ? [] : cards,
    output: isOutput ? cards : [],
    ...(background && { background }),
  });
  return { assembled, isByProfile: Boolean(found) };
}

const NOBODY: ProfileBody = ProfileBody.parse({ name: "nobody" });
