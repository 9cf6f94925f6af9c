// Lines of a run bundle for what a project keeps beside its runs: cards, boxes, agents and what they are made of, files and packs.

import * as z from "zod";
import { boxKinds } from "../box";
import { CardContent, Role } from "../card";
import { PackCounts } from "../context-pack/record";
import { Id } from "../ids";
import { ToolBody } from "../tool";
import { At, Count, Sha256 } from "./lines";
import { Json, JsonObject, Name, Receipt, Text } from "./values";

export const CardLine = z.strictObject({
  card_id: Id,
  /** null = deleted or expired: what it held is in no bundle. */
  content: CardContent.nullable(),
  gone: z.enum(["deleted", "expired"]).nullable(),
  tool_calls: z.array(Json).max(10_000).nullable(),
  tool_call_id: Name.nullable(),
  ttl_seconds: Count.min(1).nullable(),
  expires_at: At.nullable(),
  deleted_at: At.nullable(),
  metadata: z.looseObject({ type: Name, role: Role }),
  content_hash: Sha256,
  token_count: Count,
  created_at: At,
});
export type CardLine = z.infer<typeof CardLine>;

export const BoxLine = z.strictObject({
  box_id: Id,
  kind: z.enum(boxKinds),
  /** null where the owner is of another run. */
  owner_agent_id: Id.nullable(),
  owner_turn_id: Id.nullable(),
  card_ids: z.array(Id),
  /** Runs of one origin: their counts add up to the cards. */
  origins: z.array(z.tuple([z.int().min(1), Name])),
  receipt: Receipt.nullable(),
  created_at: At,
});
export type BoxLine = z.infer<typeof BoxLine>;

export const AgentLine = z.strictObject({
  agent_id: Id,
  profile_box_id: Id,
  profile_name: Name,
  worker_target: Name,
  tags: z.array(Name).max(10_000),
  display_name: Name.nullable(),
  owner_agent_id: Id.nullable(),
  derived_from: Id.nullable(),
  metadata: JsonObject,
  is_human: z.boolean(),
  created_at: At,
});
export type AgentLine = z.infer<typeof AgentLine>;

/** How an agent came to be. Of people none: each project makes its own. */
export const IdentityLine = z.strictObject({
  // Of an agent's own row it is edge_ and the agent's id.
  edge_id: z.string().regex(/^[A-Za-z0-9_-]{1,133}$/, "an id of an edge has 1 to 133 characters of A-Z a-z 0-9 _ -"),
  action: z.enum(["provision", "derive", "update"]),
  /** null where it is of another run. */
  source_agent_id: Id.nullable(),
  target_agent_id: Id,
  trace_id: Name.nullable(),
  parent_step_id: Name.nullable(),
  metadata: JsonObject,
  created_at: At,
});
export type IdentityLine = z.infer<typeof IdentityLine>;

export const ProfileLine = z.strictObject({
  profile_box_id: Id,
  name: Name.min(1),
  worker_target: Name,
  tags: z.array(Name).max(10_000),
  description: Text.nullable(),
  delegation_context: z.enum(["off", "minimal", "standard", "verbose"]),
  created_at: At,
});
export type ProfileLine = z.infer<typeof ProfileLine>;

export const ToolLine = z.strictObject({
  tool_name: ToolBody.shape.tool_name,
  description: Text,
  parameters: JsonObject,
  /** `{project}` stands where the address names the project it is in. */
  target_subject: Text.max(2_048).nullable(),
  after_execution: z.enum(["suspend", "terminate"]),
  options: JsonObject,
  created_at: At,
});
export type ToolLine = z.infer<typeof ToolLine>;

export const FileLine = z.strictObject({ sha256: Sha256, mime: Name, size: Count });
export type FileLine = z.infer<typeof FileLine>;

export const NameLine = z.strictObject({
  area: Name.min(1),
  name: Name.min(1),
  sha256: Sha256,
  mime: Name,
  size: Count,
  created_by: Name,
});
export type NameLine = z.infer<typeof NameLine>;

export const PackLine = z.strictObject({
  sha256: Sha256,
  pack_id: Name,
  input_key: Name,
  kind: z.enum(["built", "merged"]),
  title: Text,
  goal: Text,
  sidecar_sha256: Sha256,
  input_sha256: Sha256,
  estimate: Count,
  token_limit: Count,
  found: Count,
  profile: z.enum(["routine", "expanded"]),
  global_mode: z.enum(["planning", "implementation"]),
  counts: PackCounts,
  agent_turn_id: Id.nullable(),
  created_at: At,
  created_by: Name,
  sources: z.array(Sha256).max(100_000),
});
export type PackLine = z.infer<typeof PackLine>;
