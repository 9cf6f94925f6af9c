// The only reader of process.env in the product: every setting is named, checked and explained here, once.
import fs from "node:fs";
import path from "node:path";
import * as z from "zod";

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
      error: "write origins joined by commas, each with its scheme and without a path: https://yard.example.org",
    })
    .transform((origins) => origins.filter(isOrigin).map((origin) => new URL(origin).origin)),
  DATABASE_URL: url(["postgres:", "postgresql:"], "postgresql://user:password@host:5432/name").optional(),
  NATS_URL: z
    .string()
    .refine(isNatsUrl, {
      error: "write addresses such as nats://127.0.0.1:4222 or tls://user:password@host:4222, joined by commas",
    })
    .optional(),
  NATS_CA: file("the certificate of the authority that signed the NATS server's"),
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
  SWITCHYARD_WORKER_CONCURRENCY: whole(1, 256, "write how many turns one worker runs at once, from 1 to 256").default(
    8,
  ),
  SWITCHYARD_LOG: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "write one of fatal, error, warn, info, debug, trace, silent",
    })
    .default("info"),
});

// Said together with every other fault, so these look at what was given also while something else in it is wrong.
const Env = Settings.refine(({ HOST, SWITCHYARD_TOKEN }) => SWITCHYARD_TOKEN !== undefined || isLoopback(HOST), {
  path: ["HOST"],
  when: () => true,
  error:
    "without a token there is no authentication, so it serves this machine only. Use 127.0.0.1, localhost or ::1 and reach it from elsewhere through an SSH tunnel, or set SWITCHYARD_TOKEN",
}).refine(
  ({ SWITCHYARD_ORIGINS, SWITCHYARD_TOKEN }) => SWITCHYARD_TOKEN !== undefined || SWITCHYARD_ORIGINS?.length === 0,
  {
    path: ["SWITCHYARD_ORIGINS"],
    when: () => true,
    error: "behind this name anybody could come in: set SWITCHYARD_TOKEN as well, or leave it unset",
  },
);

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

function file(what: string) {
  return z
    .string()
    .transform((name) => path.resolve(name))
    .refine((name) => fs.existsSync(name), { error: `write the path of ${what}: there is no such file` })
    .optional();
}

// Several servers of one cluster are joined by commas.
function isNatsUrl(text: string): boolean {
  return text
    .split(",")
    .map((one) => one.trim())
    .every((one) => URL.canParse(one) && ["nats:", "tls:"].includes(new URL(one).protocol) && new URL(one).hostname);
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^/?#@*]+\/?$/i.test(text) || !URL.canParse(text)) return false;
  return new URL(text).hostname !== "";
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.(\d{1,3}\.){2}\d{1,3}$/.test(host);
}

// A URL that does not parse may still hold a password.
function shown(name: string, value: string | undefined): string {
  return name.endsWith("_URL") || name.endsWith("_TOKEN") ? "(hidden)" : (value ?? "");
}
