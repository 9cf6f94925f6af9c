// The schema of a line of each part: every line of an imported bundle passes through its own.
import * as z from "zod";
import { RequestLine } from "@/server/contract/bundle/lines";
import { BundleNote } from "@/server/contract/bundle/manifest";
import { PlanRunLine } from "@/server/contract/bundle/plan-lines";
import { CardLine, FileLine } from "@/server/contract/bundle/store-lines";
import { FIELDWISE } from "./free-fields";

export const PART_LINES = {
  ...FIELDWISE,
  "requests.jsonl": RequestLine,
  "cards.jsonl": CardLine,
  "artifacts/files.jsonl": FileLine,
  "plan_runs.jsonl": PlanRunLine,
  "notes.json": z.array(BundleNote).max(1_000),
} as const;

export type LinedPart = keyof typeof PART_LINES;
