// docker-compose.yml and the Dockerfile are not run by any test, so what they name is looked up: services, files, settings.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseEnv } from "@/server/env";

type Service = {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  deploy?: { replicas: number };
  healthcheck?: { test: string[] };
  volumes?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  read_only?: boolean;
  tmpfs?: string[];
};
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> };

const root = path.join(import.meta.dirname, "..");
const read = (name: string) => fs.readFileSync(path.join(root, name), "utf8");
const text = read("docker-compose.yml");
const { services, volumes } = parse(text, { merge: true }) as Compose;
const ours = Object.entries(services).filter(([, service]) => service.image === "switchyard");
const secret = "0123456789abcdef0123456789abcdef";
const secrets = ["POSTGRES_PASSWORD", "NATS_PASSWORD", "SWITCHYARD_TOKEN"];

// As compose does it, with a value for whatever has no default.
const filled = (value: string): string =>
  value.replace(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_all, _name, fallback?: string) => fallback ?? secret);
const settingsOf = (service: Service) =>
  Object.fromEntries(Object.entries(service.environment ?? {}).map(([name, value]) => [name, filled(value)]));

/** Files that a command line of ours runs. */
const scriptsIn = (words: string[]) => words.filter((word) => /\.(ts|mjs|js)$/.test(word));

test("web, two workers, Postgres, NATS", () => {
  expect(Object.keys(services).sort()).toEqual(["nats", "postgres", "web", "worker"]);
  expect(services.worker?.deploy?.replicas).toBe(2);
  expect(ours.map(([name]) => name)).toEqual(["web", "worker"]);
  for (const [, service] of ours) {
    expect(Object.keys(service.depends_on ?? {})).toEqual(["postgres", "nats"]);
    expect(service.depends_on?.postgres?.condition).toBe("service_healthy");
  }
  expect(services.postgres?.healthcheck).toBeDefined();
});

test("only the web server is reached from outside, and only from its own machine", () => {
  expect(services.web?.ports).toEqual(["127.0.0.1:4600:4600"]);
  for (const name of ["worker", "postgres", "nats"]) expect(services[name]?.ports).toBeUndefined();
});

test.each(ours)("%s is given settings that Switchyard knows, with values that it takes", (_name, service) => {
  const settings = settingsOf(service);
  const given = Object.keys(settings).filter((name) => settings[name] !== "");
  expect(Object.keys(parseEnv(settings))).toEqual(expect.arrayContaining(given));
  expect(settings.DATABASE_URL).toBe(`postgresql://switchyard:${secret}@postgres:5432/switchyard`);
  expect(settings.NATS_URL).toBe(`nats://switchyard:${secret}@nats:4222`);
});

test("workers are given every key and address of models that there are, and nobody else is", () => {
  const isOfModels = (name: string) => /_(API_KEY|BASE_URL)$|^SWITCHYARD_MODEL_/.test(name);
  const known = [...read("server/env.ts").matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name ?? "").filter(isOfModels);
  expect(known.length).toBeGreaterThan(10);
  expect(
    Object.keys(settingsOf(services.worker ?? {}))
      .filter(isOfModels)
      .sort(),
  ).toEqual(known.sort());
  expect(Object.keys(settingsOf(services.web ?? {})).filter(isOfModels)).toEqual([]);
});

test("a secret that is not set stops it, with a word on what to do", () => {
  for (const secret of secrets) {
    const uses = text.match(new RegExp(`\\$\\{${secret}[^}]*\\}`, "g")) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const use of uses) expect(use).toMatch(/:\?set [A-Z_]+, .{20,}\}$/);
  }
  const literal = Object.values(services).flatMap((service) => Object.entries(service.environment ?? {}));
  for (const [name, value] of literal) if (/PASSWORD|TOKEN/.test(name)) expect(value).toContain(":?");
});

test("volumes that are used are declared, and the other way round", () => {
  const used = Object.values(services).flatMap((service) => (service.volumes ?? []).map((one) => one.split(":")[0]));
  expect(used.sort()).toEqual(Object.keys(volumes).sort());
});

test("commands and health checks run files that are there", () => {
  const commands = ours.flatMap(([, service]) => [...(service.command ?? []), ...(service.healthcheck?.test ?? [])]);
  const inImage = [...read("Dockerfile").matchAll(/CMD (\[.*\])$/gm)].flatMap((line) => JSON.parse(line[1] ?? "[]"));
  const files = scriptsIn([...commands, ...inImage]);
  expect(files).toEqual(expect.arrayContaining(["scripts/web.ts", "scripts/health.ts", "scripts/worker.ts"]));
  for (const file of files) expect(fs.existsSync(path.join(root, file)), file).toBe(true);
});

test("the image is of Node 24, built in stages, and does not run as root", () => {
  const lines = read("Dockerfile").split("\n");
  const stages = lines.filter((line) => line.startsWith("FROM "));
  expect(stages.length).toBeGreaterThan(1);
  for (const stage of stages) expect(stage).toMatch(/^FROM node:24-/);
  expect(lines.lastIndexOf("USER node")).toBeGreaterThan(lines.lastIndexOf(stages.at(-1) ?? ""));
  const copied = lines.filter((line) => /^COPY (?!--from)/.test(line)).flatMap((line) => line.split(" ").slice(1, -1));
  for (const file of copied) expect(fs.existsSync(path.join(root, file)), file).toBe(true);
  expect(lines.join("\n")).not.toMatch(/(PASSWORD|TOKEN)=/);
});

test("what must not be in an image is left out", () => {
  const ignored = read(".dockerignore").split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".git", ".env", ".switchyard", ".next", "node_modules"]));
});

test("our containers are not root's, have no capabilities, and write to scratch alone", () => {
  for (const [, { cap_drop, security_opt, read_only, tmpfs }] of ours) {
    expect([cap_drop, security_opt, read_only]).toEqual([["ALL"], ["no-new-privileges:true"], true]);
    expect(tmpfs?.map((mount) => mount.split(":")[0])).toEqual(["/tmp", "/app/.next/standalone/.next/cache"]);
  }
});
