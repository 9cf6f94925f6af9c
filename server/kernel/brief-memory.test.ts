import { expect, test } from "vitest";
import { createBriefMemory } from "./brief-memory";

function memory(answer: (id: string) => boolean | Promise<boolean>, idsMax?: number) {
  const clock = { now: 5_000, asked: 0 };
  const { isTrue, forget } = createBriefMemory({ now: () => clock.now, idsMax });
  const ask = (id: string) =>
    isTrue(id, async () => {
      clock.asked++;
      return answer(id);
    });
  return { clock, ask, forget };
}

test("thirty callers at once cause one query, and a second later there is another one", async () => {
  const { clock, ask } = memory(() => true);
  expect(new Set(await Promise.all(Array.from({ length: 30 }, () => ask("a"))))).toEqual(new Set([true]));
  clock.now += 999;
  await ask("a");
  expect(clock.asked).toBe(1);
  clock.now += 1;
  await ask("a");
  expect(clock.asked).toBe(2);
});

test("a no and a failure are not kept", async () => {
  let answer: () => boolean = () => false;
  const { clock, ask } = memory(() => answer());
  expect([await ask("a"), await ask("a")]).toEqual([false, false]);
  answer = () => {
    throw new Error("away");
  };
  await expect(ask("a")).rejects.toThrow("away");
  answer = () => true;
  expect(await ask("a")).toBe(true);
  expect(clock.asked).toBe(4);
});

test("a forgotten answer is queried again, even while an old one is on its way", async () => {
  const late: ((isTrue: boolean) => void)[] = [];
  const { clock, ask, forget } = memory(() => new Promise<boolean>((resolve) => late.push(resolve)));
  const first = ask("a");
  forget("a");
  const second = ask("a");
  late[1]?.(false);
  expect(await second).toBe(false);
  late[0]?.(true);
  expect(await first).toBe(true);
  const third = ask("a");
  late[2]?.(false);
  expect(await third).toBe(false);
  expect(clock.asked).toBe(3);
});

test("its size is limited: the oldest entry is dropped", async () => {
  const { clock, ask } = memory(() => true, 2);
  for (const id of ["a", "b", "c", "b", "c"]) await ask(id);
  expect(clock.asked).toBe(3);
  await ask("a");
  expect(clock.asked).toBe(4);
});
