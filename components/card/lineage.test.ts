import { expect, test } from "vitest";
import type { CardPlace, CardSheet } from "@/server/contract/line";
import { lineage, shortId } from "./lineage";

const card = (more: Partial<CardSheet> = {}): CardSheet => ({
  card_id: "c1",
  project_id: "p",
  type: "tool.result",
  role: "tool",
  author_id: "search_index",
  content: { kind: "text", text: "" },
  metadata: {},
  content_hash: "",
  token_count: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  marks: [],
  live_cursor: "",
  ...more,
});
const place = (box_id: string, origin: string, more: Partial<CardPlace> = {}): CardPlace => ({
  box_id,
  origin,
  kind: "context",
  length: 9,
  position: 3,
  created_at: "2026-01-01T00:00:00.000Z",
  ...more,
});
const kinds = (stops: ReturnType<typeof lineage>) => stops.map((stop) => `${stop.kind} ${stop.title}`);

test("a card that was inherited twice shows both boxes, oldest first", () => {
  const places = [
    place("000000004e7a", "box:000000009c41"),
    place("000000009c41", "box:000000002b10"),
    place("000000002b10", "turn:t1"),
    place("00000000ffff", "given"),
  ];
  expect(kinds(lineage(card(), places, "000000004e7a"))).toEqual(["born Created", "box 2B10", "box 9C41", "here 4E7A"]);
});

test("boxes that inherit from each other end the walk", () => {
  const places = [place("aaaa", "box:bbbb"), place("bbbb", "box:aaaa")];
  expect(kinds(lineage(card(), places, "aaaa"))).toEqual(["born Created", "box BBBB", "here AAAA"]);
});

test("a source that is not known any more is left out", () => {
  expect(kinds(lineage(card(), [place("aaaa", "box:gone")], "aaaa"))).toEqual(["born Created", "here AAAA"]);
});

test("a redacted copy begins at its original", () => {
  const copy = card({ redacted_from: "0123456789abcdef", metadata: { redactions: { bearer: 1, jwt: 2 } } });
  const stops = lineage(copy, [place("aaaa", "box:bbbb")], "aaaa");
  expect(kinds(stops)).toEqual(["born …89abcdef", "redacted Redacted at handover", "here AAAA"]);
  expect(stops[1]?.detail).toBe("bearer 1, jwt 2");
});

test.each([
  ["arg:instruction", "Packed argument instruction"],
  ["ptr", "Added by Switchyard"],
  ["import", "Imported"],
])("without a turn, %s says who put it there", (origin, title) => {
  expect(lineage(card(), [place("aaaa", origin)], "aaaa")[0]?.title).toBe(title);
});

test("outside of a box there is only the birth", () => {
  expect(kinds(lineage(card(), [place("aaaa", "ptr")], null))).toEqual(["born Created"]);
});

test("short ids", () => {
  expect([shortId("c-4e05"), shortId("0199d1f37e1a7cc8a1b2c3d4e5f60718")]).toEqual(["c-4e05", "…e5f60718"]);
});
