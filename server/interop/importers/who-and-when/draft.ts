// A plan being built: the operations that both kinds of log share. Ids come from the file's digest, so that the same file
// always plans the same rows.
import { createHash } from "node:crypto";
import type { BoxKind, Origin } from "@/server/contract/box";
import { slug } from "@/server/contract/ids";
import { DEFAULT_TARGET } from "@/server/contract/profile";
import { titleOf } from "@/server/kernel/cardbox/card-line";
import { type HeadcodeLetters, nextHeadcode } from "@/server/kernel/turns/headcode";
import { HUMAN_PROFILE, HUMAN_TARGET } from "@/server/kernel/turns/turn-row";
import type { ImportPlan, PlannedAgent, PlannedBox, PlannedCard, PlannedEdge, PlannedTurn } from "../plan";
import type { Slices } from "../slices";
import type { WhoAndWhenLog } from "./log";

/** A growing box. */
export type GrowingBox = Omit<PlannedBox, "card_ids" | "length" | "origins"> & {
  card_ids: string[];
  origins: [number, Origin][];
};

export type DraftTurn = Omit<PlannedTurn, "output_end" | "deliverable_card_id" | "status" | "ended"> &
  Partial<Pick<PlannedTurn, "output_end" | "deliverable_card_id" | "status" | "ended">>;

export type Draft = {
  log: WhoAndWhenLog;
  trace_id: string;
  letters: HeadcodeLetters;
  cards: PlannedCard[];
  boxes: (GrowingBox | PlannedBox)[];
  profiles: Map<string, ImportPlan["profiles"][number]>;
  agents: Map<string, PlannedAgent>;
  agent_ids: Set<string>;
  turns: DraftTurn[];
  edges: PlannedEdge[];
  /** Every message of the log in order: the file as a box. */
  transcript: GrowingBox;
};

/** The person at the root. Names from a log are trimmed, so none equals this one. */
const HUMAN = " human";

export function* beginDraft(log: WhoAndWhenLog): Slices<Draft> {
  const draft: Draft = {
    log,
    trace_id: idOf(log.digest, "trace"),
    letters: {},
    cards: [],
    boxes: [],
    profiles: new Map(),
    agents: new Map(),
    agent_ids: new Set(),
    turns: [],
    edges: [],
    transcript: { box_id: idOf(log.digest, "box", "transcript"), kind: "import", card_ids: [], origins: [] },
  };
  draft.boxes.push(draft.transcript);
  for (const { name, prompt } of log.system_prompts) {
    addProfile(draft, name, prompt);
    yield;
  }
  return draft;
}

/** 32 hex of sha256: the shape of the kernel's own ids. */
export const idOf = (...parts: (string | number)[]): string =>
  createHash("sha256").update(parts.join("\u001f")).digest("hex").slice(0, 32);

/** Time of a history entry on the synthetic clock. The odd numbers between are for the entry's effects. */
export const tickOf = (index: number): number => 2 * (index + 1);

/** Created first, so that no speaker called "human" gets its id. */
export const humanAgent = (draft: Draft): PlannedAgent => agentOf(draft, HUMAN);

/** The agent for a name, created at its first mention. Names with the same slug get a number. */
export function agentOf(draft: Draft, name: string): PlannedAgent {
  const known = draft.agents.get(name);
  if (known) return known;
  const isHuman = name === HUMAN;
  const profile = isHuman ? humanProfile(draft) : (draft.profiles.get(name) ?? addProfile(draft, name));
  const stem = isHuman ? "human" : slug(name);
  const tail = `_${draft.log.digest.slice(0, 8)}`;
  let agent_id = `${stem}${tail}`;
  for (let n = 2; draft.agent_ids.has(agent_id); n++) agent_id = `${stem}-${n}${tail}`;
  draft.agent_ids.add(agent_id);
  const agent: PlannedAgent = {
    agent_id,
    display_name: isHuman ? "human" : name,
    profile_name: profile.name,
    profile_box_id: profile.profile_box_id,
    worker_target: profile.worker_target,
    ...(isHuman && { is_human: true }),
    tags: profile.tags,
    last_output_box_id: "",
    turn_epoch: 0,
  };
  draft.agents.set(name, agent);
  return agent;
}

