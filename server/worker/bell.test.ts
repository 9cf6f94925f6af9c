import { expect, test } from "vitest";
import { createBell } from "./bell";

async function msOf(work: Promise<void>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}

test("a ring during the fetch counts, one from before the reset does not", async () => {
  const bell = createBell();
  bell.ring();
  bell.reset();
  expect(await msOf(bell.wait(60))).toBeGreaterThan(40);
  bell.reset();
  bell.ring();
  expect(await msOf(bell.wait(60_000))).toBeLessThan(5_000);
});

test("a ring ends the current wait", async () => {
  const bell = createBell();
  setTimeout(bell.ring, 5);
  expect(await msOf(bell.wait(60_000))).toBeLessThan(5_000);
});
