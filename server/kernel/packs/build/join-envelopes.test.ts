// Gates over envelopes: what counts, in which order it is passed on, and what comes late.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Envelope } from "@/server/contract/context-pack/envelope";
import type { JoinGate } from "@/server/contract/context-pack/join-gate";
import { cpuMs } from "@/server/testing/cpu";
import { envelope, sha, uuid } from "@/server/testing/packs";
import { type JoinClock, joinEnvelopes } from "./join-envelopes";

const gate = (over: Partial<JoinGate> = {}, names = ["a", "b"]): JoinGate => ({
  type: "join_gate",
  id: "join.research",
  policy: { kind: "all" },
  requiredInputs: names.map((name) => ({ fromNodeId: `node-${name}`, edgeId: name })),
  ...over,
});
const from = (edgeId: string, n: number, over: Partial<Envelope> = {}): Envelope =>
  envelope(n, {
    edgeId,
    fromNodeId: `node-${edgeId}`,
    createdAt: `2026-01-13T10:00:${String(n).padStart(2, "0")}.000Z`,
    ...over,
  });

function joined(given: JoinGate, arrivals: Envelope[], clock?: JoinClock) {
  const outcome = joinEnvelopes(given, arrivals, "out", clock);
  if (!outcome.ok) throw new Error(outcome.message);
  for (const { envelope: one } of outcome.closed) Envelope.parse(one);
  return outcome;
}
const used = (outcome: ReturnType<typeof joined>) =>
  outcome.closed.map((one) => one.used.map(({ payloadId }) => Number(payloadId.slice(-12))));
const numbers = (list: Envelope[]) => list.map(({ payloadId }) => Number(payloadId.slice(-12)));

test("53: all of them, one failed: fires once, complete, upstream_failed", () => {
  const outcome = joined(gate(), [from("b", 1, { status: { ok: false } }), from("a", 2)]);
  expect(outcome.closed).toHaveLength(1);
  expect(outcome.closed[0]).toMatchObject({
    joinStatus: "complete",
    envelope: {
      kind: "join",
      fromNodeId: "join.research",
      edgeId: "out",
      createdAt: "2026-01-13T10:00:02.000Z",
      status: { ok: false, code: "upstream_failed" },
      structured: { joinStatus: "complete", aggregated: [{ edgeId: "a" }, { edgeId: "b" }] },
      provenance: { inputs: [{ edgeId: "a", payloadId: uuid(2), ts: "2026-01-13T10:00:02.000Z" }, { edgeId: "b" }] },
    },
  });
  expect(joined(gate(), [from("a", 1)])).toMatchObject({ closed: [], waiting: [{ edgeId: "a" }] });
});

test("55: any: of two at the same moment, the lower id; the other is late and fires nothing", () => {
  const createdAt = "2026-01-13T10:00:00Z";
  const outcome = joined(gate({ policy: { kind: "any" } }), [from("a", 9, { createdAt }), from("b", 2, { createdAt })]);
  expect(used(outcome)).toEqual([[2]]);
  expect(outcome.late).toMatchObject([{ generation: 1, envelope: { payloadId: uuid(9) } }]);
});

describe("57: an edge that sends twice", () => {
  const arrivals = [from("a", 1), from("a", 2), from("b", 3)];
  test("queue: the first is used, the second waits for the next generation", () => {
    const outcome = joined(gate({ delivery: "queue" }), arrivals);
    expect(used(outcome)).toEqual([[1, 3]]);
    expect(numbers(outcome.waiting)).toEqual([2]);
    expect(used(joined(gate(), [...arrivals, from("b", 4)]))).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });
  test("latest: the second is used", () => {
    const outcome = joined(gate({ delivery: "latest" }), arrivals);
    expect(used(outcome)).toEqual([[2, 3]]);
    expect(numbers(outcome.replaced)).toEqual([1]);
  });
});

test("quorum: the first k; later ones are late, and the next payload of a used edge opens the next generation", () => {
  const three = gate({ policy: { kind: "quorum", k: 2 } }, ["a", "b", "c"]);
  const outcome = joined(three, [from("c", 1), from("a", 2), from("b", 3), from("a", 4), from("b", 5)]);
  expect(used(outcome)).toEqual([
    [2, 1],
    [4, 5],
  ]);
  expect(outcome.late).toMatchObject([{ generation: 1, envelope: { payloadId: uuid(3) } }]);
  expect(joinEnvelopes(gate({ policy: { kind: "quorum", k: 3 } }), [], "out")).toEqual({
    ok: false,
    code: "invalid_input",
    message: "policy.k: is 3, but the gate has 2 inputs. Lower it",
  });
});

