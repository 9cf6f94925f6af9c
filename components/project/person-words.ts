// The kinds of what a person puts into a project, and what erasing does to them, in words.
import type { PersonGoes, PersonKind } from "@/server/contract/person-data";

export const kindWords: Record<PersonKind, string> = {
  cards: "Cards",
  profiles: "Profiles",
  launches: "Launches",
  answers: "Answers and approvals",
  views: "Views",
  drafts: "Drafts of plans",
  plans: "Versions of plans",
  recipes: "Versions of recipes",
  files: "Named files",
  packs: "Context packs",
  run_data: "Data of runs",
  plan_edits: "Edits of plan runs",
  mutes: "Muted alarms",
  deletions: "Records of deletions",
};

export const goesWords: Record<PersonGoes, string> = {
  erased: "erased",
  deleted: "deleted",
  renamed: "name replaced",
  stays: "stays",
};
