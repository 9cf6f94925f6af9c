// One request: a door, values for it, and how they are sent.
import type { Random } from "../chaos/random";
import type { Door, Parameter } from "./doors";
import { fitting, hostile, hostileText, type Known } from "./values";

export type FuzzRequest = {
  door: string;
  method: string;
  /** As it is sent: escapes may be broken on purpose. */
  target: string;
  headers: Record<string, string>;
  body?: string;
  isMutation: boolean;
  isStream: boolean;
};

/** Sent for projects that do not exist: later requests need the one that does. */
const ENDS_THE_PROJECT = /^(DELETE \/projects\/\{project_id\}|mutation project\.(remove|delete))$/;

export function draw(doors: Door[], random: Random, known: Known): FuzzRequest {
  if (random.chance(0.04)) return oddRequest(random);
  const door = random.pick(doors);
  const wild = random.pick([0, 0.03, 0.1, 0.3]);
  const asked = ENDS_THE_PROJECT.test(door.name) ? { ...known, project: "nobody", stranger: "nobody_else" } : known;
  return door.kind === "rest" ? restRequest(door, random, asked, wild) : callRequest(door, random, asked, wild);
}

const isExcess = (value: string) => value.length > 6_000;
const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** Escaped as a client would do it, not at all, or wrongly. */
function escaped(value: unknown, random: Random): string {
  const text = asText(value);
  if (random.chance(0.03)) return random.pick(["%", "%ZZ", "%C3", "%00", "%2F..%2F", "%u0041"]);
  const safe = text.replace(/[\ud800-\udfff]/g, "\ufffd");
  return encodeURIComponent(isExcess(safe) ? safe.slice(0, 6_000) : safe);
}

function restRequest(door: Door, random: Random, known: Known, wild: number): FuzzRequest {
  const value = ({ name, schema }: Parameter) => fitting(schema, name, random, known, wild);
  const path = door.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = door.parameters.find((one) => one.in === "path" && one.name === name);
    return escaped(parameter ? value(parameter) : "x", random) || "x";
  });
  const query = door.parameters.filter((one) => one.in === "query" && (one.required || random.chance(0.4)));
  const pairs = query.map((one) => `${one.name}=${escaped(value(one), random)}`);
  if (random.chance(0.04)) pairs.push(random.pick(["constructor=1", "__proto__=1", "a[]=1", "=", "toString", "%=%"]));
  const headers: Record<string, string> = {};
  if (random.chance(0.1))
    headers["idempotency-key"] = random.pick(["again", "x".repeat(201), "k e y", `k${random.next()}`]);
  if (random.chance(0.02)) headers["last-event-id"] = "not a cursor";
  return {
    door: door.name,
    method: door.method,
    target: `/api/v1${path}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`,
    headers,
    ...(door.isMutation && bodyOf(door, random, known, wild, headers)),
    isMutation: door.isMutation,
    isStream: door.isStream,
  };
}

function bodyOf(door: Door, random: Random, known: Known, wild: number, headers: Record<string, string>) {
  headers["content-type"] = "application/json";
  if (door.isDocument && random.chance(0.5)) {
    headers["content-type"] = "text/yaml";
    return { body: random.pick(yamls) };
  }
  if (random.chance(0.03))
    headers["content-type"] = random.pick([
      "text/plain",
      "multipart/form-data",
      "multipart/form-data; boundary=x",
      "image/png",
      "",
    ]);
  if (random.chance(0.03)) return { body: random.pick(brokenJson) };
  if (door.isDocument) return { body: JSON.stringify(profileLike(random)) };
  return { body: JSON.stringify(door.body ? fitting(door.body, "", random, known, wild) : hostile(random)) };
}

