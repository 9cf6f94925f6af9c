import path from "node:path";
import { expect, test } from "vitest";
import { outboundOf, parseEnv, unknownSettings } from "./env";

test("an empty environment gives the documented defaults", () => {
  expect(parseEnv({ PATH: "/bin", DATABASE_URL: "", PORT: " " })).toEqual({
    PORT: 4600,
    HOST: "127.0.0.1",
    SWITCHYARD_ORIGINS: [],
    SWITCHYARD_TRUSTED_PROXIES: 0,
    SWITCHYARD_DATA_DIR: path.resolve(".switchyard"),
    SWITCHYARD_DEMO: true,
    SWITCHYARD_WORKER_TARGETS: ["*"],
    SWITCHYARD_WORKER_CONCURRENCY: 8,
    SWITCHYARD_DRAIN_S: 10,
    SWITCHYARD_WEB_DRAIN_S: 3,
    SWITCHYARD_MAX_QUEUED: 20_000,
    SWITCHYARD_MAX_ARTIFACT_MIB: 256,
    SWITCHYARD_CONNECTIONS_PER_ADDRESS: 500,
    SWITCHYARD_NEWER_DATABASE: "refuse",
    SWITCHYARD_TOOL_ORIGINS: [],
    SWITCHYARD_TOOL_ENV: [],
    SWITCHYARD_WORKSPACES: {},
    SWITCHYARD_MCP_SERVERS: {},
    SWITCHYARD_MODEL_URLS: [],
    SWITCHYARD_MODEL_KEYS: [],
    SWITCHYARD_DELEGATION_CONTEXT: "standard",
    SWITCHYARD_LOG: "info",
  });
});

test("every setting is read", () => {
  expect(
    parseEnv({
      PORT: "8080",
      HOST: "::",
      SWITCHYARD_TOKEN: "0123456789abcdef",
      SWITCHYARD_ORIGINS: "https://Yard.example.org/, http://10.0.0.4:4600,",
      SWITCHYARD_TRUSTED_PROXIES: "10.0.0.7, 172.16.0.0/12,fd00::/8",
      DATABASE_URL: "postgres://u:p@db/yard",
      NATS_URL: "nats://127.0.0.1:4222, tls://u:p@b:4222",
      NATS_CA: import.meta.filename,
      SWITCHYARD_DATA_DIR: "/var/yard",
      SWITCHYARD_DEMO: "0",
      SWITCHYARD_WORKER_TARGETS: "gpu, mail",
      SWITCHYARD_WORKER_CONCURRENCY: "2",
      SWITCHYARD_DRAIN_S: "90",
      SWITCHYARD_WEB_DRAIN_S: "20",
      SWITCHYARD_MAX_QUEUED: "500",
      SWITCHYARD_MAX_ARTIFACT_MIB: "64",
      SWITCHYARD_CONNECTIONS_PER_ADDRESS: "64",
      SWITCHYARD_NEWER_DATABASE: "allow",
      ANTHROPIC_API_KEY: " sk-ant-1 ",
      OPENAI_BASE_URL: "http://127.0.0.1:4000/v1",
      SWITCHYARD_MODEL_URLS: "http://127.0.0.1:8000/, https://LLM.example.org",
      SWITCHYARD_MODEL_KEYS: "https://llm.example.org=sk=1, http://10.0.0.4:8000=b",
      SWITCHYARD_TOOL_ORIGINS: "https://Tools.example.org/, http://10.0.0.4:81",
      SWITCHYARD_TOOL_ENV: "A_KEY@https://tools.example.org, B@http://10.0.0.4:81/",
      SWITCHYARD_WORKSPACES: '{"code": "/", "docs": {"path": "/tmp", "projects": ["p1"]}}',
      SWITCHYARD_MCP_SERVERS:
        '{"files": {"command": "mcp-files", "env": {"K": "k"}}, "docs": {"url": "https://d.org/mcp"}}',
      SWITCHYARD_DELEGATION_CONTEXT: "minimal",
      SWITCHYARD_LOG: "debug",
    }),
  ).toEqual({
    PORT: 8080,
    HOST: "::",
    SWITCHYARD_TOKEN: "0123456789abcdef",
    SWITCHYARD_ORIGINS: ["https://yard.example.org", "http://10.0.0.4:4600"],
    SWITCHYARD_TRUSTED_PROXIES: [
      { net: "10.0.0.7", bits: 32 },
      { net: "172.16.0.0", bits: 12 },
      { net: "fd00::", bits: 8 },
    ],
    DATABASE_URL: "postgres://u:p@db/yard",
    NATS_URL: "nats://127.0.0.1:4222, tls://u:p@b:4222",
    NATS_CA: import.meta.filename,
    SWITCHYARD_DATA_DIR: "/var/yard",
    SWITCHYARD_DEMO: false,
    SWITCHYARD_WORKER_TARGETS: ["gpu", "mail"],
    SWITCHYARD_WORKER_CONCURRENCY: 2,
    SWITCHYARD_DRAIN_S: 90,
    SWITCHYARD_WEB_DRAIN_S: 20,
    SWITCHYARD_MAX_QUEUED: 500,
    SWITCHYARD_MAX_ARTIFACT_MIB: 64,
    SWITCHYARD_CONNECTIONS_PER_ADDRESS: 64,
    SWITCHYARD_NEWER_DATABASE: "allow",
    ANTHROPIC_API_KEY: "sk-ant-1",
    OPENAI_BASE_URL: "http://127.0.0.1:4000/v1",
    SWITCHYARD_MODEL_URLS: ["http://127.0.0.1:8000", "https://llm.example.org"],
    SWITCHYARD_MODEL_KEYS: [
      { origin: "https://llm.example.org", key: "sk=1" },
      { origin: "http://10.0.0.4:8000", key: "b" },
    ],
    SWITCHYARD_TOOL_ORIGINS: ["https://tools.example.org", "http://10.0.0.4:81"],
    SWITCHYARD_TOOL_ENV: [
      { name: "A_KEY", origin: "https://tools.example.org" },
      { name: "B", origin: "http://10.0.0.4:81" },
    ],
    SWITCHYARD_WORKSPACES: { code: { path: "/" }, docs: { path: "/tmp", projects: ["p1"] } },
    SWITCHYARD_MCP_SERVERS: {
      files: { command: "mcp-files", args: [], env: { K: "k" } },
      docs: { url: "https://d.org/mcp", headers: {} },
    },
    SWITCHYARD_DELEGATION_CONTEXT: "minimal",
    SWITCHYARD_LOG: "debug",
  });
});

