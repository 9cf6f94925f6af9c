import { expect, test } from "vitest";
import { createAttempts } from "./attempts";

test("ten failures in a minute, then a pause until the first of them is a minute old", () => {
  let now = 0;
  const attempts = createAttempts({ now: () => now });
  for (let i = 0; i < 10; i++) {
    expect(attempts.waitS("a")).toBe(0);
    attempts.fail("a");
    now += 1000;
  }
  expect(attempts.waitS("a")).toBe(50);
  expect(attempts.waitS("b")).toBe(0);
  now = 59_999;
  expect(attempts.waitS("a")).toBe(1);
  now = 60_000;
  expect(attempts.waitS("a")).toBe(0);
  attempts.fail("a");
  expect(attempts.waitS("a")).toBe(1);
});

test("the same wrong value counts once a minute", () => {
  let now = 0;
  const attempts = createAttempts({ failuresMax: 2, now: () => now });
  for (let i = 0; i < 50; i++) attempts.fail("a", "stale");
  expect(attempts.waitS("a")).toBe(0);
  attempts.fail("a", "another");
  expect(attempts.waitS("a")).toBe(60);
  now = 60_000;
  attempts.fail("a", "stale");
  expect(attempts.waitS("a")).toBe(0);
});

test("the memory is bounded: the address longest quiet is forgotten", () => {
  const attempts = createAttempts({ failuresMax: 1, addressesMax: 2, now: () => 0 });
  for (const address of ["a", "b", "a", "c"]) attempts.fail(address);
  expect(["a", "b", "c"].map((address) => attempts.waitS(address) > 0)).toEqual([true, false, true]);
});
