// The size rule of messages, and envelopes of the other format.
import { describe, expect, test } from "vitest";
import { Envelope } from "@/server/contract/context-pack/envelope";
import { envelope, sha, uuid } from "@/server/testing/packs";
import { adaptEnvelope } from "./adapt-envelope";
import { spillMessage } from "./spill-message";

describe("17: a long message", () => {
  test("becomes an artifact; a summary stays", () => {
    const content = "é".repeat(4_500);
    const { envelope: short, artifact } = spillMessage(envelope(1, { message: { content, format: "markdown" } }));
    expect(Buffer.byteLength(JSON.stringify(Envelope.parse(short)))).toBeLessThan(8_192);
    expect(short.message?.content).toMatch(
      /^é{200} … \(9000 bytes in artifact:\/\/messages\/0+-0000-4000-8000-0+1\.md\)$/,
    );
    expect(short.artifacts).toMatchObject([{ ref: artifact?.ref, sha256: sha(content), mime: "text/markdown" }]);
    expect(Buffer.from(artifact?.bytes ?? []).toString()).toBe(content);
    expect(artifact?.sha256).toBe(sha(content));
  });
  test("of 8,192 bytes stays as it is", () => {
    const given = envelope(1, { message: { content: "x".repeat(8_192) } });
    expect(spillMessage(given)).toEqual({ envelope: given, artifact: null });
    expect(spillMessage(envelope(1))).toEqual({ envelope: envelope(1), artifact: null });
    expect(spillMessage(envelope(1, { message: { content: "x".repeat(8_193) } })).artifact).not.toBeNull();
  });
});

describe("13: the other format", () => {
  const edges = [{ edgeId: "edge-1", fromNodeId: "a", toNodeId: "b" }];
  const delivery = { edges, fromNodeId: "a", receivedAt: "2026-01-13T10:00:00Z" };
  test("a handoff is a message on the edge between the two nodes", () => {
    const adapted = adaptEnvelope({ kind: "handoff", id: "h1", toNodeId: "b", payload: { message: "m" } }, delivery);
    expect(adapted).toMatchObject({
      ok: true,
      envelope: {
        kind: "message",
        message: { content: "m" },
        edgeId: "edge-1",
        fromNodeId: "a",
        createdAt: delivery.receivedAt,
        status: { ok: true },
        provenance: { adaptedFrom: "handoff" },
      },
    });
    expect(adapted.ok && Envelope.safeParse(adapted.envelope).success).toBe(true);
    const again = adaptEnvelope({ kind: "handoff", id: "h1", toNodeId: "b" }, delivery);
    expect(again.ok && adapted.ok && again.envelope.payloadId).toBe(adapted.ok && adapted.envelope.payloadId);
  });
  test("an id of the right shape is kept, and content says the kind", () => {
    const given = { kind: "signal", id: uuid(3), fromNodeId: "a", toNodeId: "b", payload: { structured: { x: 1 } } };
    expect(adaptEnvelope(given, { edges, receivedAt: delivery.receivedAt })).toMatchObject({
      envelope: { payloadId: uuid(3), kind: "structured", structured: { x: 1 } },
    });
  });
  test.each([
    [{ kind: "handoff", id: "h", toNodeId: "c" }, "edge_not_found", "toNodeId: no edge leads from a to c"],
    [{ kind: "handoff", id: "h" }, "invalid_input", "toNodeId: is missing"],
    [{ kind: "message", id: "h", toNodeId: "b" }, "invalid_input", "kind: expected"],
    [{ kind: "handoff", id: "h", toNodeId: "b", extra: 1 }, "invalid_input", "extra: unknown field"],
  ])("%j is refused", (given, code, message) => {
    expect(adaptEnvelope(given, delivery)).toMatchObject({
      ok: false,
      code,
      message: expect.stringContaining(message),
    });
  });
  test("a sender that nobody names", () => {
    expect(
      adaptEnvelope({ kind: "handoff", id: "h", toNodeId: "b" }, { edges, receivedAt: delivery.receivedAt }),
    ).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("fromNodeId: is missing"),
    });
  });
});
