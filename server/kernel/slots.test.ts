// Places are taken in order, given back once, and never more are out than there are.
import { expect, test } from "vitest";
import { createSlots } from "./slots";

test("who comes later waits in order, and a place that is given back twice is one place", async () => {
  const slots = createSlots(2);
  const [first, second] = [slots.tryTake(), slots.tryTake()];
  expect(slots.tryTake()).toBeNull();
  const order: string[] = [];
  const take = async (name: string) => {
    const release = await slots.take();
    order.push(name);
    return release;
  };
  const third = take("third");
  const fourth = take("fourth");
  first?.();
  first?.();
  const release = await third;
  expect(order).toEqual(["third"]);
  // It passed on to the third: nobody else may have it.
  expect(slots.tryTake()).toBeNull();
  second?.();
  (await fourth)();
  expect(order).toEqual(["third", "fourth"]);
  release();
  expect([slots.tryTake(), slots.tryTake()].every((one) => one !== null)).toBe(true);
  expect(slots.tryTake()).toBeNull();
});
