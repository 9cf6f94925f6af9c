import { expect, test } from "vitest";
import { deniedPath } from "./denied-path";

test.each([
  ".env",
  ".env.local",
  "app/.ENV.production",
  "certs/server.pem",
  "Server.PEM",
  "C:\\keys\\id_rsa",
  "~/.ssh/id_rsa.pub",
  "ID_RSA_work",
  "key.p12",
  "a/.npmrc",
  ".netrc",
  ".NetRC",
  "./.env/",
])("%s is denied", (path) => {
  expect(deniedPath(path)).toBe(true);
});
test.each([
  "env.ts",
  "src/environment.ts",
  "a.env.txt",
  "pem.ts",
  "docs/pem",
  "p12.txt",
  "npmrc",
  "my.netrc.txt",
  "",
  "/",
  "valid_rsa.ts",
])("%j is not", (path) => {
  expect(deniedPath(path)).toBe(false);
});
