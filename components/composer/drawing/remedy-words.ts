// What a remedy does, as its button's line says it. Pure.
import type { PlanOp } from "@/server/contract/plan/op";
import type { Plan } from "@/server/contract/plan/plan";
import { named } from "../draft/edits";
import { loadWords } from "./loads";

export function remedyWords(plan: Plan, op: PlanOp): string {
  switch (op.op) {
    case "remove_track":
      return `Take the track from ${named(plan, op.track.node)} away`;
    case "set_track":
      return `Start ${named(plan, op.to)} after ${named(plan, op.with.node)} instead`;
    case "add_track":
      return `Start ${named(plan, op.to)} after ${named(plan, op.track.node)}`;
    case "remove_load":
      return `Do not load ${loadWords(plan, op.load)}`;
    case "add_load":
      return `Load ${loadWords(plan, op.load)}`;
    case "move_load":
      return `Load ${loadWords(plan, op.load)} ${op.at === 0 ? "first" : `as number ${op.at + 1}`}`;
    case "remove_node":
      return `Take ${named(plan, op.node)} away`;
    case "set":
      return setWords(plan, op);
    default:
      return "Change the plan";
  }
}

function setWords(plan: Plan, { node, path, value }: Extract<PlanOp, { op: "set" }>): string {
  const [, field = "", ...rest] = path.split("/");
  const words: Record<string, string> = {
    target: "target",
    inputs: "inputs",
    load: "load",
    handover: "hand-over",
    context_tokens_max: "context limit",
    disabled: "switch",
  };
  if (field === "inputs") return value === undefined ? "Remove the input" : "Declare the input";
  if (field === "disabled") return `Switch ${named(plan, node ?? "")} ${value === true ? "off" : "on"}`;
  if (field === "target" && rest[0] === "strategy")
    return value === "clone" ? "Clone the agent instead" : `Take the agent ${String(value)}`;
  if (field === "load" && rest.at(-1) === "take")
    return value === "summary"
      ? "Take the join's summary"
      : value === "deliverable"
        ? "Take deliverables, not output boxes"
        : "Take the output box";
  if (field === "load" && value !== undefined && typeof value === "object" && value !== null && "take" in value)
    return value.take === "summary" ? "Take the join's summary" : "Take deliverables, not output boxes";
  if (field === "handover") return "Leave out types that need not travel";
  return `Change the ${words[field] ?? field.replaceAll("_", " ")}`;
}
