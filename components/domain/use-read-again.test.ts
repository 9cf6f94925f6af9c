import { environmentManager, focusManager, QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readAgain } from "./use-read-again";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  environmentManager.setIsServer(() => false);
});

afterEach(() => {
  vi.useRealTimers();
  environmentManager.setIsServer(() => true);
  focusManager.setFocused(undefined);
});

/** When it was asked, in seconds from the first time. */
function watch(ms: number | false, { stretch = 1, isAway = false } = {}) {
  const start = Date.now();
  const page = { at: [] as number[], isAway };
  const client = new QueryClient();
  client.mount();
  const observer = new QueryObserver(client, {
    ...readAgain(ms, stretch),
    queryKey: ["a"],
    retry: false,
    queryFn: async () => {
      page.at.push((Date.now() - start) / 1000);
      if (page.isAway) throw new Error("away");
      return page.at.length;
    },
  });
  const leave = observer.subscribe(() => undefined);
  return { page, leave };
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

test("it reads at its pace, and a page of its own is a little beside the others", async () => {
  const { page, leave } = watch(2_000);
  const { page: other, leave: leaveOther } = watch(2_000, { stretch: 1.1 });
  await pass(6.7);
  expect(page.at).toEqual([0, 2, 4, 6]);
  expect(other.at).toEqual([0, 2.2, 4.4, 6.6]);
  leave();
  leaveOther();
});

test("while it fails the waits grow up to ten seconds, and the first answer brings the pace back", async () => {
  const { page, leave } = watch(2_000);
  await pass(1);
  page.isAway = true;
  await pass(44);
  expect(page.at).toEqual([0, 2, 4, 8, 16, 26, 36]);
  page.isAway = false;
  await pass(6);
  expect(page.at.slice(7)).toEqual([46, 48, 50]);
  leave();
});

test("where there was never an answer the waits grow as well", async () => {
  const { page, leave } = watch(2_000, { isAway: true });
  await pass(31);
  expect(page.at).toEqual([0, 2, 6, 12, 20, 30]);
  leave();
});

test("a hidden page does not ask; shown again it asks at once if it is behind", async () => {
  const { page, leave } = watch(2_000);
  await pass(1);
  focusManager.setFocused(false);
  await pass(60);
  expect(page.at).toEqual([0]);
  focusManager.setFocused(true);
  await pass(0);
  expect(page.at).toEqual([0, 61]);
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await pass(0);
  expect(page.at).toEqual([0, 61]);
  leave();
});

test("without a pace it reads once", async () => {
  const { page, leave } = watch(false);
  await pass(60);
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await pass(60);
  expect(page.at).toEqual([0]);
  leave();
});
