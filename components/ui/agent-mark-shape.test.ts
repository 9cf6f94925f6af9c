import { expect, test } from "vitest";
import { agentMarkShape } from "./agent-mark-shape";

test("the same id has the same face for ever", () => {
  expect(agentMarkShape("as-e862", "Associate_Search")).toEqual(agentMarkShape("as-e862", "Associate_Search"));
  expect(agentMarkShape("as-e862", "as")).toMatchInlineSnapshot(`
    {
      "dot": {
        "x": 17,
        "y": 15.5,
      },
      "hue": 165,
      "main": "M3 15.5L10 10L17 15.5",
      "second": "M3 4.5L10 10",
    }
  `);
  expect(agentMarkShape("pp-7a10", "pp")).toMatchInlineSnapshot(`
    {
      "dot": {
        "x": 3,
        "y": 15.5,
      },
      "hue": 75,
      "main": "M3 15.5L10 15.5L17 10",
      "second": "M3 4.5L17 4.5",
    }
  `);
});

test("the tint is of the profile, not of the agent", () => {
  expect(agentMarkShape("as-e862", "Associate_Search").hue).toBe(agentMarkShape("as-0f3a", "Associate_Search").hue);
});

test("ids that differ in one letter mostly look different", () => {
  const faces = new Set(
    Array.from({ length: 100 }, (_, i) => {
      const { main, second, dot } = agentMarkShape(`agent_${i}`, "p");
      return `${main} ${second} ${dot.x},${dot.y}`;
    }),
  );
  expect(faces.size).toBeGreaterThan(60);
});

test("every id draws within the tile", () => {
  for (let i = 0; i < 2000; i += 1) {
    const { main, second } = agentMarkShape(`a${i}`, "p");
    expect(main).toMatch(/^M3 \S+L10 \S+L17 \S+$/);
    expect(second).not.toContain("undefined");
  }
});
