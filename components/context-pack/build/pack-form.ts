// From what is typed in the form to the request, with faults at their fields; and from a refusal of the kernel to the field it
// names. Pure.
import { sentence } from "@/components/ui/sentence";
import { OpenObject } from "@/server/contract/context-pack/forms";
import type { GlobalMode } from "@/server/contract/context-pack/pack";
import { GOAL_MAX, PackToBuild } from "@/server/contract/context-pack/request";
import type { ExpandedReason, PackProfile } from "@/server/contract/context-pack/sidecar";
import { shapeFault } from "@/server/contract/shape-fault";

export type SourceItem = { kind: "box" | "card"; id: string };

/** What is typed; what is chosen lives in the address. */
export type PackTexts = {
  goal: string;
  done: readonly string[];
  constraints: string;
  policy: string;
  /** Words to look for in the workspace. */
  search: string;
  /** Files of the workspace, one a line. */
  files: string;
};
export type PackChoices = {
  from: readonly SourceItem[];
  decisions: readonly string[];
  workspace: string | null;
  mode: GlobalMode;
  profile: PackProfile;
  reason: ExpandedReason | null;
};

export type FormField =
  | "goal"
  | "done"
  | "from"
  | "decisions"
  | "constraints"
  | "policy"
  | "profile"
  | "reason"
  | "workspace"
  | "search"
  | "files";
/** `form`: of no field in it. */
export type FormFaults = Partial<Record<FormField | "form", string>>;

export type ReadForm = { request: PackToBuild | null; faults: FormFaults };

export const noTexts: PackTexts = { goal: "", done: [""], constraints: "", policy: "", search: "", files: "" };

/** Characters, as the kernel counts them. */
export const goalLength = (goal: string): number => [...goal].length;

export function readForm(texts: PackTexts, choices: PackChoices): ReadForm {
  const constraints = readObject(texts.constraints);
  const policy = readObject(texts.policy);
  const faults: FormFaults = {
    ...(constraints.fault && { constraints: constraints.fault }),
    ...(policy.fault && { policy: policy.fault }),
  };
  const done = texts.done.map((row) => row.trim()).filter(Boolean);
  const goal = texts.goal.trim();
  // An empty form is not wrong yet.
  if (texts.goal === "") return { request: null, faults };
  if (goal === "")
    return { request: null, faults: { ...faults, goal: "The goal is empty. Write what the pack is for." } };
  if (goalLength(goal) > GOAL_MAX)
    faults.goal = `The goal has ${goalLength(goal)} characters, at most ${GOAL_MAX}. Shorten it to one to three sentences.`;
  if (choices.profile === "expanded" && choices.reason === null)
    faults.reason = "The profile expanded needs a reason. Choose one, or take routine.";
  if (Object.keys(faults).length > 0) return { request: null, faults };
  const boxes = choices.from.flatMap(({ kind, id }) => (kind === "box" ? id : []));
  const cards = choices.from.flatMap(({ kind, id }) => (kind === "card" ? id : []));
  const read = PackToBuild.safeParse({
    goal,
    mode: choices.mode,
    profile: choices.profile,
    ...(done.length > 0 && { definition_of_done: done }),
    ...(boxes.length > 0 && { from_boxes: boxes }),
    ...(cards.length > 0 && { from_cards: cards }),
    ...(choices.decisions.length > 0 && { decisions_from: choices.decisions }),
    ...(choices.workspace !== null && ofWorkspace(choices.workspace, texts)),
    ...(constraints.value && { constraints: constraints.value }),
    ...(policy.value && { tool_policy: policy.value }),
    ...(choices.profile === "expanded" && choices.reason && { reason: choices.reason }),
  });
  if (read.success) return { request: read.data, faults };
  const { path, message } = shapeFault(read.error);
  return { request: null, faults: refusalFaults(`${path}: ${message}`) };
}

function ofWorkspace(workspace: string, { search, files }: PackTexts) {
  const paths = files
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return { workspace, ...(search.trim() && { search: search.trim() }), ...(paths.length > 0 && { files: paths }) };
}

function readObject(text: string): { value?: OpenObject; fault?: string } {
  if (text.trim() === "") return {};
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { fault: `This is not JSON: ${error instanceof Error ? error.message : String(error)}.` };
  }
  const read = OpenObject.safeParse(json);
  if (!read.success || Array.isArray(json)) return { fault: 'Write an object, such as { "name": "value" }.' };
  return { value: read.data };
}

const fields: Record<string, FormField> = {
  goal: "goal",
  definition_of_done: "done",
  from_boxes: "from",
  from_cards: "from",
  decisions_from: "decisions",
  constraints: "constraints",
  tool_policy: "policy",
  profile: "profile",
  reason: "reason",
  workspace: "workspace",
  search: "search",
  files: "files",
};

/** A message of the kernel begins with the field; its places inside follow after dots or slashes. */
export function refusalFaults(message: string): FormFaults {
  const [, path = "", rest = ""] = /^(?:input\.)?(?:request\.)?([a-z_]+[\w./~-]*): (.+)$/s.exec(message) ?? [];
  const field = fields[path.split(/[./]/)[0] ?? ""];
  if (field === undefined) return { form: sentence(message) };
  return { [field]: sentence(rest.replace(/^is /, "This is ")) };
}
