import { expect, test } from "vitest";
import { createHashedBoxes } from "./hashed-boxes";

const hashed = (n: number) => ({ version: `${n} 300`, ids_hash: `hash ${n}` });

test("boxes are found by project and id, and the newest hash of one counts", () => {
  const boxes = createHashedBoxes();
  boxes.keep("one", "box", hashed(1));
  boxes.keep("two", "box", hashed(2));
  boxes.keep("one", "box", hashed(3));
  expect(boxes.of("one", ["box", "none"])).toEqual(new Map([["box", hashed(3)]]));
  expect(boxes.of("two", ["box"])).toEqual(new Map([["box", hashed(2)]]));
  expect(boxes.of("three", ["box"]).size).toBe(0);
});

test("beyond its bound, the one kept longest ago is forgotten", () => {
  const boxes = createHashedBoxes(2);
  boxes.keep("p", "a", hashed(1));
  boxes.keep("p", "b", hashed(2));
  boxes.keep("p", "a", hashed(3));
  boxes.keep("p", "c", hashed(4));
  expect([...boxes.of("p", ["a", "b", "c"]).keys()]).toEqual(["a", "c"]);
});
