import { expect, test } from "vitest";
import { readBackupArgs } from "./backup-args";

test.each<[string, number]>([
  ["1m", 60_000],
  ["90m", 5_400_000],
  ["6h", 21_600_000],
  ["30d", 2_592_000_000],
])("--every %s", (every, ms) => {
  expect(readBackupArgs(["/b", "--every", every])).toEqual({ dir: "/b", tables: false, every_ms: ms, keep: 14 });
});

test.each(["0m", "0h", "31d", "721h", "6", "h", "6s", "1.5h", "-1h", "6h6h", "", "9999999m"])(
  "--every %j is refused with what it may be",
  (every) => {
    expect(() => readBackupArgs(["/b", `--every=${every}`])).toThrow(
      `--every is ${every}: write a time from 1m to 30d`,
    );
  },
);

test.each(["0", "1001", "-1", "1.5", "x", ""])("--keep %j is refused with what it may be", (keep) => {
  expect(() => readBackupArgs(["/b", "--every", "6h", `--keep=${keep}`])).toThrow(
    `--keep is ${keep}: write a whole number from 1 to 1000`,
  );
});

test("one folder, and nothing is kept or removed without a schedule", () => {
  expect(readBackupArgs(["/b", "--every", "6h", "--keep", "1000"]).keep).toBe(1000);
  expect(readBackupArgs(["/b", "--tables"])).toEqual({ dir: "/b", tables: true, keep: 14 });
  expect(() => readBackupArgs(["/b", "--keep", "3"])).toThrow("--keep goes with --every");
  expect(() => readBackupArgs([])).toThrow("Name one folder");
  expect(() => readBackupArgs(["/a", "/b"])).toThrow("Name one folder");
});
