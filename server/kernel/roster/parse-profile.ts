// Parses a profile into a body and warnings for a person. Unknown keys are kept: profiles outlive versions.
import { KernelError } from "@/server/contract/errors";
import { isRecord } from "@/server/contract/is-record";
import { MCP_SEPARATOR } from "@/server/contract/mcp-server";
import { type DelegationContextLevel, DelegationPolicy, llmConfigKeys, ProfileBody } from "@/server/contract/profile";
import { shapeFault } from "@/server/contract/shape-fault";
import { refuseBadText } from "@/server/contract/text";
import { isReserved, RESERVED_TARGET } from "@/server/contract/worker-target";
import { boundWarnings } from "./bound-warnings";

export type ParsedProfile = { body: ProfileBody; delegation_context: DelegationContextLevel; warnings: string[] };

/** bad_request names the wrong key and what it must be. */
export function parseProfile(data: Record<string, unknown>): ParsedProfile {
  const parsed = readStored(data);
  refuseReserved(parsed.body);
  refuseOutOfBounds(parsed.body.llm_config);
  return parsed;
}

/** The same for a registered profile: what was allowed when it was saved can still be read. */
export function readStored(data: Record<string, unknown>): ParsedProfile {
  refuseBadText(data, "profile");
  const parsed = ProfileBody.safeParse(data);
  if (!parsed.success) {
    const { path, message } = shapeFault(parsed.error);
    throw new KernelError("bad_request", `profile.${path || "profile"}: ${message}`, { path: path || "profile" });
  }
  const body = parsed.data;
  if (body.llm_config.provider === "script" && !body.llm_config.script)
    throw new KernelError("bad_request", "profile.llm_config.script: a scripted profile needs its steps here", {
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
  return { body, delegation_context, warnings: boundWarnings(warnings) };
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

// It is refused only when it is used (docs/design/kernel.md 6), so warn about it before.
const policyWarning = (path: string): string =>
  `delegation_policy${path === "" ? "" : `.${path}`} is malformed, so it can't delegate to anyone; write {target_tags: [tag, ...] or [] for any, target_profiles: [name, ...] or null for any}`;

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
    `delegation_context: ${JSON.stringify(value)} must be one of false, true, minimal, standard, verbose; ${otherwise} is used`,
  );
  return otherwise;
}
