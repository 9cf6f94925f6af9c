import { expect, test } from "vitest";
import { draftCard } from "./draft-card";

const kernel = { newId: () => "id", now: () => new Date(0) };

// Stored hashes are compared with those of today's drafts (K3): what a card hashes to never changes.
const known: [type: string, ofData: string, ofText: string][] = [
  [
    "task.instruction",
    "c4d02910214341c7b800ad53f75ad749c25eade49028e697c67486510934e525",
    "03901a028a8d6f266a422fcdeba2019f48dfa5a99dada8229da7250d1abe00dd",
  ],
  [
    "agent.thought",
    "1824c892e2dc2b8dbc28d67001211f67d89c49495ed02ee5495ee65d121ba93e",
    "90f219b9757ccf6163f0c276a3ac3cf3593d419f2259f2078002bdcbf1ee41b2",
  ],
  [
    "tool.result",
    "1cdb4ad50182ae6952c82607db762b1200392c78b263f31e0470413508879e07",
    "605e8a20628ccb094e08d2fd841d79620ac52626fa2b1062b262eee6ab96ce05",
  ],
];

test.each(known)("%s has the same hash as always", (type, ofData, ofText) => {
  const data = { b: [1, "ü"], a: null, "10": true, "9": {} };
  const hashOf = (card: object, metadata?: object) =>
    draftCard(kernel, { project_id: "p", card: { type, author_id: "a", content: "", ...card, ...metadata } })
      .content_hash;
  const content = { kind: "json", data };
  expect(hashOf({ content, tool_call_id: "call_1", tool_calls: [{ id: "call_1" }] })).toBe(ofData);
  expect(hashOf({ content: 'Say "hello"\n😀' })).toBe(ofText);
  // The author and the step are not sent to a model.
  expect(hashOf({ content: 'Say "hello"\n😀', author_id: "b" }, { metadata: { step_id: "s" } })).toBe(ofText);
});

test("bad text is repaired and noted, or refused with its path; nesting is checked first", () => {
  const card = { type: "agent.thought", author_id: "a", content: "half \uD800" };
  const mended = draftCard(kernel, { project_id: "p", card, bad_text: "mend" });
  expect(mended.content).toEqual({ kind: "text", text: "half \uFFFD" });
  expect(mended.metadata.mended_text).toBe(true);
  expect(() => draftCard(kernel, { project_id: "p", card, path: "cards.3" })).toThrow(
    /^cards\.3\.content\.text contains/,
  );
  let data: never = "\0" as never;
  for (let i = 0; i < 600; i++) data = [data] as never;
  expect(() => draftCard(kernel, { project_id: "p", card: { ...card, content: { kind: "json", data } } })).toThrow(
    "card is nested deeper than 500 levels",
  );
});

test.each(["toString", "constructor", "__proto__", "hasOwnProperty"])(
  "a card of type %s is the user's, as of any type that is not ours",
  (type) => {
    const draft = draftCard(kernel, { project_id: "p", card: { type, author_id: "a", content: "x" } });
    expect(draft.metadata.role).toBe("user");
  },
);
