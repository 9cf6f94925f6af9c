import { expect, test } from "vitest";
import { lateWords } from "./late-writes";

test.each([
  [{ turn_epoch: 1, current_epoch: 2, what: "append" }, "epoch 1 against 2"],
  [{ turn_epoch: 2, current_epoch: 2, what: "deliver" }, "epoch 2, while the turn was asleep, not started or ended"],
  [{ turn_epoch: 2, current_epoch: 2, what: "result of tc_1" }, "after its call was over"],
])("%o: %s", (late, words) => expect(lateWords(late)).toBe(words));
