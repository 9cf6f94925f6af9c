import { expect, test } from "vitest";
import { countNodes } from "./count-nodes";

test("what delivered counts, also as partial or as a recorded result; a recorded failure does not", () => {
  const node = (
    status: Parameters<typeof countNodes>[0][number]["status"],
    batch_status: null | "failed" | "success",
  ) => ({
    status,
    batch_status,
  });
  const nodes = [
    node("success", "success"),
    node("partial", null),
    node("replayed", "success"),
    node("replayed", "failed"),
    node("failed", "failed"),
    node("held", null),
    node("skipped", null),
  ];
  expect(countNodes(nodes)).toEqual({ node_count: 7, delivered_count: 3, held_count: 1 });
});