describe("a deadline", () => {
  const clock = { openedAt: "2026-01-13T10:00:00.000Z", now: "2026-01-13T11:00:00.000Z" };
  const timed = (over: Partial<JoinGate> = {}) => gate({ timeoutMs: 5_000, ...over });
  test("what arrived by then is passed on as partial; the rest is late", () => {
    const outcome = joined(timed(), [from("a", 1), from("b", 9)], clock);
    expect(outcome.closed).toMatchObject([
      { joinStatus: "partial", envelope: { createdAt: "2026-01-13T10:00:05.000Z", status: { ok: true } } },
    ]);
    expect(outcome.late).toMatchObject([{ generation: 1, envelope: { payloadId: uuid(9) } }]);
  });
  test("nothing arrived: timeout", () => {
    expect(joined(timed(), [], clock).closed).toMatchObject([
      { joinStatus: "timeout", envelope: { status: { ok: false, code: "join_timeout" } } },
    ]);
  });
  test("fail, wait, the policy timeout, and a deadline that is not reached", () => {
    const late = [from("a", 1), from("b", 9)];
    expect(joined(timed({ onTimeout: "fail" }), late, clock).closed).toMatchObject([
      { joinStatus: "partial", envelope: { status: { ok: false, code: "join_timeout" } } },
    ]);
    expect(used(joined(timed({ onTimeout: "wait" }), late, clock))).toEqual([[1, 9]]);
    expect(used(joined(gate({ policy: { kind: "timeout", ms: 5_000 } }), late, clock))).toEqual([[1]]);
    expect(joined(timed(), [from("a", 1)], { ...clock, now: "2026-01-13T10:00:04Z" }).closed).toEqual([]);
    expect(used(joined(timed(), late))).toEqual([[1, 9]]);
  });
});

test("edges that the gate does not declare follow by time; only what the selector names is passed on", () => {
  const message = { message: { content: "m" }, structured: { x: 1 } };
  const artifacts = [{ ref: "artifact://logs/a.txt", type: "log" as const, sha256: sha("a") }];
  const arrivals = [from("z", 2), from("y", 1), from("b", 3, { artifacts }), from("a", 4, { ...message, artifacts })];
  const outcome = joined(gate(), arrivals);
  expect(used(outcome)).toEqual([[4, 3, 1, 2]]);
  expect(outcome.closed[0]?.envelope).toMatchObject({ artifacts, structured: { aggregated: [message, {}, {}, {}] } });
  const only = joined(gate({ outputSelector: "message" }), arrivals).closed[0]?.envelope;
  expect(only).not.toHaveProperty("artifacts");
  expect(JSON.stringify(only?.structured)).not.toContain('"x"');
});

test("one reference with two digests is an error", () => {
  const one = (edge: string, n: number) =>
    from(edge, n, { artifacts: [{ ref: "artifact://logs/a.txt", type: "log", sha256: sha(edge) }] });
  expect(joinEnvelopes(gate(), [one("a", 1), one("b", 2)], "out")).toMatchObject({
    ok: false,
    code: "artifact_conflict",
  });
});

test("whatever order they arrive in, and however often: the same answer", () => {
  const policies = [{ kind: "all" }, { kind: "any" }, { kind: "quorum", k: 2 }] as const;
  const clock = { openedAt: "2026-01-13T10:00:00Z", now: "2026-01-13T12:00:00Z" };
  const arrival = fc.tuple(fc.constantFrom("a", "b", "c", "x"), fc.integer({ min: 0, max: 59 }));
  const cases = fc.record({
    given: fc.array(arrival, { maxLength: 12 }),
    policy: fc.constantFrom(...policies),
    delivery: fc.constantFrom("queue" as const, "latest" as const),
    timeoutMs: fc.option(fc.integer({ min: 1_000, max: 30_000 }), { nil: undefined }),
    onTimeout: fc.constantFrom("emit_partial" as const, "fail" as const, "wait" as const),
    seed: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
  });
  fc.assert(
    fc.property(cases, ({ given, seed, ...over }) => {
      const envelopes = given.map(([edge, second], i) =>
        from(edge, i, { createdAt: `2026-01-13T10:00:${String(second).padStart(2, "0")}Z` }),
      );
      const shuffled = envelopes.map((one, i) => ({ one, key: seed[i] ?? 0 })).sort((a, b) => a.key - b.key);
      const one = joined(gate(over, ["a", "b", "c"]), envelopes, clock);
      const other = joined(gate(over, ["a", "b", "c"]), [...shuffled.map((s) => s.one), ...envelopes], clock);
      expect(other).toEqual(one);
      // Each payload is in one place.
      const places = [
        ...one.closed.flatMap((g) => g.used),
        ...one.late.map((l) => l.envelope),
        ...one.replaced,
        ...one.waiting,
      ];
      expect(numbers(places).sort((a, b) => a - b)).toEqual(envelopes.map((_, i) => i));
    }),
    { numRuns: 500 },
  );
});

test("1,000 inputs", () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `e${i}`);
  const arrivals = names.map((name, i) => envelope(i, { edgeId: name })).toReversed();
  expect(cpuMs(() => expect(used(joined(gate({}, names), arrivals))[0]).toHaveLength(1_000))).toBeLessThan(2_000);
});
