// The only reader of process.env in the product: every setting is named, checked and explained here, once.
import fs from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import * as z from "zod";
import { shapeFault } from "@/server/contract/shape-fault";
import { McpServers } from "./contract/mcp-server";
import type { Outbound } from "./contract/outbound";
import { type WorkspaceFolders, WorkspaceName } from "./contract/workspace";

export type Env = z.infer<typeof Env>;

let parsed: Env | undefined;

/** The settings of this process. Parsed at the first call, so that a test or a build that needs none cannot fail. */
export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/** Throws one error that names every bad variable and what to write instead. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  // Compose files and CI write `NAME=` for "not set".
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const result = Env.safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return `  ${name}=${shown(name, given[name])}: ${issue.message}`;
  });
  throw new Error(`Switchyard cannot start with this environment:\n${lines.join("\n")}`);
}

/**
 * For each variable that looks like ours but is not: the one it may have been meant to be. A misspelled token protects
 * nothing.
 */
export function unknownSettings(source: Record<string, string | undefined>): string[] {
  const known = [...Object.keys(Settings.shape), SUPERVISOR];
  // Variables that tools are sent, or MCP servers refer to, are named by the operator.
  const referred = `${source.SWITCHYARD_TOOL_ENV ?? ""} ${source.SWITCHYARD_MCP_SERVERS ?? ""}`;
  return Object.keys(source)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name) && !referred.includes(name))
    .map((name) => {
      const near = known.map((one) => ({ one, steps: stepsBetween(name, one) })).sort((a, b) => a.steps - b.steps)[0];
      const meant =
        near && near.steps <= 4 && near.one !== SUPERVISOR
          ? `did you mean ${near.one}?`
          : "see README.md for the list.";
      return `${name} is set but is not a setting of Switchyard, so it has no effect: ${meant}`;
    });
}

const PREFIX = "SWITCHYARD_";
/** Set by the supervisor; see scripts/supervise.ts. */
const SUPERVISOR = "SWITCHYARD_SUPERVISOR";

