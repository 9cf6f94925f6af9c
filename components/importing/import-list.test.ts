import { expect, test } from "vitest";
import { refusalOf } from "@/components/trpc/send-file";
import { finishedWords, type ImportItem, importList, nextToSend } from "./import-list";

const file = (name: string, size: number) => Object.defineProperty(new File([], name), "size", { value: size }) as File;
const result = { root_turn_id: "r", turns: 1, cards: 2, boxes: 3, edges: 4, agents: 5, skipped: 0, is_replay: false };

function listOf(...files: File[]): readonly ImportItem[] {
  return importList([], { kind: "added", files, project_id: "p", first_id: 1 });
}

test("a file over the limit, or empty, is refused before it is sent, and says so", () => {
  const items = listOf(file("big.json", 67_108_865), file("empty.json", 0), file("fits.json", 67_108_864));
  expect(items.map((item) => item.status)).toEqual(["failed", "failed", "waiting"]);
  expect(items[0]).toMatchObject({ error: expect.stringContaining("at most 64 MiB") });
  expect(importList(items, { kind: "retried", id: 1 })[0]?.status).toBe("failed");
});

test("files go one after another, in the order they were dropped", () => {
  let items = listOf(file("a", 10), file("b", 10));
  expect(nextToSend(items)?.id).toBe(1);
  items = importList(items, { kind: "sent", id: 1, bytes: 4 });
  expect(items[0]).toMatchObject({ status: "sending", sent: 4 });
  expect(nextToSend(items)).toBeNull();
  items = importList(items, { kind: "sent", id: 1, bytes: 10 });
  expect(items[0]?.status).toBe("reading");
  expect(nextToSend(items)).toBeNull();
  items = importList(items, { kind: "done", id: 1, result });
  expect(nextToSend(items)?.id).toBe(2);
});

test("what is over stays as it ended, until it is tried again", () => {
  let items = importList(listOf(file("a", 10)), { kind: "failed", id: 1, error: "line 3" });
  items = importList(items, { kind: "sent", id: 1, bytes: 10 });
  items = importList(items, { kind: "canceled", id: 1 });
  expect(items[0]).toMatchObject({ status: "failed", error: "line 3" });
  expect(importList(items, { kind: "retried", id: 1 })[0]?.status).toBe("waiting");
});

test("without a project nothing is sent; once one is chosen it is, and clearing keeps what is under way", () => {
  let items = importList([], { kind: "added", files: [file("a", 1), file("b", 2)], project_id: null, first_id: 1 });
  expect(nextToSend(items)).toBeNull();
  items = importList(items, { kind: "placed", project_id: "q" });
  expect(nextToSend(items)).toMatchObject({ id: 1, project_id: "q" });
  items = importList(importList(items, { kind: "sent", id: 1, bytes: 0 }), { kind: "canceled", id: 2 });
  expect(importList(items, { kind: "cleared" }).map((item) => item.id)).toEqual([1]);
});

test("the end says how many of the files got in", () => {
  let items = listOf(file("a", 1), file("b", 2));
  items = importList(items, { kind: "failed", id: 1, error: "history is missing" });
  expect(finishedWords(items)).toBe("");
  expect(finishedWords(importList(items, { kind: "done", id: 2, result }))).toBe("1 of 2 files imported.");
  expect(finishedWords(importList(items, { kind: "failed", id: 2, error: "no" }))).toBe("0 of 2 files imported.");
  expect(finishedWords(importList(listOf(file("a", 1)), { kind: "done", id: 1, result }))).toBe("1 file imported.");
});

test("a refusal is the server's own words, or its status where it has none", () => {
  expect(refusalOf(400, { detail: { error_code: "bad_request", error_message: "history.3.role is missing" } })).toBe(
    "history.3.role is missing",
  );
  expect(refusalOf(502, null)).toContain("502");
});
