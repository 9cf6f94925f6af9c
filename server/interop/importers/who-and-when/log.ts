// A checked who-and-when log of one of its two kinds. The planners see only this.

/** `hand-crafted` files: an orchestrator logs its thoughts, delegates to named agents and ends the run. */
export type OrchestratedEntry =
  | { kind: "human"; text: string }
  | { kind: "thought"; text: string }
  | { kind: "delegation"; to: string; text: string }
  | { kind: "message"; from: string; text: string }
  | { kind: "termination"; text: string };

/** `algorithm-generated` files: named agents in a group chat. `role` is the message's role in the log. */
export type GroupChatEntry = { from: string; role: string; text: string };

type Facts = {
  /** sha256 of the file's canonical content; every id of the import is derived from it. */
  digest: string;
  question?: string;
  /** The entry that the file names as the mistake. */
  mistake?: { step: number; agent?: string; reason: string };
  /** Becomes metadata of the run, unchanged. */
  metadata: Record<string, unknown>;
  system_prompts: { name: string; prompt: string }[];
};

export type OrchestratedLog = Facts & { kind: "orchestrated"; entries: OrchestratedEntry[] };
export type GroupChatLog = Facts & { kind: "group_chat"; entries: GroupChatEntry[] };
export type WhoAndWhenLog = OrchestratedLog | GroupChatLog;
