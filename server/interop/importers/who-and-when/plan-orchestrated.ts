// Hand-crafted logs: an orchestrator logs its thoughts and delegates. The log declares delegations; a speaker without one is
// taken to be called by the previous speaker, which is inferred.

import type { ImportPlan } from "../plan";
import type { Slices } from "../slices";
import {
  addBox,
  addEntryCard,
  addTurn,
  agentOf,
  append,
  beginDraft,
  type Draft,
  type DraftTurn,
  endTurn,
  finishDraft,
  type GrowingBox,
  tickOf,
  turnIdOf,
} from "./draft";
import { fallbackCard } from "./fallback";
import type { OrchestratedLog } from "./log";
import { beginRoot, endRoot, putQuestion, type Root } from "./root";

type Orchestrator = { turn: DraftTurn; context: GrowingBox; isOpen: boolean };

type Scene = {
  draft: Draft;
  root: Root;
  /** Its latest turn. A message after a termination begins a new one. */
  orchestrator?: Orchestrator;
  /** What the person said since that turn began. */
  unread: string[];
  /** Each agent's growing memory. */
  outputs: Map<string, GrowingBox>;
  /** Delegations that wait for their agent's next message. */
  waiting: Map<string, DraftTurn>;
  /** Whose turn the last message belongs to. */
  speaker: DraftTurn;
};

const ORCHESTRATOR = "Orchestrator";

export function* planOrchestrated(log: OrchestratedLog): Slices<ImportPlan> {
  const draft = yield* beginDraft(log);
  const first = log.entries.find((e) => e.kind === "human");
  const root = beginRoot(draft, first?.text ?? log.question ?? "");
  const scene: Scene = { draft, root, unread: [], outputs: new Map(), waiting: new Map(), speaker: root.turn };
  if (!first) putQuestion(draft, root);
  scene.unread.push(...root.context.card_ids);
  for (const [i, entry] of log.entries.entries()) {
    if (entry.kind === "human") scene.speaker = hearHuman(scene, i, entry.text);
    else if (entry.kind === "thought") scene.speaker = think(scene, i, entry.text);
    else if (entry.kind === "delegation") scene.speaker = delegate(scene, i, entry.to, entry.text);
    else if (entry.kind === "message") scene.speaker = answer(scene, i, entry.from, entry.text);
    else scene.speaker = terminate(scene, i, entry.text);
    yield;
  }
  const end = tickOf(log.entries.length);
  for (const [name, turn] of scene.waiting) leaveUnanswered(scene, name, turn, "the log ends before a reply", end);
  const { orchestrator } = scene;
  if (orchestrator?.isOpen) {
    const reason = "the log ends without a termination message";
    const { turn } = orchestrator;
    const card_id = fallbackCard(draft, `deliverable ${turn.agent_turn_id}`, turn, reason, "no_termination");
    turn.note = reason;
    endTurn(turn, outputOf(scene, ORCHESTRATOR, turn.agent_turn_id), card_id, "partial", end);
  }
  endRoot(draft, root, orchestrator && !orchestrator.isOpen ? orchestrator.turn : undefined);
  return finishDraft(draft, end);
}

function hearHuman(scene: Scene, index: number, text: string): DraftTurn {
  const { draft, root, orchestrator } = scene;
  // A log may delegate to the person: their next message is the answer.
  if (scene.waiting.has("human")) return answer(scene, index, "human", text);
  const card_id = addEntryCard(draft, index, root.turn, {
    type: "task.instruction",
    content: text,
    author_id: root.turn.agent_id,
  });
  append(root.context, card_id, "given");
  root.turn.instruction_card_id ??= card_id;
  if (orchestrator?.isOpen) append(orchestrator.context, card_id, `box:${root.context.box_id}`);
  else scene.unread.push(card_id);
  return root.turn;
}

function think(scene: Scene, index: number, text: string): DraftTurn {
  const { turn } = openOrchestrator(scene, index);
  const card_id = addEntryCard(scene.draft, index, turn, {
    type: "agent.thought",
    content: text,
    author_id: turn.agent_id,
  });
  append(outputOf(scene, ORCHESTRATOR, turn.agent_turn_id), card_id, `turn:${turn.agent_turn_id}`);
  return turn;
}