export function addCard(draft: Draft, key: string, card: Omit<PlannedCard, "card_id">): string {
  const card_id = idOf(draft.log.digest, "card", key);
  draft.cards.push({ ...card, card_id, metadata: { trace_id: draft.trace_id, ...card.metadata } });
  return card_id;
}

/** The card of a history entry, with its index, and the file's mark if it is the named mistake. */
export function addEntryCard(draft: Draft, index: number, turn: DraftTurn, card: Omit<PlannedCard, "card_id">): string {
  const { mistake } = draft.log;
  const isMistake = mistake?.step === index;
  const card_id = addCard(draft, `history ${index}`, {
    ...card,
    metadata: {
      agent_turn_id: turn.agent_turn_id,
      history_index: index,
      ...card.metadata,
      ...(isMistake && { mark: { kind: "mistake", agent: mistake.agent ?? "", reason: mistake.reason } }),
    },
  });
  if (isMistake) turn.mark = { kind: "mistake", card_id, reason: mistake.reason };
  append(draft.transcript, card_id, "import");
  return card_id;
}

export function addBox(draft: Draft, key: string, kind: BoxKind, agent_id: string, turn_id: string): GrowingBox {
  const box_id = idOf(draft.log.digest, "box", key);
  const box: GrowingBox = { box_id, kind, owner_agent_id: agent_id, owner_turn_id: turn_id, card_ids: [], origins: [] };
  draft.boxes.push(box);
  return box;
}

export function append(box: GrowingBox, card_id: string, origin: Origin): void {
  box.card_ids.push(card_id);
  const last = box.origins.at(-1);
  if (last?.[1] === origin) last[0]++;
  else box.origins.push([1, origin]);
}

export type NewTurn = Pick<DraftTurn, "primitive" | "target_strategy" | "title" | "created"> & {
  agent: PlannedAgent;
  parent?: DraftTurn;
  /** The previous speaker, if the log declares no caller: the edge starts there and is drawn as inferred. */
  inferred_from?: DraftTurn;
  context_box_id: string;
  output: GrowingBox;
  instruction_card_id?: string;
};

export const turnIdOf = (draft: Draft, key: string): string => `turn_${idOf(draft.log.digest, "turn", key)}`;

export function addTurn(draft: Draft, key: string, input: NewTurn): DraftTurn {
  const { agent, parent, inferred_from, output, title, ...rest } = input;
  const depth = parent ? parent.depth + 1 : 0;
  const { headcode, letters } = nextHeadcode(draft.letters, agent.profile_name, depth);
  draft.letters = letters;
  agent.turn_epoch++;
  agent.last_output_box_id = output.box_id;
  const turn: DraftTurn = {
    ...rest,
    agent_turn_id: turnIdOf(draft, key),
    agent_id: agent.agent_id,
    turn_epoch: agent.turn_epoch,
    parent_turn_id: parent?.agent_turn_id,
    depth,
    headcode,
    title: firstWords(title),
    output_box_id: output.box_id,
    output_start: output.card_ids.length,
  };
  draft.turns.push(turn);
  const source = inferred_from ?? parent;
  if (source) draft.edges.push(edgeBetween(draft, key, source, turn, inferred_from !== undefined));
  return turn;
}

function edgeBetween(
  draft: Draft,
  key: string,
  source: DraftTurn,
  target: DraftTurn,
  is_inferred: boolean,
): PlannedEdge {
  return {
    edge_id: `edge_${idOf(draft.log.digest, "edge", key)}`,
    source_agent_id: source.agent_id,
    source_turn_id: source.agent_turn_id,
    target_agent_id: target.agent_id,
    target_turn_id: target.agent_turn_id,
    is_inferred,
    primitive: target.primitive,
    target_strategy: target.target_strategy,
    depth: target.depth,
    created: target.created,
  };
}

