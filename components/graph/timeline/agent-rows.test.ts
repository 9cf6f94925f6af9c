import { describe, expect, it } from "vitest";
import { at, EPOCH, sampleTurn } from "../testing/sample-frames";
import { agentRows, drawnOf, reachOf, turnNear } from "./agent-rows";
import { positionOf, type TimeScale } from "./timeline-scale";

const COUNT = 2_000;
const WIDTH = 900;
const turns = Array.from({ length: COUNT }, (_, i) =>
  sampleTurn(`t${i}`, { agent_id: i % 2 === 0 ? "left" : "right", created_at: at(i), ended_at: at(i + 1) }),
);
const timed: TimeScale = { from: EPOCH, to: EPOCH + COUNT * 1000, is_timed: true };
const untimed: TimeScale = { from: 0, to: COUNT, is_timed: false };

describe("lanes of agents in the timeline", () => {
  const rows = agentRows(turns);

  it("draw no more turns of an agent than the axis has pixels", () => {
    for (const scale of [timed, untimed])
      for (const row of rows) {
        const end = (turn: (typeof turns)[number], i: number) =>
          positionOf(reachOf(turn, row.orders[i] ?? 0, scale, EPOCH).to, scale, WIDTH);
        const drawn = drawnOf(row, undefined, end);
        expect(row.turns).toHaveLength(COUNT / 2);
        expect(drawn.length).toBeGreaterThan(WIDTH / 4);
        expect(drawn.length).toBeLessThanOrEqual(WIDTH);
        const missing = row.turns.find((turn) => !drawn.some((one) => one.turn === turn));
        const withIt = drawnOf(row, missing?.agent_turn_id, end);
        expect(withIt.map(({ turn }) => turn)).toContain(missing);
      }
  });

  it("without times each turn stands at its own place in the order", () => {
    expect(rows.map(({ orders }) => orders.slice(0, 3))).toEqual([
      [0, 2, 4],
      [1, 3, 5],
    ]);
    const x = positionOf(4.5, untimed, WIDTH);
    expect(rows.map((row) => turnNear(row, x, untimed, WIDTH, EPOCH)?.agent_turn_id)).toEqual(["t4", "t3"]);
  });
});
