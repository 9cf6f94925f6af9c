import { expect, test } from "vitest";
import { parseQuery } from "@/server/contract/search-query/parse-query";
import { examples } from "./search-words";

test("every example can be read", () => {
  for (const { query } of examples)
    expect(parseQuery(query, { now: new Date("2026-01-01T00:00:00Z") })).toMatchObject({ isRead: true });
});
