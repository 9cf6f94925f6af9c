import { expect, test } from "vitest";
import { cardListQuery } from "./card-list-query";

test("blank words, unknown roles and absent filters are none", () => {
  expect(cardListQuery("p", { q: "  ", type: null, role: "boss", author: null })).toEqual({
    project_id: "p",
    q: undefined,
    type: undefined,
    role: undefined,
    author_id: undefined,
  });
});

test("words are trimmed and cut to what the server takes", () => {
  const query = cardListQuery("p", { q: ` ${"x".repeat(500)} `, role: "tool", author: "ann", type: "tool.result" });
  expect(query.q).toHaveLength(400);
  expect(query).toMatchObject({ role: "tool", author_id: "ann", type: "tool.result" });
});
