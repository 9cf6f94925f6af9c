import { expect, test } from "vitest";
import { viewHref } from "@/components/domain/view-href";
import { runSorts } from "@/server/contract/run-order";
import { colsOf, columnsOf, runListQuery, viewListOf } from "./run-params";

test("what the address says wrong is left out", () => {
  expect(runListQuery("p", { q: " iron ", status: "odd", sort: "odd" })).toEqual({
    project_id: "p",
    q: "iron",
    status: undefined,
    sort: "-begun",
    limit: 50,
  });
  expect(runListQuery("p", { status: "failed", sort: "cost" })).toMatchObject({ status: "failed", sort: "cost" });
});

test("columns stand in one order whatever the address says, and the title is always one", () => {
  expect(columnsOf(null)).toEqual(runSorts);
  expect(columnsOf("cost,status,odd")).toEqual(["status", "title", "cost"]);
  expect(columnsOf("")).toEqual(["title"]);
  expect(colsOf(runSorts)).toBeNull();
  for (const cols of ["status,cost", ""]) expect(colsOf(columnsOf(cols))).toBe(cols);
});

test("a saved view leads back to the whole address, and nothing chosen is no view", () => {
  expect(viewListOf(null, "-begun", null)).toBeUndefined();
  const list = viewListOf("failed", "-cost", "status,cost");
  expect(list).toEqual({ status: "failed", sort: "-cost", columns: ["status", "cost"] });
  expect(viewHref("a b", { page: "runs", query: "iron", list })).toBe(
    "/p/a%20b/runs?q=iron&status=failed&sort=-cost&cols=status%2Ccost",
  );
  expect(viewHref("p", { page: "runs", query: "", list: { columns: [] } })).toBe("/p/p/runs?cols=");
});