function delegate(scene: Scene, index: number, name: string, text: string): DraftTurn {
  const { draft } = scene;
  const orchestrator = openOrchestrator(scene, index).turn;
  const before = scene.waiting.get(name);
  if (before) leaveUnanswered(scene, name, before, "called again before it replied", tickOf(index) - 1);
  const isKnown = scene.outputs.has(name);
  const agent = agentOf(draft, name);
  const key = `history ${index}`;
  const turn_id = turnIdOf(draft, key);
  const context = addBox(draft, `context ${key}`, "context", agent.agent_id, turn_id);
  const card_id = addEntryCard(draft, index, orchestrator, {
    type: "task.instruction",
    content: text,
    author_id: orchestrator.agent_id,
  });
  append(context, card_id, "arg:instruction");
  const turn = addTurn(draft, key, {
    agent,
    parent: orchestrator,
    primitive: "delegate_async",
    target_strategy: isKnown ? "reuse" : "new",
    title: text,
    created: tickOf(index),
    context_box_id: context.box_id,
    output: outputOf(scene, name, turn_id),
    instruction_card_id: card_id,
  });
  scene.waiting.set(name, turn);
  return orchestrator;
}

function answer(scene: Scene, index: number, name: string, text: string): DraftTurn {
  const turn = scene.waiting.get(name) ?? speakUnasked(scene, index, name, text);
  scene.waiting.delete(name);
  const card_id = addEntryCard(scene.draft, index, turn, {
    type: "task.deliverable",
    content: text,
    author_id: turn.agent_id,
    metadata: { status: "success" },
  });
  endTurn(turn, outputOf(scene, name, turn.agent_turn_id), card_id, "success", tickOf(index));
  return turn;
}

/** The log does not say what it had read: an empty context, and its own memory. */
function speakUnasked(scene: Scene, index: number, name: string, text: string): DraftTurn {
  const { draft } = scene;
  const agent = agentOf(draft, name);
  const key = `history ${index}`;
  const turn_id = turnIdOf(draft, key);
  const turn = addTurn(draft, key, {
    agent,
    parent: scene.orchestrator?.turn ?? scene.root.turn,
    inferred_from: scene.speaker,
    primitive: "import",
    title: text,
    created: tickOf(index),
    context_box_id: addBox(draft, `context ${key}`, "context", agent.agent_id, turn_id).box_id,
    output: outputOf(scene, name, turn_id),
  });
  turn.note = "answered without a delegation";
  return turn;
}

function terminate(scene: Scene, index: number, text: string): DraftTurn {
  const orchestrator = openOrchestrator(scene, index);
  const { turn } = orchestrator;
  const card_id = addEntryCard(scene.draft, index, turn, {
    type: "task.deliverable",
    content: text,
    author_id: turn.agent_id,
    metadata: { status: "success" },
  });
  endTurn(turn, outputOf(scene, ORCHESTRATOR, turn.agent_turn_id), card_id, "success", tickOf(index));
  orchestrator.isOpen = false;
  return turn;
}

function openOrchestrator(scene: Scene, index: number): Orchestrator {
  const { draft, root } = scene;
  if (scene.orchestrator?.isOpen) return scene.orchestrator;
  const agent = agentOf(draft, ORCHESTRATOR);
  const key = `orchestrator ${index}`;
  const turn_id = turnIdOf(draft, key);
  const context = addBox(draft, `context ${key}`, "context", agent.agent_id, turn_id);
  for (const card_id of scene.unread) append(context, card_id, `box:${root.context.box_id}`);
  const turn = addTurn(draft, key, {
    agent,
    parent: root.turn,
    inferred_from: scene.speaker,
    primitive: "import",
    title: root.turn.title,
    created: tickOf(index) - 1,
    context_box_id: context.box_id,
    output: outputOf(scene, ORCHESTRATOR, turn_id),
    instruction_card_id: scene.unread.at(-1),
  });
  scene.unread = [];
  scene.orchestrator = { turn, context, isOpen: true };
  return scene.orchestrator;
}

function leaveUnanswered(scene: Scene, name: string, turn: DraftTurn, reason: string, at: number): void {
  const card_id = fallbackCard(scene.draft, `deliverable ${turn.agent_turn_id}`, turn, reason, "no_reply");
  turn.note = reason;
  endTurn(turn, outputOf(scene, name, turn.agent_turn_id), card_id, "partial", at);
}

function outputOf(scene: Scene, name: string, turn_id: string): GrowingBox {
  const known = scene.outputs.get(name);
  if (known) return known;
  const agent_id = agentOf(scene.draft, name).agent_id;
  const box = addBox(scene.draft, `output ${agent_id}`, "output", agent_id, turn_id);
  scene.outputs.set(name, box);
  return box;
}
