// What every rule of alarms is asked and answers: a set of turns and batches of one project that have ended, and what was found.
import type { AlarmFigures, AlarmLimits } from "@/server/contract/alarm";
import type { AlarmRule, AlarmSubject } from "@/server/contract/alarm-rules";

export type Swept = {
  project_id: string;
  agent_turn_ids: readonly string[];
  batch_ids: readonly string[];
  limits: AlarmLimits;
};

/** As a statement returns it. `agent_turn_id`: the turn where to look. */
export type FoundRow = { subject_id: string; root_turn_id: string; agent_turn_id: string; figures: AlarmFigures };
export type Found = FoundRow & { rule: AlarmRule };

/** One rule is about one kind of thing. */
export const subjectOf: Readonly<Record<AlarmRule, AlarmSubject>> = {
  sibling_lacks: "turn",
  left_behind: "turn",
  passed_unseen: "turn",
  off_recipe: "box",
  paid_often: "card",
  pressure: "turn",
  prefix_broken: "turn",
  loop: "turn",
  no_reader: "turn",
  secret: "card",
  late: "turn",
};
