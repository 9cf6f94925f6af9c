// Packed and unpacked, a picture is the same frame by frame, also over JSON.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Frame } from "./frame";
import { isoTime } from "./iso-time";
import { packFrames } from "./lean-frames";
import { unpackFrames } from "./unpack-frames";

const sent = (frames: readonly Frame[]): Frame[] => unpackFrames(JSON.parse(JSON.stringify(packFrames(frames))));
/** As JSON carries them, kind by kind. */
const plain = (frames: readonly Frame[]): Frame[] =>
  JSON.parse(
    JSON.stringify(
      [...new Set(frames.map(({ kind }) => kind))].flatMap((kind) => frames.filter((one) => one.kind === kind)),
    ),
  );

const time = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date("2090-01-01") })
  .map((at) => at.toISOString());
const word = fc.constantFrom("", "a", "b", "2026-02-30T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "null", "0");
const id = fc.constantFrom("t1", "t2", "t3", "t4", "other");
const value = fc.oneof(word, id, time, fc.boolean(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const nested = fc.oneof(
  value,
  fc.constant(null),
  fc.array(value, { maxLength: 2 }),
  fc.record({ deep: fc.option(value) }),
);
const frame = fc
  .record(
    {
      kind: fc.constantFrom("turn", "edge", "alarm"),
      id,
      rev: fc.nat(3),
      title: word,
      parent_turn_id: id,
      created_at: time,
      ended_at: time,
      cost: fc.double({ noNaN: true, noDefaultInfinity: true }),
      is_human: fc.boolean(),
      mixed: value,
      mark: nested,
      same: fc.constant("same"),
    },
    { requiredKeys: ["kind", "id", "rev"] },
  )
  .map((made) => made as unknown as Frame);

test("what is packed comes out as it was, whatever fields a frame has", () => {
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 12 }), (frames) => {
      expect(sent(frames)).toEqual(plain(frames));
    }),
    { numRuns: 500 },
  );
});

test("null is a value, and a frame without a field has none", () => {
  const frames = [
    { kind: "run", id: "r1", rev: 1, metadata: null, held: undefined },
    { kind: "run", id: "r2", rev: 1 },
  ] as unknown as Frame[];
  const [one, other] = sent(frames) as { metadata?: unknown; held?: unknown }[];
  expect([one?.metadata, one?.held, other?.metadata]).toEqual([null, undefined, undefined]);
});

test("frames share nothing that one of them could change for another", () => {
  const of = (id: string) => ({ kind: "turn", id, rev: 1, mark: { kind: "mistake", reason: id } }) as unknown as Frame;
  const [one, other] = sent([of("a"), of("b")]) as { mark?: { reason: string } }[];
  expect([one?.mark?.reason, other?.mark?.reason]).toEqual(["a", "b"]);
});

test("ids said again, fields that are the same and few texts take no room", () => {
  const turns = Array.from({ length: 100 }, (_, i) => ({
    kind: "turn",
    id: `turn_${"f".repeat(30)}${i}`,
    rev: 1,
    agent_turn_id: `turn_${"f".repeat(30)}${i}`,
    parent_turn_id: i === 0 ? undefined : `turn_${"f".repeat(30)}${i - 1}`,
    profile_name: i % 2 === 0 ? "A profile of some length" : "Another of some length",
    worker_target: "worker_generic",
  })) as unknown as Frame[];
  const [table] = packFrames(turns);
  expect(table?.columns).toMatchObject({
    rev: { all: 1 },
    agent_turn_id: { as: "id" },
    parent_turn_id: { at: expect.arrayContaining([null, 0, 98]) },
    profile_name: { of: ["A profile of some length", "Another of some length"] },
    worker_target: { all: "worker_generic" },
  });
  expect(JSON.stringify(packFrames(turns)).length * 4).toBeLessThan(JSON.stringify(turns).length);
});

test("a time is written as a date writes it", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(isoTime(date.getTime())).toBe(date.toISOString());
    }),
    { numRuns: 1_000 },
  );
});
