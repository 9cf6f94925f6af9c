// The person at the root of an imported run: a turn that opens the log and ends with it.
import type { Draft, DraftTurn, GrowingBox } from "./draft";
import { addBox, addCard, addTurn, append, endTurn, humanAgent, tickOf, turnIdOf } from "./draft";
import { fallbackCard } from "./fallback";

export type Root = { turn: DraftTurn; context: GrowingBox; output: GrowingBox };

export function beginRoot(draft: Draft, title: string): Root {
  const agent = humanAgent(draft);
  const turn_id = turnIdOf(draft, "root");
  const context = addBox(draft, "root context", "context", agent.agent_id, turn_id);
  const output = addBox(draft, "root output", "output", agent.agent_id, turn_id);
  const turn = addTurn(draft, "root", {
    agent,
    primitive: "import",
    title,
    created: 0,
    context_box_id: context.box_id,
    output,
  });
  return { turn, context, output };
}

/** The file's `question`, for logs without a message of the person. */
export function putQuestion(draft: Draft, root: Root): void {
  if (!draft.log.question) return;
  const card_id = addCard(draft, "question", {
    type: "task.instruction",
    content: draft.log.question,
    author_id: root.turn.agent_id,
    metadata: { agent_turn_id: root.turn.agent_turn_id, source: "question", inferred: true },
  });
  append(root.context, card_id, "given");
  root.turn.instruction_card_id = card_id;
}

/** `last` is the turn that ended the log properly; without one the run is partial. */
export function endRoot(draft: Draft, root: Root, last: DraftTurn | undefined): void {
  const at = tickOf(draft.log.entries.length);
  const metadata = { agent_turn_id: root.turn.agent_turn_id, inferred: true };
  if (last) {
    const { agent_turn_id, output_box_id, deliverable_card_id } = last;
    const card_id = addCard(draft, "root deliverable", {
      type: "task.deliverable",
      content: {
        kind: "json",
        data: { kind: "import", agent_turn_id, output_box_id, deliverable_card_id: deliverable_card_id ?? "" },
      },
      author_id: "import",
      metadata,
    });
    endTurn(root.turn, root.output, card_id, "success", at);
    return;
  }
  const reason = "the log ends without a termination message";
  const card_id = fallbackCard(draft, "root deliverable", root.turn, reason, "no_termination");
  root.turn.note = reason;
  endTurn(root.turn, root.output, card_id, "partial", at);
}
