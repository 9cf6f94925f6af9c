import { expect, test } from "vitest";
import { changeWords, liveLine, queueLine } from "./yard-lines";

const at = "2026-03-04T14:02:00.000Z";
const soon = Date.parse(at) + 60_000;
const of = (reason: "new" | "promoted" | "restored" | "moved") => ({ generation: 7, reason, began_at: at });

test("a change of the server is told for a day, and the server of the beginning is no news", () => {
  expect(changeWords(of("promoted"), soon)).toEqual([
    "The database changed to its standby at",
    "Work acknowledged in the last moments before it may be missing.",
  ]);
  for (const reason of ["restored", "moved"] as const)
    expect(changeWords(of(reason), soon)?.join(" ")).toMatch(/restored from a backup at .*not in it/);
  expect(changeWords(of("new"), soon)).toBeNull();
  expect(changeWords(undefined, soon)).toBeNull();
  expect(changeWords(of("promoted"), soon + 24 * 3_600_000)).toBeNull();
});

test("deaf live updates and lost streams are said, the deaf first", () => {
  const ok = { kind: "postgres", status: "ok" } as const;
  expect(liveLine({ doorbell: ok })).toBeNull();
  expect(liveLine({ doorbell: { ...ok, status: "deaf" }, events: "unavailable" })?.title).toBe(
    "Live updates come late.",
  );
  expect(liveLine({ doorbell: ok, events: "unavailable" })?.title).toBe("Events are not kept.");
});

test("a queue is said from nine tenths on, with the number, the maximum and what helps", () => {
  expect(queueLine(undefined)).toBeNull();
  expect(queueLine({ waiting: 17_999, max_queued: 20_000 })).toBeNull();
  expect(queueLine({ waiting: 18_000, max_queued: 20_000 })).toMatchObject({
    tone: "warn",
    title: "The queue is nearly full.",
    text: expect.stringMatching(/18,000 of at most 20,000 turns wait.*Start more workers, or stop/),
  });
  expect(queueLine({ waiting: 20_000, max_queued: 20_000 })).toMatchObject({
    tone: "fail",
    title: "The queue is full.",
  });
});
