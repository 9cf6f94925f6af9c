// What a node or a task is given, in the order the model reads it.
import { shapeFault } from "../shape-fault";
import { entryAt, noEntry } from "./list-entry";
import type { Applied, OpOf, PlanOp, Refusal } from "./op";
import { beyond, lost, type Part, partAt, refuse, withFields } from "./parts";
import { type Load, type Plan, Wagon } from "./plan";

export function addLoad(plan: Plan, { to, load, at }: OpOf<"add_load">): Applied | Refusal {
  const part = partAt(plan, to);
  if (!part) return lost("to", to);
  if ("from" in load && !partAt(plan, load.from)) return lost("load.from", load.from);
  const list = loadOf(part);
  const i = at ?? list.length;
  return (
    beyond(at, list.length) ??
    withLoad(plan, part, list.toSpliced(i, 0, load), { op: "remove_load", to, load, index: i })
  );
}

export function moveLoad(plan: Plan, { to, load, at, index }: OpOf<"move_load">): Applied | Refusal {
  const part = partAt(plan, to);
  if (!part) return lost("to", to);
  const list = loadOf(part);
  const i = entryAt(list, load, index);
  if (i === null) return noEntry("load", to, "load");
  const others = list.toSpliced(i, 1);
  return (
    beyond(at, others.length) ??
    withLoad(plan, part, others.toSpliced(at, 0, load), { op: "move_load", to, load, at: i, index: at })
  );
}

export function removeLoad(plan: Plan, { to, load, index }: OpOf<"remove_load">): Applied | Refusal {
  const part = partAt(plan, to);
  if (!part) return lost("to", to);
  const list = loadOf(part);
  const i = entryAt(list, load, index);
  if (i === null) return noEntry("load", to, "load");
  return withLoad(plan, part, list.toSpliced(i, 1), { op: "add_load", to, load, at: i });
}

const loadOf = (part: Part): Load[] => (part.task ?? part.node).load;

function withLoad(plan: Plan, part: Part, load: Load[], inverse: PlanOp): Applied | Refusal {
  const parsed = Wagon.shape.load.safeParse(load);
  if (!parsed.success) return refuse("load", shapeFault(parsed.error).message);
  return { plan: withFields(plan, part, { load }), inverse: [inverse] };
}