const brokenJson = [
  "",
  "{",
  '{"a": "Unterminated',
  "[".repeat(5_000),
  '{"a":'.repeat(3_000),
  "nul",
  '"\\ud800"',
  "\u0000",
  '{"a":1,"a":2}',
  "1e999",
  `[${"1,".repeat(60_000)}1]`,
];
const manyKeys = Array.from({ length: 20_000 }, (_, i) => `k${i}: ${i}`).join("\n");
const yamls = [
  "name: Fuzz\nworker_target: fuzz\n",
  "name: Fuzz\nname: Twice\n",
  "a: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nname: [*c,*c,*c,*c,*c,*c,*c]\n",
  "name: *nobody\n",
  "name: &a [*a]\n",
  "[".repeat(4_000),
  "- ".repeat(4_000),
  "- ".repeat(2_000),
  "{a: ".repeat(9_000),
  "? ".repeat(3_000),
  Array.from({ length: 900 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
  manyKeys,
  `name: Fuzz\n${manyKeys}`,
  "name: !!binary aGk=\n",
  "name: .nan\nmax_steps: .inf\n",
  "__proto__: {name: x}\nname: Proto\n",
  '%YAML 1.1\n---\nname: "open',
  "name: a\u0000b\n",
  "\t\tname: x",
  "name: Fuzz\nmax_attempts: 99999999999999999999\n",
];

function profileLike(random: Random): unknown {
  const names = [
    "name",
    "worker_target",
    "tags",
    "max_attempts",
    "max_steps",
    "llm_config",
    "tool_name",
    "description",
    "parameters",
    "target_subject",
    "options",
    "after_execution",
    "required_result_fields",
  ];
  const value: Record<string, unknown> = {
    name: `Fuzz_${random.whole(1, 9)}`,
    tool_name: `fuzz_${random.whole(1, 9)}`,
    description: "d",
    parameters: { type: "object" },
    after_execution: "suspend",
  };
  for (const name of names) if (random.chance(0.12)) value[name] = hostile(random);
  return value;
}

function callRequest(door: Door, random: Random, known: Known, wild: number): FuzzRequest {
  const input = door.body ? fitting(door.body, "", random, known, wild) : undefined;
  const json = random.chance(0.02) ? random.pick(brokenJson) : (JSON.stringify(input) ?? "");
  const base = { door: door.name, method: door.method, isMutation: door.isMutation, isStream: door.isStream };
  const headers: Record<string, string> = {
    "content-type": "application/json",
    ...(door.isStream && { accept: "text/event-stream" }),
  };
  if (door.isMutation) return { ...base, target: `/api/trpc/${door.path}`, headers, body: json };
  const shown = json.length > 8_000 ? random.pick(["{}", "[".repeat(4_000)]) : json;
  return {
    ...base,
    target: `/api/trpc/${door.path}?input=${encodeURIComponent(shown.replace(/[\ud800-\udfff]/g, "?"))}`,
    headers,
  };
}

/** Requests that match no door. */
function oddRequest(random: Random): FuzzRequest {
  const method = random.pick([
    "GET",
    "POST",
    "TRACE",
    "OPTIONS",
    "HEAD",
    "PROPFIND",
    "PUT",
    "PATCH",
    "DELETE",
    "CONNECTED",
    "M-SEARCH",
  ]);
  const target = random.pick([
    "*",
    "/",
    "//",
    "//evil.example/p/x",
    "/%",
    "/%ZZ",
    "/p/%E0%A4%A",
    "/p/fuzz_a/cards/%00",
    "/p/fuzz_a/turns/%ff",
    "/api/v1",
    "/api/v1/",
    "/api/v1/%",
    "/api/v1/projects/%E0%A4%A/cards",
    "/api/v1/projects/fuzz_a/turns/x:y:z",
    "/api/trpc",
    "/api/trpc/%",
    "/api/trpc/nothing.here",
    "/api/trpc/constructor?input=%7B%7D",
    "/api/trpc/__proto__.x",
    "/api/trpc/card.get,card.get?batch=1&input=%7B",
    "/api/trpc/card.get,box.get?batch=1&input=%7B%220%22%3A1%7D",
    "/api/trpc/health.get?input=%",
    "/api/demo",
    "/api/session",
    "/api/nothing",
    "/_next/image?url=%2Fx&w=1&q=1",
    "/_next/static/%",
    "/p/fuzz_a?turn=%00&run=__proto__",
    "/p/constructor",
    "/sign-in?next=//evil.example",
    "/?constructor=1",
    "http://127.0.0.1/p/fuzz_a",
    `/${"a/".repeat(2_000)}`,
    `/?${"a=1&".repeat(1_500)}`,
    `/p/${hostileText(random)
      .replace(/[^\x21-\x7e]/g, "%00")
      .slice(0, 3_000)}`,
  ]);
  const headers = random.pick<Record<string, string>>([
    {},
    { "content-type": "application/json" },
    { range: "bytes=0-" },
    { "next-action": "x" },
    { rsc: "1" },
    { "next-router-state-tree": "%" },
    { cookie: "switchyard=%; __proto__=1" },
    { "x-middleware-subrequest": "proxy" },
    { expect: "100-continue" },
  ]);
  return {
    door: `odd ${method} ${target.slice(0, 60)}`,
    method,
    target,
    headers,
    isMutation: method !== "GET" && method !== "HEAD" && method !== "OPTIONS",
    isStream: false,
  };
}
