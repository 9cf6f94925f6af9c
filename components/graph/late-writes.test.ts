import { expect, test } from "vitest";
import { lateWords } from "./late-writes";

test("a late write is one of an older epoch, or of a turn that took none under its own", () => {
  expect(lateWords({ turn_epoch: 1, current_epoch: 2 })).toBe("epoch 1 against 2");
  expect(lateWords({ turn_epoch: 2, current_epoch: 2 })).toBe(
    "epoch 2, when the turn slept, had not begun or had ended",
  );
});