test.each([
  ["PORT", "0"],
  ["PORT", "65536"],
  ["PORT", "80a"],
  ["PORT", "-1"],
  ["HOST", "http://h"],
  ["SWITCHYARD_TOKEN", "fifteen-letters"],
  ["SWITCHYARD_TOKEN", "sixteen letters and a space"],
  ["SWITCHYARD_TOOL_ORIGINS", "*"],
  ["SWITCHYARD_TOOL_ORIGINS", "https://tools.example.org/path"],
  ["SWITCHYARD_TOOL_ENV", "A_KEY"],
  ["SWITCHYARD_TOOL_ENV", "A KEY@https://tools.example.org"],
  ["SWITCHYARD_MCP_SERVERS", "/no/such/file.json"],
  ["SWITCHYARD_WORKSPACES", "{nope"],
  ["SWITCHYARD_WORKSPACES", '{"code": "relative"}'],
  ["SWITCHYARD_WORKSPACES", '{"code": "/no/such/folder"}'],
  ["SWITCHYARD_WORKSPACES", '{"Code": "/"}'],
  ["SWITCHYARD_MCP_SERVERS", "{nope"],
  ["SWITCHYARD_MCP_SERVERS", '{"a__b": {"command": "x"}}'],
  ["SWITCHYARD_MCP_SERVERS", '{"a": {"args": []}}'],
  ["SWITCHYARD_ORIGINS", "yard.example.org"],
  ["SWITCHYARD_ORIGINS", "https://yard.example.org/path"],
  ["SWITCHYARD_ORIGINS", "https://*.example.org"],
  ["SWITCHYARD_ORIGINS", "https://user@yard.example.org"],
  ["SWITCHYARD_ORIGINS", "*"],
  ["SWITCHYARD_TRUSTED_PROXIES", "yes"],
  ["SWITCHYARD_TRUSTED_PROXIES", "-1"],
  ["SWITCHYARD_TRUSTED_PROXIES", "10.0.0.0/33"],
  ["SWITCHYARD_TRUSTED_PROXIES", "10.0.0.7,proxy.example.org"],
  ["DATABASE_URL", "mysql://h/d"],
  ["DATABASE_URL", "not a url"],
  ["NATS_URL", "http://h"],
  ["NATS_URL", "nats://a:4222,,nats://b:4222"],
  ["NATS_CA", "/nowhere/ca.pem"],
  ["NATS_CREDS", "/nowhere/yard.creds"],
  ["SWITCHYARD_DEMO", "false"],
  ["SWITCHYARD_WORKER_TARGETS", "a,,b"],
  ["SWITCHYARD_WORKER_CONCURRENCY", "0"],
  ["SWITCHYARD_DRAIN_S", "forever"],
  ["SWITCHYARD_WEB_DRAIN_S", "-1"],
  ["SWITCHYARD_MAX_QUEUED", "0"],
  ["SWITCHYARD_MAX_QUEUED", "1000000"],
  ["SWITCHYARD_MAX_ARTIFACT_MIB", "2000"],
  ["SWITCHYARD_CONNECTIONS_PER_ADDRESS", "2001"],
  ["SWITCHYARD_WORKER_CONCURRENCY", "1.5"],
  ["SWITCHYARD_WORKER_CONCURRENCY", "513"],
  ["SWITCHYARD_LOG", "verbose"],
  ["OPENAI_API_KEY", "two words"],
  ["OPENAI_BASE_URL", "localhost:4000"],
  ["OLLAMA_BASE_URL", "http://user:word@127.0.0.1"],
  ["SWITCHYARD_MODEL_URLS", "https://llm.example.org/v1"],
  ["SWITCHYARD_MODEL_KEYS", "https://llm.example.org"],
  ["SWITCHYARD_MODEL_KEYS", "llm.example.org=sk"],
])("%s=%s is refused by name, with the remedy", (name, value) => {
  expect(() => parseEnv({ [name]: value })).toThrow(new RegExp(`\\n  ${name}=.*: write `));
});