/** Number of letters to add, remove or change to turn one into the other. */
function stepsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const [left = 0, up = 0, across = 0] = [next[j - 1], row[j], row[j - 1]];
      next.push(Math.min(left + 1, up + 1, across + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const Port = whole(1, 65535, "write a port from 1 to 65535, or leave it unset for 4600");

const Settings = z.object({
  PORT: Port.default(4600),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, { error: "write an address of this machine: 127.0.0.1, 0.0.0.0 or ::, without a port" })
    .default("127.0.0.1"),
  SWITCHYARD_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, {
      error: "write 16 to 512 letters, digits or signs without spaces, such as the output of `openssl rand -hex 32`",
    })
    .optional(),
  SWITCHYARD_ORIGINS: z
    .string()
    .default("")
    .transform((list) => list.split(",").map((origin) => origin.trim()))
    .refine((origins) => origins.every((origin) => origin === "" || isOrigin(origin)), {
      error: "write origins separated by commas, each with its scheme and without a path: https://yard.example.org",
    })
    .transform((origins) => origins.filter(isOrigin).map((origin) => new URL(origin).origin)),
  SWITCHYARD_TRUSTED_PROXIES: z
    .string()
    .default("0")
    .refine((text) => /^\d{1,2}$/.test(text.trim()) || networksOf(text).every((network) => network !== null), {
      error:
        "write the number of proxies in front of the server (1), or their addresses and networks separated by commas (10.0.0.7,172.16.0.0/12)",
    })
    .transform((text) =>
      /^\d{1,2}$/.test(text.trim()) ? Number(text) : networksOf(text).filter((network) => network !== null),
    ),
  DATABASE_URL: url(["postgres:", "postgresql:"], "postgresql://user:password@host:5432/name").optional(),
  SWITCHYARD_NEWER_DATABASE: z
    .enum(["refuse", "allow"], { error: "write refuse (the default), or allow to go back one version" })
    .default("refuse"),
  NATS_URL: z
    .string()
    .refine(isNatsUrl, {
      error: "write addresses such as nats://127.0.0.1:4222 or tls://user:password@host:4222, separated by commas",
    })
    .optional(),
  NATS_CA: file("the CA certificate of the NATS server"),
  NATS_CERT: file("the client certificate that the NATS server asks for"),
  NATS_KEY: file("the key of NATS_CERT"),
  NATS_CREDS: file("a NATS credentials file"),
  SWITCHYARD_DATA_DIR: z
    .string()
    .default(".switchyard")
    .transform((dir) => path.resolve(dir)),
  SWITCHYARD_DEMO: z
    .enum(["0", "1"], { error: "write 0 for no demo project, or 1 (the default)" })
    .default("1")
    .transform((flag) => flag === "1"),
  SWITCHYARD_WORKER_TARGETS: z
    .string()
    .default("*")
    .transform((list) => list.split(",").map((target) => target.trim()))
    .refine((targets) => targets.every(Boolean), {
      error: "write target names separated by single commas (gpu,mail), or * for all",
    }),
  SWITCHYARD_WORKER_CONCURRENCY: whole(1, 512, "write how many turns one worker runs at once, from 1 to 512").default(
    8,
  ),
  SWITCHYARD_DRAIN_S: whole(
    0,
    3600,
    "write how many seconds a stopping worker has to finish its steps, from 0 to 3600",
  ).default(10),
  SWITCHYARD_WEB_DRAIN_S: whole(
    0,
    600,
    "write how many seconds a stopping web server keeps answering, with 503 at /readyz, from 0 to 600",
  ).default(3),
  SWITCHYARD_MAX_QUEUED: whole(
    1,
    999_999,
    "write how many turns of one project may wait at the same time, from 1 to 999999",
  ).default(20_000),
  SWITCHYARD_MAX_ARTIFACT_MIB: whole(
    1,
    1_024,
    "write how large an uploaded artifact may be, in MiB, from 1 to 1024",
  ).default(256),
  SWITCHYARD_CONNECTIONS_PER_ADDRESS: whole(
    1,
    2_000,
    "write how many connections one address may hold open, including live pages and streams, from 1 to 2000",
  ).default(500),
  SWITCHYARD_TOOL_ORIGINS: origins("https://tools.example.org"),
  SWITCHYARD_TOOL_ENV: z
    .string()
    .default("")
    .transform((list) => list.split(",").map((entry) => entry.trim()))
    .refine((entries) => entries.every((entry) => entry === "" || isToolVariable(entry)), {
      error:
        "write variable names separated by commas, each with the only origin it may be sent to: NAME@https://tools.example.org",
    })
    .transform((entries) => entries.filter(isToolVariable).map(toolVariable)),
  SWITCHYARD_WORKSPACES: z.string().default("{}").transform(workspaceFolders),
  SWITCHYARD_MCP_SERVERS: z.string().default("{}").transform(mcpServers),
  OPENAI_API_KEY: key(),
  OPENAI_BASE_URL: baseUrl("https://api.openai.com/v1"),
  ANTHROPIC_API_KEY: key(),
  ANTHROPIC_BASE_URL: baseUrl("https://api.anthropic.com/v1"),
  GOOGLE_GENERATIVE_AI_API_KEY: key(),
  GEMINI_API_KEY: key(),
  GOOGLE_GENERATIVE_AI_BASE_URL: baseUrl("https://generativelanguage.googleapis.com/v1beta"),
  MOONSHOT_API_KEY: key(),
  MOONSHOT_BASE_URL: baseUrl("https://api.moonshot.ai/v1"),
  OPENROUTER_API_KEY: key(),
  OPENROUTER_BASE_URL: baseUrl("https://openrouter.ai/api/v1"),
  OLLAMA_API_KEY: key(),
  OLLAMA_BASE_URL: baseUrl("http://127.0.0.1:11434/v1"),
  VLLM_API_KEY: key(),
  VLLM_BASE_URL: baseUrl("http://127.0.0.1:8000/v1"),
  SWITCHYARD_MODEL_URLS: z
    .string()
    .default("")
    .transform((list) => list.split(",").map((origin) => origin.trim()))
    .refine((origins) => origins.every((origin) => origin === "" || isOrigin(origin)), {
      error: "write origins separated by commas, each with its scheme and without a path: http://127.0.0.1:8000",
    })
    .transform((origins) => origins.filter(isOrigin).map((origin) => new URL(origin).origin)),
  SWITCHYARD_MODEL_KEYS: z
    .string()
    .default("")
    .transform((list) => list.split(",").map((pair) => pair.trim()))
    .refine((pairs) => pairs.every((pair) => pair === "" || isOriginKey(pair)), {
      error: "write origin=key pairs separated by commas, each origin without a path: https://llm.example.org=the-key",
    })
    .transform((pairs) => pairs.filter(isOriginKey).map(originKey)),
  SWITCHYARD_DELEGATION_CONTEXT: z
    .enum(["off", "minimal", "standard", "verbose"], {
      error:
        "write off, minimal, standard or verbose: how much agents are told about who called them, unless their profile sets it",
    })
    .default("standard"),
  SWITCHYARD_LOG: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "write one of fatal, error, warn, info, debug, trace, silent",
    })
    .default("info"),
});

