// Which fields of a part's lines are free text or values of any kind, by their schema: those are redacted. Ids, digests, times,
// figures and words of a fixed list hold the run together and stay.
import type * as z from "zod";
import {
  AlarmLine,
  BatchLine,
  EdgeLine,
  EnvLine,
  HumanRequestLine,
  MarkLine,
  MuteLine,
  RunLine,
  StepLine,
  TurnLine,
} from "@/server/contract/bundle/lines";
import { PlanEditLine, PlanNodeLine } from "@/server/contract/bundle/plan-lines";
import {
  AgentLine,
  BoxLine,
  IdentityLine,
  NameLine,
  PackLine,
  ProfileLine,
  ToolLine,
} from "@/server/contract/bundle/store-lines";

/** Parts whose lines are redacted field by field; cards, requests, files and drawings have their own ways. */
export const FIELDWISE = {
  "run.json": RunLine,
  "turns.jsonl": TurnLine,
  "steps.jsonl": StepLine,
  "edges.jsonl": EdgeLine,
  "boxes.jsonl": BoxLine,
  "agents.jsonl": AgentLine,
  "profiles.jsonl": ProfileLine,
  "tools.jsonl": ToolLine,
  "batches.jsonl": BatchLine,
  "env.jsonl": EnvLine,
  "human_requests.jsonl": HumanRequestLine,
  "alarms.jsonl": AlarmLine,
  "marks.jsonl": MarkLine,
  "artifacts/names.jsonl": NameLine,
  "artifacts/packs.jsonl": PackLine,
  "identity_edges.jsonl": IdentityLine,
  "alarm_mutes.jsonl": MuteLine,
  "plan_nodes.jsonl": PlanNodeLine,
  "plan_edits.jsonl": PlanEditLine,
} as const;

export type FieldwisePart = keyof typeof FIELDWISE;

export function freeFields(part: FieldwisePart): string[] {
  return Object.entries(FIELDWISE[part].shape).flatMap(([name, field]) => (isFree(field) ? [name] : []));
}

type Def = { type: string; innerType?: z.ZodType; element?: z.ZodType; checks?: unknown[]; format?: string };

function isFree(field: z.ZodType): boolean {
  const def = field.def as unknown as Def;
  if (def.type === "nullable") return def.innerType !== undefined && isFree(def.innerType);
  if (def.type === "array") return def.element !== undefined && isFree(def.element);
  if (def.type === "tuple") return true;
  if (def.type === "string") return !(def.checks ?? []).some(isShape);
  return ["unknown", "record", "object"].includes(def.type);
}

/** A length is no shape. */
const isShape = (check: unknown): boolean =>
  (check as { _zod?: { def?: { check?: string } } })._zod?.def?.check === "string_format";
