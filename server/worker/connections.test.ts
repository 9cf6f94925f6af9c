import { expect, test } from "vitest";
import { connectionsOf } from "./connections";

test("a worker of many turns leaves room for others at a server that takes a hundred connections", () => {
  expect([1, 8, 64, 65, 512].map(connectionsOf)).toEqual([5, 8, 36, 36, 36]);
});
