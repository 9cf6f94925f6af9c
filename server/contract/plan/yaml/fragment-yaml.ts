// A fragment as text, so that it can be pasted anywhere.
import { leanPlan } from "../canonical";
import type { Fragment } from "../fragment";
import { PlanShape } from "../plan";
import { blockLines } from "./print-yaml";

export function fragmentYaml({ switchyard, nodes, notes, places }: Fragment): string {
  const lean = leanPlan({ ...PlanShape.parse({ switchyard: "plan/1" }), nodes }).nodes;
  return blockLines(
    {
      switchyard,
      nodes: lean,
      ...(notes.length > 0 && { notes }),
      ...(Object.keys(places).length > 0 && { places }),
    },
    0,
  );
}