/** Its deliverable is already in the box, or is added now. */
export function endTurn(
  turn: DraftTurn,
  output: GrowingBox,
  card_id: string,
  status: "success" | "partial",
  at: number,
) {
  append(output, card_id, `turn:${turn.agent_turn_id}`);
  turn.deliverable_card_id = card_id;
  turn.output_end = output.card_ids.length;
  turn.status = status;
  turn.ended = at;
}

/** The first words of a message, which may begin with many spaces. */
const firstWords = (text: string): string => titleOf(text.trimStart().slice(0, 600));

function addProfile(draft: Draft, agentName: string, system_prompt?: string) {
  const known = draft.profiles.get(agentName);
  if (known) return known;
  return putProfile(draft, agentName, {
    name: `import:${agentName}`,
    description: `${agentName} of an imported log`,
    worker_target: DEFAULT_TARGET,
    tags: ["import"],
    ...(system_prompt !== undefined && { system_prompt }),
  });
}

const humanProfile = (draft: Draft) =>
  putProfile(draft, HUMAN, {
    name: HUMAN_PROFILE,
    description: "A person.",
    worker_target: HUMAN_TARGET,
    tags: ["human"],
  });

type Body = { name: string; description: string; worker_target: string; tags: string[]; system_prompt?: string };

// Derived only from the body: the same profile in two files is one card in one box.
function putProfile(draft: Draft, agentName: string, body: Body) {
  const key = JSON.stringify(body);
  const card_id = idOf("profile card", key);
  const { system_prompt: _body, ...row } = body;
  const profile = { ...row, profile_box_id: idOf("profile box", key) };
  draft.profiles.set(agentName, profile);
  draft.cards.push({ card_id, type: "sys.profile", content: { kind: "json", data: body }, author_id: "import" });
  draft.boxes.push({
    box_id: profile.profile_box_id,
    kind: "profile",
    card_ids: [card_id],
    length: 1,
    origins: [[1, "import"]],
  });
  return profile;
}

/** Every turn must have ended by now. */
export function finishDraft(draft: Draft, at: number): ImportPlan {
  const { log, transcript } = draft;
  const root = draft.turns[0];
  if (!root) throw new Error("a plan has a root turn");
  transcript.owner_agent_id = root.agent_id;
  return {
    format: "who-and-when",
    digest: log.digest,
    root_turn_id: root.agent_turn_id,
    trace_id: draft.trace_id,
    title: firstWords(log.question ?? "") || root.title,
    metadata: {
      ...log.metadata,
      format: "who-and-when",
      kind: log.kind,
      digest: log.digest,
      history_length: log.entries.length,
      transcript_box_id: transcript.box_id,
      // The log has no clock: only the order is real, durations mean nothing.
      times: "synthetic",
    },
    letters: draft.letters,
    cards: draft.cards,
    boxes: draft.boxes.map((box) => ("length" in box ? box : { ...box, length: box.card_ids.length })),
    // A person's profile is a box, but cannot be launched.
    profiles: [...draft.profiles.values()].filter((p) => p.name !== HUMAN_PROFILE),
    agents: [...draft.agents.values()],
    turns: draft.turns.map(ended),
    edges: draft.edges,
    ticks: at,
  };
}

function ended(turn: DraftTurn): PlannedTurn {
  const { output_end, deliverable_card_id, status, ended: at } = turn;
  if (output_end === undefined || deliverable_card_id === undefined || status === undefined || at === undefined)
    throw new Error(`turn ${turn.agent_turn_id} was planned without an end`);
  return { ...turn, output_end, deliverable_card_id, status, ended: at };
}
