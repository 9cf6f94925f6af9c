// Whether a box can be packed, and the call that packs it. Pure; what the kernel refuses is only placed.
import type { HandPack, HandPackLines } from "@/server/contract/hand-pack";
import { emptyGate, recipeOf, type TaskForm } from "./launch-form";
import type { LaunchBlock } from "./launch-state";
import { entryOf } from "./load-item";
import { refusalPlace } from "./refusal-place";

export type PackCheck = { answer: HandPackLines | undefined; isStale: boolean; error: string | null };

/** Nothing is missing: it can be asked. */
export function packMissing({ target, load, text, args }: TaskForm): LaunchBlock | null {
  if (target === null) return { place: "target", tone: "missing", reason: "Choose the profile that reads it." };
  const hasArgs = Object.values(args).some((value) => value.trim() !== "");
  if (load.length === 0 && text.trim() === "" && !hasArgs)
    return { place: "load", tone: "missing", reason: "Choose a box or a card." };
  return null;
}

export function packCall(task: TaskForm): HandPack {
  return {
    profile_name: task.target?.target_ref ?? "",
    load: task.load.map(entryOf),
    ...(task.text.trim() !== "" && { instruction: task.text }),
    ...recipeOf(task),
  };
}

/** null = the box can be made. */
export function packBlock(task: TaskForm, { answer, isStale, error }: PackCheck): LaunchBlock | null {
  const missing = packMissing(task);
  if (missing !== null) return missing;
  if (error !== null) return { place: "all", tone: "failed", reason: `The check failed: ${error}` };
  if (answer === undefined) return { place: "all", tone: "waiting", reason: "Checking what the box would hold." };
  if (answer.ok) return null;
  if (isStale) return { place: "all", tone: "waiting", reason: "Checking again." };
  const placed = refusalPlace(answer, { kind: "delegate", tasks: [task], at: 0, gate: emptyGate });
  return { ...placed, tone: "failed", error_code: answer.error_code };
}
