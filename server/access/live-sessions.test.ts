import { expect, test } from "vitest";
import { createLiveSessions } from "./live-sessions";

function asked(
  answer: (id: string) => boolean | Promise<boolean>,
  options: { sessionsMax?: number; waitMs?: number } = {},
) {
  const clock = { now: 10_000, asked: 0 };
  const sessions = createLiveSessions(
    async (id) => {
      clock.asked++;
      return answer(id);
    },
    { ...options, now: () => clock.now },
  );
  return { clock, ...sessions };
}

test("thirty requests of a page read the database once, and a second later the next one reads it again", async () => {
  let isLive = true;
  const { clock, isLive: ask } = asked(() => isLive);
  expect(new Set(await Promise.all(Array.from({ length: 30 }, () => ask("a"))))).toEqual(new Set([true]));
  expect(clock.asked).toBe(1);
  isLive = false;
  clock.now += 999;
  expect(await ask("a")).toBe(true);
  clock.now += 1;
  expect(await ask("a")).toBe(false);
  expect(clock.asked).toBe(2);
});

test("a session signed out in this process is checked again at once", async () => {
  let isLive = true;
  const { isLive: ask, forget } = asked(() => isLive);
  expect([await ask("a"), await ask("b")]).toEqual([true, true]);
  isLive = false;
  forget("a");
  expect([await ask("a"), await ask("b")]).toEqual([false, true]);
  forget(null);
  expect(await ask("b")).toBe(false);
});

test("an answer that was on its way at sign-out is not kept", async () => {
  let late: (isLive: boolean) => void = () => undefined;
  const { isLive: ask, forget } = asked((id) =>
    id === "a" ? new Promise<boolean>((resolve) => (late = resolve)) : true,
  );
  const first = ask("a");
  forget("a");
  late(true);
  await first;
  const second = ask("a");
  late(false);
  expect(await second).toBe(false);
});

test("while the database is down the last answer holds, and without one there is none", async () => {
  let isAway = false;
  const { clock, isLive: ask } = asked(() => {
    if (isAway) throw new Error("away");
    return true;
  });
  expect(await ask("a")).toBe(true);
  isAway = true;
  clock.now += 60_000;
  expect(await ask("a")).toBe(true);
  await expect(ask("b")).rejects.toThrow("away");
  isAway = false;
  expect(await ask("b")).toBe(true);
});

test("a database that never answers is not waited for forever", async () => {
  const { isLive: ask } = asked(() => new Promise<boolean>(() => undefined), { waitMs: 20 });
  await expect(ask("a")).rejects.toMatchObject({ code: "storage_error" });
});

test("the memory is bounded", async () => {
  const { clock, isLive: ask } = asked(() => true, { sessionsMax: 2 });
  for (const id of ["a", "b", "c", "a"]) await ask(id);
  expect(clock.asked).toBe(4);
  await ask("c");
  expect(clock.asked).toBe(4);
});
