// Whether it can be launched, and if not, why and where the remedy is. Pure; what the kernel refuses is only placed here,
// never judged.
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";
import { utf8Bytes } from "./byte-size";
import { type LaunchForm, type TaskForm, tasksOf } from "./launch-form";
import { type LaunchPlace, refusalPlace } from "./refusal-place";

/** `tone` missing: not filled in yet, no reproach. failed: refused. waiting: being checked. */
export type LaunchBlock = {
  place: LaunchPlace;
  /** The task's place in the form. */
  task?: number;
  /** Which of the load. */
  index?: number;
  /** Which argument of the recipe. */
  name?: string;
  tone: "missing" | "failed" | "waiting";
  reason: string;
  error_code?: string;
};

type Answered = { ok: true } | { ok: false; error_code: string; error: string; field?: string };

export type LaunchCheck = { answer: Answered | undefined; isStale: boolean; error: string | null };

/** null = go. While a good answer is being renewed it stays launchable: the launch itself checks again. */
export function launchBlock(form: LaunchForm, check: LaunchCheck): LaunchBlock | null {
  for (const { task, at } of tasksOf(form)) {
    const block = taskBlock(task, form.kind);
    if (block !== null)
      return { ...block, task: at, reason: form.kind === "fork" ? `Task ${at + 1}: ${block.reason}` : block.reason };
  }
  if (check.error !== null) return { place: "all", tone: "failed", reason: `The check failed: ${check.error}` };
  const { answer } = check;
  if (answer === undefined) return { place: "all", tone: "waiting", reason: "Checking what the agent will see." };
  if (answer.ok) return null;
  if (check.isStale) return { place: "all", tone: "waiting", reason: "Checking again." };
  return { ...refusalPlace(answer, form), tone: "failed", error_code: answer.error_code };
}

/** From one task alone: is there anything to check? */
export function taskBlock(
  { target, text }: Pick<TaskForm, "target" | "text">,
  kind: LaunchForm["kind"],
): Omit<LaunchBlock, "task"> | null {
  if (target === null)
    return {
      place: "target",
      tone: "missing",
      reason: kind === "ask" ? "Choose the expert's profile." : "Choose a profile or an agent.",
    };
  if (kind === "ask" && target.target_strategy !== "new")
    return { place: "target", tone: "missing", reason: "An expert is a new agent. Choose its profile." };
  if (text.trim() === "")
    return {
      place: "instruction",
      tone: "missing",
      reason: kind === "ask" ? "Enter a question." : "Enter an instruction.",
    };
  // A unit of UTF-16 is at most three bytes, so short texts need not be counted at every key press.
  if (text.length * 3 > INSTRUCTION_BYTES_MAX && utf8Bytes(text) > INSTRUCTION_BYTES_MAX)
    return {
      place: "instruction",
      tone: "failed",
      reason: "The instruction is longer than 1 MiB. Put the rest into a card and hand it over.",
      error_code: "payload_too_large",
    };
  return null;
}
