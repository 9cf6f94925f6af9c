// What a folded wagon says of its turns: a lamp of the worst in each group, so that nothing bad hides behind a good one.
import { expect, test } from "vitest";
import type { TurnStatus } from "@/server/contract/turn";
import { foldLamps, statWords } from "./fold-words";
import type { FoldView } from "./plan/fold-view";
import { runStats } from "./run-stats";
import { sampleTurn } from "./testing/sample-frames";

function foldOf(...statuses: TurnStatus[]): FoldView {
  const turns = statuses.map((status, i) => sampleTurn(`${i}`, { status }));
  const rest = { id: "b", kind: "alike" as const, batch: undefined, name: "Search", count: turns.length };
  return { ...rest, turns, stats: runStats(turns), worst: "success" };
}

test("turns that ended in part are not shown as good", () => {
  const fold = foldOf("success", "partial", "success", "timeout");
  expect(foldLamps(fold).map(({ status, count }) => [status, count])).toEqual([
    ["timeout", 1],
    ["partial", 3],
  ]);
  expect(statWords(fold)).toBe("1 failed, 3 done, 1 in part");
});

test("all good is all good, and the worst of a group is its lamp", () => {
  expect(statWords(foldOf("success", "success"))).toBe("2 done");
  expect(foldLamps(foldOf("success", "success"))[0]?.status).toBe("success");
  expect(foldLamps(foldOf("timeout", "failed"))[0]).toMatchObject({ status: "failed", count: 2, words: "2 failed" });
  expect(foldLamps(foldOf("queued", "suspended")).map(({ status }) => status)).toEqual(["suspended"]);
});
