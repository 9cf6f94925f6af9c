import { describe, expect, it } from "vitest";
import { addFilter, removeFilter } from "./edit-filter";
import { queryFor } from "./for-kind";
import { parseQuery } from "./parse-query";
import { printQuery } from "./print-query";

const now = new Date("2026-11-25T12:00:00Z");
const added = (query: string, filter: Parameters<typeof addFilter>[0]["filter"]) => addFilter({ query, filter, now });
const removed = (query: string, filter: Parameters<typeof addFilter>[0]["filter"]) =>
  removeFilter({ query, filter, now });

describe("a facet", () => {
  it("adds a filter once, and beside values of the same field", () => {
    expect(added("iron", { field: "type", value: "tool.call" })).toEqual({
      isRead: true,
      query: "iron type:tool.call",
    });
    expect(added("type:a iron", { field: "type", value: "b c" })).toMatchObject({ query: 'type:a,"b c" iron' });
    expect(added("type:a,b", { field: "type", value: "b" })).toMatchObject({ query: "type:a,b" });
    expect(added("a OR b", { text: "tokens:>1k" })).toMatchObject({ query: "(a OR b) tokens:>1k" });
    expect(added("tokens:>1k", { text: "tokens:>1k" })).toMatchObject({ query: "tokens:>1k" });
    expect(added("-type:a", { field: "type", value: "a" })).toMatchObject({ query: "-type:a type:a" });
    expect(added("", { field: "author", value: "x*" })).toMatchObject({ query: 'author:"x*"' });
  });

  it("takes its own filter away and nothing else", () => {
    expect(removed("iron type:a,b -type:c", { field: "type", value: "a" })).toMatchObject({
      query: "iron type:b -type:c",
    });
    expect(removed("iron type:b", { field: "type", value: "b" })).toMatchObject({ query: "iron" });
    expect(removed("type:b", { field: "type", value: "b" })).toMatchObject({ query: "" });
    expect(removed("a tokens:>1k", { text: "tokens:>1k" })).toMatchObject({ query: "a" });
    expect(removed("type:b*", { field: "type", value: "b" })).toMatchObject({ query: "type:b*" });
  });

  it("refuses what it cannot read", () => {
    expect(added("(a", { field: "type", value: "a" })).toMatchObject({ isRead: false, fault: { column: 1 } });
    expect(added("a", { field: "status", value: "faild" })).toMatchObject({ isRead: false });
    expect(added("a", { text: "b c" })).toMatchObject({ isRead: false });
  });
});

describe("a query for one kind", () => {
  const asked = (text: string, kind: "card" | "turn" | "box") => {
    const parsed = parseQuery(text, { now });
    if (!parsed.isRead) throw new Error(parsed.fault.message);
    const { tree, fault } = queryFor(kind, parsed.tree);
    return fault ?? (tree === false ? false : printQuery(tree));
  };

  it("has its kind decided", () => {
    expect(asked("kind:card iron", "card")).toBe("iron");
    expect(asked("kind:card iron", "turn")).toBe(false);
    expect(asked("kind:card", "card")).toBe("");
    expect(asked("kind:!=card iron", "card")).toBe(false);
    expect(asked("-kind:turn,box iron", "card")).toBe("iron");
    expect(asked("kind:card role:tool OR kind:turn status:failed", "card")).toBe("role:tool");
    expect(asked("kind:card role:tool OR kind:turn status:failed", "turn")).toBe("status:failed");
  });

  it("refuses a field that the kind does not have, with its column", () => {
    expect(asked("iron status:failed", "card")).toEqual({
      column: 6,
      message: '"status" does not apply to cards, only to turns; leave it out or search there',
    });
    expect(asked("is:failed", "box")).toMatchObject({ column: 1 });
    expect(asked("-(a origin:import)", "turn")).toMatchObject({ column: 5 });
  });
});