// Reported together with all other faults, so these run even if other values are wrong.
const Env = Settings.refine(({ HOST, SWITCHYARD_TOKEN }) => SWITCHYARD_TOKEN !== undefined || isLoopback(HOST), {
  path: ["HOST"],
  when: () => true,
  error:
    "without a token there is no authentication, so Switchyard listens on loopback only. Use 127.0.0.1, localhost or ::1 and reach it from elsewhere through an SSH tunnel, or set SWITCHYARD_TOKEN",
}).refine(
  ({ SWITCHYARD_ORIGINS, SWITCHYARD_TOKEN }) => SWITCHYARD_TOKEN !== undefined || SWITCHYARD_ORIGINS?.length === 0,
  {
    path: ["SWITCHYARD_ORIGINS"],
    when: () => true,
    error: "under this name anyone could use the server: set SWITCHYARD_TOKEN too, or leave it unset",
  },
);

/** Where tool calls may go from this process. Values of variables are read when they are sent, and stored nowhere. */
export function outboundOf(settings: Env, source: Record<string, string | undefined> = process.env): Outbound {
  const { SWITCHYARD_TOOL_ORIGINS, SWITCHYARD_TOOL_ENV } = settings;
  return {
    origins: SWITCHYARD_TOOL_ORIGINS,
    secret: (name, origin) =>
      SWITCHYARD_TOOL_ENV.some((one) => one.name === name && one.origin === origin) ? source[name] : undefined,
  };
}

/** Of one artifact that is uploaded. */
export const uploadBytesMax = (): number => env().SWITCHYARD_MAX_ARTIFACT_MIB * 1_048_576;

/** A variable that SWITCHYARD_MCP_SERVERS refers to; the operator chose it. */
export const variable = (name: string): string | undefined => process.env[name];

function whole(min: number, max: number, error: string) {
  return z
    .string()
    .regex(/^\d{1,6}$/, { error })
    .transform(Number)
    .refine((n) => n >= min && n <= max, { error });
}

function url(protocols: string[], example: string) {
  return z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `write a URL such as ${example}`,
  });
}

// The key of a model provider. It goes into a header, so it is one word of characters allowed there.
function key() {
  return z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{1,4096}$/, { error: "write the provider's API key: one word without spaces" })
    .optional();
}

function baseUrl(example: string) {
  return z
    .string()
    .trim()
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !new URL(text).username, {
      error: `write the provider's base URL, without a user or password in it, such as ${example}`,
    })
    .optional();
}

function file(what: string) {
  return z
    .string()
    .transform((name) => path.resolve(name))
    .refine((name) => fs.existsSync(name), { error: `write the path of ${what}; the file was not found` })
    .optional();
}

// Several servers of one cluster are separated by commas.
function isNatsUrl(text: string): boolean {
  return text
    .split(",")
    .map((one) => one.trim())
    .every((one) => URL.canParse(one) && ["nats:", "tls:"].includes(new URL(one).protocol) && new URL(one).hostname);
}

