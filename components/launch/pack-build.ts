// The context pack that a launch builds for its task: what is typed, and the request that it becomes. Pure.

/** Stands where the name of a pack would: the launch builds one. */
export const BUILD_PACK = "build";

/** As typed; "" = not given. */
export type PackBuild = {
  goal: string;
  /** One sentence a line. */
  done: string;
  /** The name of a registered workspace. */
  workspace: string;
  search: string;
};

export const emptyBuild: PackBuild = { goal: "", done: "", workspace: "", search: "" };

/** What the kernel judges: an empty goal goes as it is, and its answer stands at the field. */
export function buildRequest({ goal, done, workspace, search }: PackBuild): Record<string, unknown> {
  const sentences = done.split("\n").flatMap((line) => line.trim() || []);
  return {
    goal: goal.trim(),
    ...(sentences.length > 0 && { definition_of_done: sentences }),
    ...(workspace !== "" && { workspace }),
    ...(workspace !== "" && search.trim() !== "" && { search: search.trim() }),
  };
}

/** The goal that is offered: how the instruction begins, as far as a goal may go. */
export function offeredGoal(instruction: string, most: number): string {
  const [first = ""] = instruction.trim().split("\n");
  return [...first].slice(0, most).join("");
}
