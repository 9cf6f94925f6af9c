import { expect, test } from "vitest";
import { parseQuery } from "@/server/contract/search-query/parse-query";
import { cardListQuery, cardSearchQuery } from "./card-list-query";

test("unknown roles and absent filters are none, and blank words ask for the newest", () => {
  const filter = { q: "  ", type: null, role: "boss", author: null };
  expect(cardListQuery("p", filter)).toEqual({
    project_id: "p",
    type: undefined,
    role: undefined,
    author_id: undefined,
  });
  expect(cardSearchQuery("p", filter)).toBeNull();
});

test("words are a query, and what is chosen are filters of it", () => {
  const asked = (q: string, author?: string) => cardSearchQuery("p", { q, type: "tool.result", role: "tool", author });
  expect(asked(" skip locked ")).toEqual({
    project_id: "p",
    kind: "card",
    q: 'skip locked type:"tool.result" role:"tool"',
    limit: 50,
  });
  expect(asked("a OR b")?.q).toBe('(a OR b) type:"tool.result" role:"tool"');
  expect(cardSearchQuery("p", { q: "a OR b" })?.q).toBe("a OR b");
  const odd = asked("x", 'say "hi" \\');
  expect(parseQuery(odd?.q ?? "", { now: new Date(0) })).toMatchObject({
    isRead: true,
    tree: { parts: [{}, {}, {}, { field: "author", values: [{ text: 'say "hi" \\' }] }] },
  });
});
