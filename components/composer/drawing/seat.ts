// Where in a wagon's consist a crate lies, so that its wire ends under that very stretch. Pure.
import type { PlaceCheck } from "@/server/contract/plan/kernel-check";
import type { Plan } from "@/server/contract/plan/plan";
import { scaleOf } from "../check/figures";
import { loadRowsOf } from "./loads";
import type { Stretch } from "./wires";

/** Null = not checked yet, or nothing of it is a card yet. */
export function seatOf(
  plan: Plan,
  checks: ReadonlyMap<string, PlaceCheck>,
  crate: string,
  reader: string,
): Stretch | null {
  const check = checks.get(reader);
  if (!check?.loads) return null;
  const row = loadRowsOf(plan, reader).rows.find((one) => one.crate === crate && one.owner === reader);
  if (!row) return null;
  const scale = scaleOf(check);
  let from = check.loads.begins;
  for (const { owner, index, tokens } of check.loads.entries) {
    if (owner === row.owner && index === row.index)
      return tokens === 0 || scale === 0 ? null : { from: from / scale, to: (from + tokens) / scale };
    from += tokens;
  }
  return null;
}
