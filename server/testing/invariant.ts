// One thing that must hold in the database: see invariants.ts.

/** Answers rows of (project_id, id, what); `$1` = a project, or null for all. */
export type Invariant = {
  name: string;
  sql: string;
  /** `settled` must hold when nothing runs any more; `always` at every commit. */
  when: "always" | "settled";
};
