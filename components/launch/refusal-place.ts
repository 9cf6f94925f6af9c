// From a refusal, "args.tasks.1.load.2" or a message that names an id, to the task and the field that can mend it.
import { type LaunchForm, type TaskForm, tasksOf } from "./launch-form";

export type LaunchPlace =
  | "target"
  | "instruction"
  | "load"
  | "recipe"
  | "arguments"
  | "attempts"
  | "context_tokens_max"
  | "context_pack"
  | "max_parallel"
  | "deadline_seconds"
  | "all";

export type Placed = { place: LaunchPlace; task?: number; index?: number; name?: string; reason: string };

const TASK = /^(?:invalid )?(?:args\.)?tasks\.(\d+)\.?/;

export function refusalPlace(answer: { error: string; field?: string }, form: LaunchForm): Placed {
  const found = TASK.exec(answer.field ?? "") ?? TASK.exec(answer.error);
  const at = found === null ? form.at : Number(found[1]);
  const field = (answer.field ?? "").replace(TASK, "").replace(/^args\./, "");
  if (form.kind === "fork" && found === null && (field === "max_parallel" || field === "deadline_seconds"))
    return { place: field, reason: plain(answer.error) };
  const task = tasksOf(form).find((candidate) => candidate.at === at)?.task;
  // A fork may be refused as a whole: too many tasks, a queue that is full.
  if (task === undefined || (form.kind === "fork" && found === null && form.tasks.length > 1))
    return { place: "all", reason: plain(answer.error) };
  const reason = form.kind === "fork" ? `Task ${at + 1}: ${plain(answer.error)}` : plain(answer.error);
  return { ...placeIn(field, answer.error, task), task: at, reason };
}

/** Without the path that the place in the form says already. */
const plain = (error: string): string =>
  error
    .replace(
      /^(?:invalid )?(?:args\.)?context_pack\.([a-z_]+): (?=is )/,
      (_all, field) => `The pack's ${field.replaceAll("_", " ")} `,
    )
    .replace(/^(?:invalid )?(?:args\.)?tasks\.\d+\.?(?:[a-z_.\d]+: )?/, "");

type Place = Omit<Placed, "task" | "reason">;

function placeIn(field: string, error: string, task: TaskForm): Place {
  const [name = "", position] = field.split(".");
  if (name === "context_box_id") return { place: "load", ...nth(task, "box", position, error) };
  if (name === "context_card_ids") return { place: "load", ...nth(task, "card", position, error) };
  if (name === "load") return { place: "load", ...(isNumber(position) && { index: Number(position) }) };
  if (name === "instruction" || name === "question") return { place: "instruction" };
  if (name === "recipe" || name === "attempts" || name === "context_tokens_max") return { place: name };
  if (name === "context_pack") return { place: name, ...(position !== undefined && { name: position }) };
  if (name === "arguments") return { place: "arguments", ...(position !== undefined && { name: position }) };
  if (name.startsWith("target_") || name === "profile_name" || name === "expert_profile") return { place: "target" };
  if (name !== "" && Object.hasOwn(task.args, name)) return { place: "arguments", name };
  const index = task.load.findIndex(({ id }) => error.includes(id));
  if (index !== -1) return { place: "load", index };
  if (task.target !== null && error.includes(task.target.target_ref)) return { place: "target" };
  return { place: "all" };
}

/** `position` counts the boxes alone, or the cards alone. */
function nth(task: TaskForm, kind: "box" | "card", position: string | undefined, error: string): { index?: number } {
  const places = task.load.flatMap((item, index) => (item.kind === kind ? [index] : []));
  const index = isNumber(position)
    ? places[Number(position)]
    : places.find((place) => error.includes(task.load[place]?.id ?? error));
  return index === undefined ? {} : { index };
}

const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d+$/.test(text);
