// Algorithm-generated logs: a group chat of named agents. Each message is a turn that read all earlier messages. The log does
// not say who called whom, so every edge is inferred from the order.
import type { ImportPlan } from "../plan";
import type { Slices } from "../slices";
import {
  addBox,
  addEntryCard,
  addTurn,
  agentOf,
  beginDraft,
  type Draft,
  type DraftTurn,
  endTurn,
  finishDraft,
  idOf,
  tickOf,
  turnIdOf,
} from "./draft";
import type { GroupChatEntry, GroupChatLog } from "./log";
import { beginRoot, endRoot, putQuestion } from "./root";

export function* planGroupChat(log: GroupChatLog): Slices<ImportPlan> {
  const draft = yield* beginDraft(log);
  const root = beginRoot(draft, log.question ?? log.entries[0]?.text ?? "");
  putQuestion(draft, root);
  let speaker = root.turn;
  for (const [i, entry] of log.entries.entries()) {
    speaker = speak(draft, i, entry, { root: root.turn, speaker });
    yield;
  }
  const isTerminated = /\bTERMINATE\W*$/.test(log.entries.at(-1)?.text ?? "");
  endRoot(draft, root, isTerminated ? speaker : undefined);
  return finishDraft(draft, tickOf(log.entries.length));
}

function speak(
  draft: Draft,
  index: number,
  entry: GroupChatEntry,
  at: { root: DraftTurn; speaker: DraftTurn },
): DraftTurn {
  const agent = agentOf(draft, entry.from);
  const key = `history ${index}`;
  const turn_id = turnIdOf(draft, key);
  // The transcript up to here, shared with every other context and never copied.
  const context_box_id = idOf(draft.log.digest, "box", `context ${key}`);
  draft.boxes.push({
    box_id: context_box_id,
    kind: "context",
    owner_agent_id: agent.agent_id,
    owner_turn_id: turn_id,
    prefix_of: draft.transcript.box_id,
    card_ids: draft.transcript.card_ids,
    length: index,
    origins: index > 0 ? [[index, `box:${draft.transcript.box_id}`]] : [],
  });
  const output = addBox(draft, `output ${key}`, "output", agent.agent_id, turn_id);
  const turn = addTurn(draft, key, {
    agent,
    parent: at.root,
    inferred_from: at.speaker,
    primitive: "import",
    title: entry.text,
    created: tickOf(index),
    context_box_id,
    output,
  });
  const card_id = addEntryCard(draft, index, turn, {
    type: "task.deliverable",
    content: entry.text,
    author_id: agent.agent_id,
    metadata: { log_role: entry.role, status: "success" },
  });
  endTurn(turn, output, card_id, "success", tickOf(index));
  return turn;
}