test.each(["0.0.0.0", "::", "192.168.1.4", "example.org", "127.0.0.1.evil.org"])("HOST=%s needs a token", (HOST) => {
  expect(() => parseEnv({ HOST })).toThrow(/HOST=.*no authentication.*127\.0\.0\.1.*set SWITCHYARD_TOKEN/);
  expect(() => parseEnv({ HOST, SWITCHYARD_TOKEN: " " })).toThrow(/HOST=/);
  expect(parseEnv({ HOST, SWITCHYARD_TOKEN: "0123456789abcdef" }).HOST).toBe(HOST);
});

test("a name behind a proxy needs a token, also on loopback", () => {
  const SWITCHYARD_ORIGINS = "https://yard.example.org";
  expect(() => parseEnv({ SWITCHYARD_ORIGINS })).toThrow(/SWITCHYARD_ORIGINS=.*set SWITCHYARD_TOKEN/);
});

test("all faults are said at once, and no URL and no token is repeated", () => {
  const attempt = () =>
    parseEnv({
      PORT: "x",
      HOST: "0.0.0.0",
      SWITCHYARD_TOKEN: "hunter1",
      SWITCHYARD_LOG: "x",
      DATABASE_URL: "postgre://u:hunter2@h",
      OPENAI_API_KEY: "hunter1 hunter2",
      SWITCHYARD_MODEL_KEYS: "hunter1=hunter2",
    });
  expect(attempt).toThrow(/PORT=x.*SWITCHYARD_TOKEN=\(hidden\).*DATABASE_URL=\(hidden\).*SWITCHYARD_LOG=x/s);
  expect(attempt).not.toThrow(/hunter[12]/);
  expect(() => parseEnv({ PORT: "x", HOST: "0.0.0.0" })).toThrow(/PORT=x.*HOST=0/s);
  // Refused for the password in it, and not to be shown with it.
  const tools = {
    SWITCHYARD_TOOL_ORIGINS: "https://ann:hunter3@tools.example",
    SWITCHYARD_MODEL_URLS: "http://u:hunter3@h",
  };
  expect(() => parseEnv(tools)).toThrow(/SWITCHYARD_TOOL_ORIGINS=\(hidden\)/);
  expect(() => parseEnv(tools)).not.toThrow(/hunter3/);
});

test("tools may call what is named and nothing else, and never with a variable that is another origin's", () => {
  const outbound = (source: Record<string, string>) => outboundOf(parseEnv(source), source);
  expect(outbound({}).origins).toEqual([]);
  expect(outbound({ SWITCHYARD_TOOL_ORIGINS: "http://127.1:81, https://A.org/" }).origins).toEqual([
    "http://127.0.0.1:81",
    "https://a.org",
  ]);
  const { secret } = outbound({ KEY: "v", OTHER: "w", SWITCHYARD_TOOL_ENV: "KEY@https://a.org" });
  expect([secret("KEY", "https://a.org"), secret("KEY", "https://b.org"), secret("OTHER", "https://a.org")]).toEqual([
    "v",
    undefined,
    undefined,
  ]);
});

test("a file of MCP servers that is not there is said to be missing", () => {
  expect(() => parseEnv({ SWITCHYARD_MCP_SERVERS: "/no/such/file.json" })).toThrow("the file was not found");
});

test("a variable that looks like a setting and is none is named, with the setting it may be meant for", () => {
  expect(
    unknownSettings({ SWITCHYARD_TOKN: "abc", SWITCHYARD_TOKEN: "x", PATH: "/bin", SWITCHYARD_SUPERVISOR: "1" }),
  ).toEqual([
    "SWITCHYARD_TOKN is set but is not a setting of Switchyard, so it has no effect: did you mean SWITCHYARD_TOKEN?",
  ]);
  expect(unknownSettings({ SWITCHYARD_SOMETHING_ELSE: "1" })[0]).toContain("see README.md");
  // What a tool is sent may be called anything.
  expect(
    unknownSettings({ SWITCHYARD_TOOL_ENV: "SWITCHYARD_CRM_KEY@https://crm.example", SWITCHYARD_CRM_KEY: "k" }),
  ).toEqual([]);
});
