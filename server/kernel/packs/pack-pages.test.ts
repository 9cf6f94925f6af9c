// What the builder gives is what the page of a pack shows: nothing of it is missing there, and nothing is added.
import { expect, test } from "vitest";
import { budgetGauge } from "@/components/context-pack/view/gauge";
import { packDocument } from "@/components/context-pack/view/pack-document";
import { trimReceipt } from "@/components/context-pack/view/receipt";
import { sectionForms } from "@/components/context-pack/view/sections";
import { ContextPack } from "@/server/contract/context-pack/pack";
import { buildInput, redactor, sha } from "@/server/testing/packs";
import { buildPack } from "./build/build-pack";

/** Cards as documents: those that a person named, and those of a box. */
function built(count: number, words: number, goal = "Retry the client with backoff.") {
  const blobs = new Map<string, Uint8Array>();
  const docs = Array.from({ length: count }, (_, i) => {
    const bytes = Buffer.from(`# Retry ${i}\n\n${"backoff of the client ".repeat(words)}`);
    blobs.set(sha(bytes), bytes);
    return { path: `card://card-${i}`, sha256: sha(bytes), ...(i > 0 && { priority: "low" as const }) };
  });
  const outcome = buildPack({
    input: buildInput({
      docs,
      estimator: "o200k",
      node: { id: "coder", objective: goal, definitionOfDone: ["All tests pass", "No new dependency"], turn: 1 },
      constraints: { noNewDependencies: true },
      toolPolicy: { allowedTools: ["read_file"] },
      decisions: [{ id: "D1", summary: "Wait at most a minute", rationale: "Callers give up after two" }],
    }),
    read: (digest) => blobs.get(digest) ?? null,
    redact: redactor,
  });
  if (!outcome.ok) throw new Error(outcome.message);
  const { pack, sidecar, found, limit } = outcome;
  return { pack, sidecar, record: { estimate: sidecar.estimate, found, limit } };
}

test("every member of the format is in exactly one section", () => {
  const fields = sectionForms.flatMap((form) => form.fields);
  expect(fields.toSorted()).toEqual(Object.keys(ContextPack.shape).toSorted());
});

test("a pack that fits: every part has a line, sections add up to the estimate, each document names its card", () => {
  const given = built(2, 20);
  const { sections } = packDocument(given);
  expect(sections.map(({ key }) => key)).toEqual([
    "goal",
    "done",
    "constraints",
    "decisions",
    "documents",
    "policy",
    "frame",
  ]);
  expect(sections.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(given.record.estimate);
  for (const section of sections)
    expect(section.lines.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(section.tokens);
  const documents = sections.find(({ key }) => key === "documents");
  expect(documents?.lines.map(({ sources }) => sources.map(({ ref }) => ref))).toEqual([
    ["card://card-0"],
    ["card://card-1"],
  ]);
  expect(trimReceipt(given)).toEqual({ steps: [], saved: 0, unneededFrom: 1 });
  const gauge = budgetGauge({ sections, record: given.record });
  expect(gauge).toMatchObject({ scale: 6_000, cut: null, limitAt: 100 });
});

test("what did not fit is struck through, and the steps say what it saved", () => {
  const given = built(120, 60);
  const { estimate, found, limit } = given.record;
  expect(found).toBeGreaterThan(limit);
  const { sections } = packDocument(given);
  const documents = sections.find(({ key }) => key === "documents");
  const gone = documents?.lines.filter(({ isGone }) => isGone) ?? [];
  const removed = given.sidecar.trimmed.filter(({ action }) => action === "removed").map(({ key }) => key);
  expect(gone.map(({ key }) => key).toSorted()).toEqual(removed.toSorted());
  expect(documents?.dropped).toBe(removed.length);
  const emptied = new Set(given.sidecar.trimmed.map(({ key }) => key));
  expect(documents?.shortened).toBe(emptied.size - removed.length);
  const receipt = trimReceipt(given);
  expect(receipt.steps.map(({ step }) => step)).toEqual([...new Set(given.sidecar.trimmed.map(({ step }) => step))]);
  expect(receipt.steps.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(found - estimate);
  const gauge = budgetGauge({ sections, record: given.record });
  const width = gauge.parts.reduce((sum, part) => sum + part.width, gauge.cut?.width ?? 0);
  expect(width).toBeCloseTo(100, 6);
  expect(gauge.limitAt).toBeLessThan(100);
});

test("a secret is shown as its kind and place, in the line and in the receipt", () => {
  const { pack, sidecar, record } = built(1, 2, `Use the token ghp_${"a1B2".repeat(9)} to deploy.`);
  const [goal] = packDocument({ pack, sidecar, record }).sections;
  expect(goal?.lines[0]?.text).toBe("Use the token [REDACTED:github_token] to deploy.");
  expect(sidecar.redactions).toEqual([{ pointer: "/goal", kind: "github_token", count: 1 }]);
});
