import { expect, test } from "vitest";
import type { BoxLine } from "@/server/contract/line";
import { createLineStore } from "./line-store";

const line = (position: number): BoxLine => ({
  position,
  origin: "given",
  card_id: `c${position}`,
  type: "agent.thought",
  role: "assistant",
  author_id: "a",
  token_count: 1,
  title: "",
  created_at: "2026-01-01T00:00:00.000Z",
});
const settle = () => new Promise((done) => setTimeout(done));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

test("a line is fetched once, however often it is wanted", async () => {
  const asked: number[][] = [];
  const store = createLineStore(async (positions) => {
    asked.push(positions);
    return positions.map(line);
  });
  store.want([0, 1]);
  store.want([1, 2]);
  await settle();
  store.want([0, 1, 2]);
  expect(asked).toEqual([[0, 1], [2]]);
  expect(store.get(2)?.card_id).toBe("c2");
});

test("a long window is asked for in parts that the server accepts", async () => {
  const sizes: number[] = [];
  const store = createLineStore(async (positions) => {
    sizes.push(positions.length);
    return positions.map(line);
  });
  store.want(range(0, 230));
  await settle();
  expect(sizes).toEqual([100, 100, 30]);
});

test("after a failure nothing is asked for until a retry, and then all that was wanted meanwhile", async () => {
  let isAway = true;
  const asked: number[][] = [];
  const store = createLineStore(async (positions) => {
    asked.push(positions);
    if (isAway) throw new Error("the database cannot be reached");
    return positions.map(line);
  });
  store.want([0]);
  await settle();
  expect(store.error()?.message).toContain("cannot be reached");
  store.want([5]);
  await settle();
  expect(asked).toEqual([[0]]);
  isAway = false;
  store.retry();
  await settle();
  expect(asked).toEqual([[0], [0, 5]]);
  expect(store.error()).toBeNull();
  expect(store.get(5)).toBeDefined();
});

test("lines that the page brought along are not fetched again", async () => {
  const store = createLineStore(async () => {
    throw new Error("asked");
  }, [line(0)]);
  store.want([0]);
  await settle();
  expect(store.error()).toBeNull();
});
