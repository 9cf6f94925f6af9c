// Looks at every row of every rule: what `npm run check:db` prints.
import type { Kernel } from "../kernel";
import { type Finding, type Place, readSlice } from "./read-slice";
import { AUDIT_RULES } from "./rules";

export type RuleChecked = { rule: string; rows: number; findings: Finding[] };

/** One after the other, so that it may run beside work. */
export async function* checkDatabase(kernel: Pick<Kernel, "db">): AsyncGenerator<RuleChecked> {
  for (const rule of AUDIT_RULES) {
    const checked: RuleChecked = { rule, rows: 0, findings: [] };
    for (let after: Place | null = null, isOver = false; !isOver; ) {
      const slice = await readSlice(kernel, rule, after);
      checked.rows += slice.rows;
      checked.findings.push(...slice.findings);
      after = slice.last;
      isOver = after === null;
    }
    yield checked;
  }
}
