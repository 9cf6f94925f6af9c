import { expect, test } from "vitest";
import { openTurn } from "./open-turn";

test.each([
  ["/p/demo", "?run=turn_1&turn=turn_2", "turn_1"],
  ["/p/demo", "?run=all&turn=turn_2", "turn_2"],
  ["/p/demo", "?run=all", undefined],
  ["/p/demo", "?turn=turn_2", "turn_2"],
  ["/p/demo", "", undefined],
  ["/p/demo/runs", "", undefined],
  ["/p/demo/runs/turn_1/transcript", "?turn=turn_2", "turn_1"],
  ["/p/demo/turns/turn_3", "?step=2", "turn_3"],
  ["/p/a%20b/turns/turn%2F3", "", "turn/3"],
])("%s%s is about %s", (pathname, search, turn) => expect(openTurn({ pathname, search })).toBe(turn));
