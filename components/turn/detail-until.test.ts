import { describe, expect, it } from "vitest";
import type { TurnFrame } from "@/server/contract/frame";
import type { TurnDetail } from "@/server/contract/turn-detail";
import { detailUntil } from "./detail-until";

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const step = (ordinal: number, from: number, to: number) => ({
  ordinal,
  status: "completed",
  started_at: at(from),
  ended_at: at(to),
  usage: { input_tokens: 5 },
});
const detail = {
  steps: [step(1, 1, 3), step(2, 4, 8), step(3, 9, 10)],
  deliverable: { card_id: "d" },
  waiting: [{ tool_call_id: "w" }],
  late: [{ id: "l", created_at: at(7) }],
} as unknown as TurnDetail;
const turn = (over: Partial<TurnFrame>) => over as TurnFrame;

describe("what is told of a turn, cut at a moment", () => {
  it("has the steps that had begun, and the running one without its end", () => {
    const { steps } = detailUntil(detail, turn({}), 5_000);
    expect(steps.map(({ ordinal, status, ended_at, usage }) => [ordinal, status, ended_at, usage])).toEqual([
      [1, "completed", at(3), { input_tokens: 5 }],
      [2, "started", undefined, undefined],
    ]);
  });

  it("has its deliverable only once it had ended, and refused writes once they had come", () => {
    expect(detailUntil(detail, turn({}), 5_000)).toMatchObject({ deliverable: undefined, waiting: [], late: [] });
    expect(detailUntil(detail, turn({ deliverable_card_id: "d" }), 11_000)).toMatchObject({
      deliverable: { card_id: "d" },
      late: [{ id: "l" }],
    });
  });
});
