// Lines of a run bundle for what a project keeps beside its runs: cards, boxes, agents and what they are made of, files and packs.

import * as z from "zod";
import { boxKinds } from "../box";
import { CardContent, Role } from "../card";
import { PackCounts } from "../context-pack/record";
import { Id } from "../ids";
import { ToolBody } from "../tool";
import { At, Count, Sha256 } from "./lines";

const Json = z.unknown();
const Text = z.string();

export const CardLine = z.strictObject({
  card_id: Id,
  /** null = deleted or expired: what it held is in no bundle. */
  content: CardContent.nullable(),
  gone: z.enum(["deleted", "expired"]).nullable(),
  tool_calls: z.array(Json).nullable(),
  tool_call_id: Text.nullable(),
  ttl_seconds: Count.min(1).nullable(),
  expires_at: At.nullable(),
  deleted_at: At.nullable(),
  metadata: z.looseObject({ type: Text, role: Role }),
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
  origins: z.array(z.tuple([z.int().min(1), Text])),
  receipt: Json,
  created_at: At,
});
export type BoxLine = z.infer<typeof BoxLine>;

export const AgentLine = z.strictObject({
  agent_id: Id,
  profile_box_id: Id,
  profile_name: Text,
  worker_target: Text,
  tags: z.array(Text),
  display_name: Text.nullable(),
  owner_agent_id: Id.nullable(),
  derived_from: Id.nullable(),
  metadata: z.record(z.string(), Json),
  is_human: z.boolean(),
  created_at: At,
});
export type AgentLine = z.infer<typeof AgentLine>;

export const ProfileLine = z.strictObject({
  profile_box_id: Id,
  name: Text.min(1),
  worker_target: Text,
  tags: z.array(Text),
  description: Text.nullable(),
  delegation_context: z.enum(["off", "minimal", "standard", "verbose"]),
  created_at: At,
});
export type ProfileLine = z.infer<typeof ProfileLine>;

export const ToolLine = z.strictObject({
  tool_name: ToolBody.shape.tool_name,
  description: Text,
  parameters: z.record(z.string(), Json),
  /** `{project}` stands where the address names the project it is in. */
  target_subject: Text.max(2_048).nullable(),
  after_execution: z.enum(["suspend", "terminate"]),
  options: z.record(z.string(), Json),
  created_at: At,
});
export type ToolLine = z.infer<typeof ToolLine>;

export const FileLine = z.strictObject({ sha256: Sha256, mime: Text, size: Count });
export type FileLine = z.infer<typeof FileLine>;

export const NameLine = z.strictObject({
  area: Text.min(1),
  name: Text.min(1),
  sha256: Sha256,
  mime: Text,
  size: Count,
  created_by: Text,
});
export type NameLine = z.infer<typeof NameLine>;

export const PackLine = z.strictObject({
  sha256: Sha256,
  pack_id: Text,
  input_key: Text,
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
  created_by: Text,
  sources: z.array(Sha256),
});
export type PackLine = z.infer<typeof PackLine>;
