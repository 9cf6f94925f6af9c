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

test("the memory is bounded: the address that has been quiet longest is forgotten", () => {
  const attempts = createAttempts({ failuresMax: 1, addressesMax: 2, now: () => 0 });
  for (const address of ["a", "b", "a", "c"]) attempts.fail(address);
  expect(["a", "b", "c"].map((address) => attempts.waitS(address) > 0)).toEqual([true, false, true]);
});

test("a thousand addresses together have a hundred tries a minute; addresses that were right before, and the machine itself, have their own", () => {
  let now = 0;
  const attempts = createAttempts({ now: () => now });
  attempts.succeed("owner");
  for (let i = 0; i < 100; i++) {
    expect(attempts.waitS(`10.1.${i}.1`)).toBe(0);
    attempts.fail(`10.1.${i}.1`, `guess ${i}`);
  }
  expect(attempts.waitS("10.2.0.1")).toBe(60);
  expect(attempts.waitS("owner")).toBe(0);
  expect(attempts.waitS("127.0.0.1")).toBe(0);
  for (let i = 0; i < 10; i++) attempts.fail("owner", `mistyped ${i}`);
  expect(attempts.waitS("owner")).toBe(60);
  // It ends by itself: nobody can lock out the owner for longer than they keep guessing.
  now = 60_000;
  expect(attempts.waitS("10.2.0.1")).toBe(0);
});

test("a whole fleet with one stale token is one wrong value", () => {
  const attempts = createAttempts({ now: () => 0 });
  for (let i = 0; i < 500; i++) attempts.fail(`10.1.${i % 250}.${i}`, "stale");
  expect(attempts.waitS("10.2.0.1")).toBe(0);
});