function origins(example: string) {
  return z
    .string()
    .default("")
    .transform((list) => list.split(",").map((origin) => origin.trim()))
    .refine((list) => list.every((origin) => origin === "" || isOrigin(origin)), {
      error: `write origins separated by commas, each with its scheme and without a path, such as ${example}`,
    })
    .transform((list) => list.filter(isOrigin).map((origin) => new URL(origin).origin));
}

type Network = { net: string; bits: number };

function networksOf(text: string): (Network | null)[] {
  return text.split(",").map((entry) => {
    const [net = "", bits, ...more] = entry.trim().split("/");
    const bitsMax = net.includes(":") ? 128 : 32;
    const isNetwork = isIP(net) !== 0 && more.length === 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
    return isNetwork && Number(bits ?? 0) <= bitsMax ? { net, bits: Number(bits ?? bitsMax) } : null;
  });
}

function toolVariable(entry: string): { name: string; origin: string } {
  const at = entry.indexOf("@");
  return { name: entry.slice(0, at), origin: new URL(entry.slice(at + 1)).origin };
}

const isToolVariable = (entry: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*@/.test(entry) && isOrigin(entry.slice(entry.indexOf("@") + 1));

function mcpServers(text: string, context: z.RefinementCtx): McpServers {
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  const isJson = text.trim().startsWith("{");
  if (!isJson && !fs.existsSync(path.resolve(text)))
    return refuse(
      'write the path of a JSON file, or the JSON itself ({"files": {"command": "mcp-files", "args": []}}); the file was not found',
    );
  try {
    const read = McpServers.safeParse(JSON.parse(isJson ? text : fs.readFileSync(path.resolve(text), "utf8")));
    if (read.success) return read.data;
    const fault = shapeFault(read.error);
    return refuse(`write servers as in docs/tools.md; ${fault.path}: ${fault.message}`);
  } catch {
    return refuse("write JSON, or the path of a JSON file; this is not JSON");
  }
}

const FolderList = z.record(
  WorkspaceName,
  z
    .union([z.string(), z.strictObject({ path: z.string(), projects: z.array(z.string().min(1)).optional() })])
    .transform((given) => (typeof given === "string" ? { path: given } : given)),
);

function workspaceFolders(text: string, context: z.RefinementCtx): WorkspaceFolders {
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  const example = '{"code": "/srv/code", "docs": {"path": "/srv/docs", "projects": ["p1"]}}';
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return refuse(`write JSON, such as ${example}; this is not JSON`);
  }
  const read = FolderList.safeParse(given);
  if (!read.success) {
    const fault = shapeFault(read.error);
    return refuse(`write names with folders, such as ${example}; ${fault.path}: ${fault.message}`);
  }
  for (const [name, folder] of Object.entries(read.data)) {
    if (!path.isAbsolute(folder.path))
      return refuse(`write paths from the root, such as /srv/code; that of ${name} is not one`);
    if (!fs.statSync(folder.path, { throwIfNoEntry: false })?.isDirectory())
      return refuse(`write folders that exist; ${name} names none that can be read`);
  }
  return read.data;
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^/?#@*]+\/?$/i.test(text) || !URL.canParse(text)) return false;
  return new URL(text).hostname !== "";
}

const isOriginKey = (pair: string): boolean => /^[^=]+=[\x21-\x7e]+$/.test(pair) && isOrigin(originKey(pair).origin);

function originKey(pair: string): { origin: string; key: string } {
  const at = pair.indexOf("=");
  const origin = pair.slice(0, at).trim();
  return { origin: isOrigin(origin) ? new URL(origin).origin : "", key: pair.slice(at + 1) };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.(\d{1,3}\.){2}\d{1,3}$/.test(host);
}

// A URL that does not parse may still contain a password, and a refused key is still a key.
function shown(name: string, value: string | undefined): string {
  const isAddressed = value?.includes("@") === true && value.includes("//");
  return isAddressed || /_(URL|TOKEN|SERVERS|KEYS?)$/.test(name) ? "(hidden)" : (value ?? "");
}
