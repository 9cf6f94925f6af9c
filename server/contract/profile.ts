// A profile: what an agent is made from. Its body is kept as a sys.profile card; unknown keys are kept and get a warning.
import * as z from "zod";
import type { HeadStatus } from "./agent";
import { isRecord } from "./is-record";
import { McpServerRef } from "./mcp-server";
import { RecipeName } from "./recipe-name";
import { Script } from "./script";
import { WorkspaceName } from "./workspace";

/** Default of profiles that name none. */
export const DEFAULT_TARGET = "worker_generic";

const names = z.array(z.string().trim().min(1), "write a list of names, such as [one, two]");

export const LlmConfig = z
  .object({
    provider: z.string().optional(),
    model: z.string().optional(),
    script: Script.optional(),
    context_window: z.int("write a whole number of tokens, such as 128000").min(1).max(1_000_000_000).optional(),
    /** Whether the model takes pictures. Known by name for many models. */
    pictures: z.boolean("write true or false").optional(),
  })
  .loose();
export type LlmConfig = z.infer<typeof LlmConfig>;

/** Whether the built-in worker is meant. An unknown name counts too, so that it gets an error. */
export const namesModel = ({ provider, model, script, provider_options }: LlmConfig): boolean =>
  Boolean(provider?.trim() || model?.trim() || script) ||
  (isRecord(provider_options) && Boolean(provider_options.custom_llm_provider));

/** Keys that have an effect (docs/models.md). Other keys are kept and get a warning. */
export const llmConfigKeys = new Set([
  ...Object.keys(LlmConfig.shape),
  ..."provider_options api base_url api_base stream temperature top_p max_tokens max_completion_tokens".split(" "),
  ..."seed stop reasoning_effort tool_choice".split(" "),
]);

export const ProfileBody = z
  .object({
    name: z.string().trim().min(1).max(120),
    description: z.string().optional(),
    worker_target: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,64}$/, "letters, digits, _ . - only")
      .default(DEFAULT_TARGET),
    tags: names.default([]),
    system_prompt_template: z.string().optional(),
    system_prompt: z.string().optional(),
    llm_config: LlmConfig.default({}),
    allowed_tools: names.nullable().optional(),
    allowed_internal_tools: names.optional(),
    /** Removed, even tools that every agent has. */
    denied_tools: names.optional(),
    /** Tools that run only after a person approves the call. */
    requires_approval: names.optional(),
    /** Their tools are called as server__tool. */
    mcp_servers: z.array(McpServerRef).max(16).optional(),
    must_end_with: names.default([]),
    max_steps: z.int("write a whole number from 1 to 1000").min(1).max(1000).optional(),
    max_attempts: z.int("write a whole number from 1 to 10").min(1).max(10).optional(),
    result_fields: z.array(z.object({ name: z.string().min(1), description: z.string() }).loose()).optional(),
    /** Packs what is handed over to it where a delegation names no recipe: name or name@version. */
    handover_recipe: RecipeName.optional(),
    /** Whose files it may build context packs from, by name. */
    workspaces: z.array(WorkspaceName).max(16, "write at most 16 names").optional(),
    // A malformed policy is kept and counts as none (delegation is then denied).
    delegation_policy: z.unknown().optional(),
    // false, true or a level; anything else gets a warning and the default.
    delegation_context: z.unknown().optional(),
  })
  .loose();
export type ProfileBody = z.infer<typeof ProfileBody>;

export const DelegationPolicy = z.object({
  target_tags: z.array(z.string()).default([]),
  target_profiles: z.array(z.string()).nullable().default(null),
});
export type DelegationPolicy = z.infer<typeof DelegationPolicy>;

export type DelegationContextLevel = "off" | "minimal" | "standard" | "verbose";

export type Profile = {
  profile_box_id: string;
  project_id: string;
  name: string;
  worker_target: string;
  tags: string[];
  description?: string;
  delegation_context: DelegationContextLevel;
  rev: number;
  created_at: string;
  updated_at: string;
};
/** One full profile: `body` is the sys.profile card's content, `yaml` the same as text. */
export type ProfileDetail = Profile & { body: ProfileBody; yaml: string; warnings: string[]; agent_count: number };

/** A profile as one line of the list. */
export type ProfileLine = Profile & {
  agent_count: number;
  provider?: string;
  model?: string;
  /** It names no model. Only a worker of the project's own takes its turns. */
  needs_own_worker: boolean;
};
/** `live_cursor` matches the lines: frames after it say when to read again. */
export type ProfileLines = { items: ProfileLine[]; live_cursor: string };

/** `is_current` is false for an agent that keeps an older version. */
export type ProfileAgent = { agent_id: string; display_name?: string; head_status: HeadStatus; is_current: boolean };
/** A profile as its page needs it; `agents` holds the newest hundred. */
export type ProfileSheet = ProfileDetail & {
  agents: ProfileAgent[];
  needs_own_worker: boolean;
  live_cursor: string;
};
