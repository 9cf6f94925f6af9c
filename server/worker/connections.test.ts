import { expect, test } from "vitest";
import { connectionsOf } from "./connections";

test("a worker never has more than 36 connections, however many turns it runs", () => {
  expect([1, 8, 64, 65, 512].map(connectionsOf)).toEqual([5, 8, 36, 36, 36]);
});
