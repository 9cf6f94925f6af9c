// What a profile says, as a body and the warnings a person should see. Unknown keys are kept: profiles outlive versions.
import { KernelError } from "@/server/contract/errors";
import { isRecord } from "@/server/contract/is-record";
import { MCP_SEPARATOR } from "@/server/contract/mcp-server";
import { type DelegationContextLevel, DelegationPolicy, llmConfigKeys, ProfileBody } from "@/server/contract/profile";
import { refuseBadText } from "@/server/contract/text";
import { isReserved, RESERVED_TARGET } from "@/server/contract/worker-target";

export type ParsedProfile = { body: ProfileBody; delegation_context: DelegationContextLevel; warnings: string[] };

/** bad_request names the key that is wrong and what it must be. */
export function parseProfile(data: Record<string, unknown>): ParsedProfile {
  const parsed = readStored(data);
  refuseReserved(parsed.body);
  refuseOutOfBounds(parsed.body.llm_config);
  return parsed;
}

/** The same of one that is registered: what was allowed when it was saved is read all the same. */
export function readStored(data: Record<string, unknown>): ParsedProfile {
  refuseBadText(data, "profile");
  const parsed = ProfileBody.safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join(".") || "profile";
    throw new KernelError("bad_request", `profile.${path}: ${issue?.message ?? "is malformed"}`, { path });
  }
  const body = parsed.data;
  if (body.llm_config.provider === "script" && !body.llm_config.script)
    throw new KernelError("bad_request", "profile.llm_config.script: a scripted profile carries its steps here", {
      path: "llm_config.script",
    });
  const warnings: string[] = [];
  const delegation_context = levelOf(body.delegation_context, warnings);
  for (const key of Object.keys(body))
    if (!KNOWN.has(key)) warnings.push(`unknown key "${key}" is kept but has no effect`);
  for (const key of Object.keys(body.llm_config))
    if (!llmConfigKeys.has(key)) warnings.push(`unknown key "llm_config.${key}" is kept but has no effect`);
  const policy = DelegationPolicy.safeParse(body.delegation_policy ?? {});
  if (!policy.success) warnings.push(policyWarning(policy.error.issues[0]?.path.join(".") ?? ""));
  for (const { name } of body.mcp_servers ?? [])
    if (body.allowed_tools !== null && !body.allowed_tools?.some((tool) => tool.startsWith(`${name}${MCP_SEPARATOR}`)))
      warnings.push(`mcp_servers: no tool of ${name} is allowed; add ${name}${MCP_SEPARATOR}* to allowed_tools`);
  return { body, delegation_context, warnings };
}

function refuseReserved({ name, worker_target }: ProfileBody): void {
  if (/^sys\./i.test(name))
    throw new KernelError("bad_request", "profile.name: names that begin with sys. are reserved; choose another name", {
      path: "name",
    });
  if (isReserved(worker_target))
    throw new KernelError("bad_request", `profile.worker_target: ${RESERVED_TARGET}`, { path: "worker_target" });
}

/** Least and most of the settings of a model that are numbers. */
const BOUNDS: Record<string, [number, number]> = {
  temperature: [0, 2],
  top_p: [0, 1],
  max_tokens: [1, 10_000_000],
  max_completion_tokens: [1, 10_000_000],
  seed: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
};

function refuseOutOfBounds(config: Record<string, unknown>, path = "llm_config"): void {
  for (const [name, [least, most]] of Object.entries(BOUNDS)) {
    const value = config[name];
    if (typeof value === "number" && !(value >= least && value <= most))
      throw new KernelError("bad_request", `profile.${path}.${name}: write a number from ${least} to ${most}`, {
        path: `${path}.${name}`,
      });
  }
  if (isRecord(config.provider_options)) refuseOutOfBounds(config.provider_options, `${path}.provider_options`);
}

// Refused when it is used, as docs/design/kernel.md 6 wants it: a person should hear of it before.
const policyWarning = (path: string): string =>
  `delegation_policy${path === "" ? "" : `.${path}`} is malformed, so it may delegate to nobody; write {target_tags: [tag, ...] or [] for any, target_profiles: [name, ...] or null for any}`;

const KNOWN = new Set(Object.keys(ProfileBody.shape));

/** `otherwise` = what the server gives those that ask for nothing of their own. */
export function levelOf(
  value: unknown,
  warnings: string[],
  otherwise: DelegationContextLevel = "standard",
): DelegationContextLevel {
  if (value === undefined || value === null) return otherwise;
  if (value === true) return otherwise === "off" ? "standard" : otherwise;
  // YAML 1.2 reads `no` and `off` as text; people mean false.
  if (value === false || value === "no" || value === "off" || value === "false") return "off";
  if (value === "minimal" || value === "standard" || value === "verbose") return value;
  warnings.push(
    `delegation_context: ${JSON.stringify(value)} is none of false, true, minimal, standard, verbose; ${otherwise} is used`,
  );
  return otherwise;
}
