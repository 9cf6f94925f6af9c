// What a merge works on: packs in the order that the gate declares, and what is noted on the way.
import type { ContextPack } from "@/server/contract/context-pack/pack";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import type { Draft } from "./draft";

/** `edgeId`: the edge it arrived on. The sidecar says which artifacts are evidence. */
export type MergeInput = { edgeId: string; pack: ContextPack; sidecar?: Sidecar };

export type Receiving = {
  nodeId: string;
  /** Edges in the order in which the gate declares them. */
  declared: readonly string[];
  goal?: string;
  outputSchemaRef?: string;
};

export type Merging = { inputs: MergeInput[]; draft: Pick<Draft, "conflicts" | "warnings"> };
