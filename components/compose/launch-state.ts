// Whether it can be launched, and if not, why and where the remedy is. Pure; what the kernel refuses is only placed here,
// never judged.
import { INSTRUCTION_BYTES_MAX, type LaunchPreviewLines } from "@/server/contract/delegation";
import type { LaunchTarget } from "./launch-url";

export type LaunchPlace = "target" | "instruction" | "boxes" | "cards" | "all";

/** `tone` missing: not filled in yet, no reproach. failed: refused. waiting: being checked. */
export type LaunchBlock = {
  place: LaunchPlace;
  /** Which of the boxes or cards. */
  index?: number;
  tone: "missing" | "failed" | "waiting";
  reason: string;
  error_code?: string;
};

export type LaunchForm = {
  target: LaunchTarget | null;
  text: string;
  bytes: number;
  boxes: readonly string[];
  cards: readonly string[];
};

export type LaunchCheck = { answer: LaunchPreviewLines | undefined; isStale: boolean; error: string | null };

/** null = go. While a good answer is being renewed it stays launchable: the launch itself checks again. */
export function launchBlock(form: LaunchForm, check: LaunchCheck): LaunchBlock | null {
  if (form.target === null) return { place: "target", tone: "missing", reason: "Choose a profile or an agent." };
  if (form.text.trim() === "") return { place: "instruction", tone: "missing", reason: "Enter an instruction." };
  if (form.bytes > INSTRUCTION_BYTES_MAX)
    return {
      place: "instruction",
      tone: "failed",
      reason: "The instruction is longer than 1 MiB. Put the rest into a card and hand it over.",
      error_code: "payload_too_large",
    };
  if (check.error !== null) return { place: "all", tone: "failed", reason: `The check failed: ${check.error}` };
  const { answer } = check;
  if (answer === undefined) return { place: "all", tone: "waiting", reason: "Checking what the agent will see." };
  if (answer.ok) return null;
  if (check.isStale) return { place: "all", tone: "waiting", reason: "Checking again." };
  return { ...refusalPlace(answer, form), tone: "failed", reason: answer.error, error_code: answer.error_code };
}

/** From "args.context_box_id.1", or a message that names an id, to the part of the form that can mend it. */
export function refusalPlace(
  answer: { error: string; field?: string },
  form: Pick<LaunchForm, "target" | "boxes" | "cards">,
): { place: LaunchPlace; index?: number } {
  const [name = "", position] = (answer.field ?? "").replace(/^args\./, "").split(".");
  const box = form.boxes.findIndex((id) => answer.error.includes(id));
  const card = form.cards.findIndex((id) => answer.error.includes(id));
  if (name === "context_box_id" || (name === "" && box !== -1)) return { place: "boxes", ...at(position, box) };
  if (name === "context_card_ids" || (name === "" && card !== -1)) return { place: "cards", ...at(position, card) };
  if (name === "instruction") return { place: "instruction" };
  if (name.startsWith("target_") || name === "profile_name") return { place: "target" };
  if (name === "" && form.target !== null && answer.error.includes(form.target.target_ref)) return { place: "target" };
  return { place: "all" };
}

function at(position: string | undefined, found: number): { index?: number } {
  const index = position !== undefined && /^\d+$/.test(position) ? Number(position) : found;
  return index === -1 ? {} : { index };
}
