import { expect, test } from "vitest";
import { closeWords, lastOut } from "./close-words";
import { branchAt, sheetOf, turnAt } from "./testing/sample-batch";

const delivered = branchAt(0, turnAt(0, "success"));
const failed = branchAt(1, turnAt(1, "failed"));
const out = branchAt(2, turnAt(2, "running"));

test("a batch closes as partial by the stop of the one branch that is out", () => {
  const sheet = sheetOf([delivered, failed, out]);
  expect(lastOut(sheet)?.headcode).toBe("2S03");
  const parent = { ...turnAt(9, "suspended"), headcode: "1P01", is_human: false };
  expect(closeWords({ ...sheet, parent }, turnAt(2, "running"))).toBe(
    "Stops 2S03. Its cards stay. B1 closes as partial, 1 of 3, and 1P01 is resumed with it.",
  );
});

test("nothing is offered where it would come to something else", () => {
  for (const sheet of [
    sheetOf([failed, out]),
    sheetOf([delivered, out], { fail_fast: true }),
    sheetOf([delivered, out, branchAt(3, turnAt(3, "running"))]),
    sheetOf([delivered, branchAt(3)]),
    sheetOf([delivered, failed]),
    sheetOf([delivered, out], { status: "canceled" }),
  ])
    expect(lastOut(sheet)).toBeNull();
});
