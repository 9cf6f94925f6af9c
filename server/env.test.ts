import path from "node:path";
import { expect, test } from "vitest";
import { parseEnv } from "./env";

test("an empty environment gives the documented defaults", () => {
  expect(parseEnv({ PATH: "/bin", DATABASE_URL: "", PORT: " " })).toEqual({
    PORT: 4600,
    HOST: "127.0.0.1",
    SWITCHYARD_DATA_DIR: path.resolve(".switchyard"),
    SWITCHYARD_DEMO: true,
    SWITCHYARD_WORKER_TARGETS: ["*"],
    SWITCHYARD_WORKER_CONCURRENCY: 8,
    SWITCHYARD_LOG: "info",
  });
});

test("every setting is read", () => {
  expect(
    parseEnv({
      PORT: "8080",
      HOST: "::1",
      DATABASE_URL: "postgres://u:p@db/yard",
      NATS_URL: "nats://127.0.0.1:4222, tls://u:p@b:4222",
      NATS_CA: import.meta.filename,
      SWITCHYARD_DATA_DIR: "/var/yard",
      SWITCHYARD_DEMO: "0",
      SWITCHYARD_WORKER_TARGETS: "gpu, mail",
      SWITCHYARD_WORKER_CONCURRENCY: "2",
      SWITCHYARD_LOG: "debug",
    }),
  ).toEqual({
    PORT: 8080,
    HOST: "::1",
    DATABASE_URL: "postgres://u:p@db/yard",
    NATS_URL: "nats://127.0.0.1:4222, tls://u:p@b:4222",
    NATS_CA: import.meta.filename,
    SWITCHYARD_DATA_DIR: "/var/yard",
    SWITCHYARD_DEMO: false,
    SWITCHYARD_WORKER_TARGETS: ["gpu", "mail"],
    SWITCHYARD_WORKER_CONCURRENCY: 2,
    SWITCHYARD_LOG: "debug",
  });
});

test.each([
  ["PORT", "0"],
  ["PORT", "65536"],
  ["PORT", "80a"],
  ["PORT", "-1"],
  ["DATABASE_URL", "mysql://h/d"],
  ["DATABASE_URL", "not a url"],
  ["NATS_URL", "http://h"],
  ["NATS_URL", "nats://a:4222,,nats://b:4222"],
  ["NATS_CA", "/nowhere/ca.pem"],
  ["NATS_CREDS", "/nowhere/yard.creds"],
  ["SWITCHYARD_DEMO", "false"],
  ["SWITCHYARD_WORKER_TARGETS", "a,,b"],
  ["SWITCHYARD_WORKER_CONCURRENCY", "0"],
  ["SWITCHYARD_WORKER_CONCURRENCY", "1.5"],
  ["SWITCHYARD_LOG", "verbose"],
])("%s=%s is refused by name, with the remedy", (name, value) => {
  expect(() => parseEnv({ [name]: value })).toThrow(new RegExp(`\\n  ${name}=.*: write `));
});

test.each(["0.0.0.0", "::", "192.168.1.4", "example.org", "127.0.0.1.evil.org"])(
  "HOST=%s is refused, and why",
  (HOST) => {
    expect(() => parseEnv({ HOST })).toThrow(/HOST=.*no authentication yet.*127\.0\.0\.1/);
  },
);

test("all faults are said at once, and no URL is repeated", () => {
  const attempt = () => parseEnv({ PORT: "x", SWITCHYARD_LOG: "x", DATABASE_URL: "postgre://u:hunter2@h" });
  expect(attempt).toThrow(/PORT=x.*DATABASE_URL=\(hidden\).*SWITCHYARD_LOG=x/s);
  expect(attempt).not.toThrow(/hunter2/);
});
