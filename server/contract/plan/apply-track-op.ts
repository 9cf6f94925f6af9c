// Tracks into a node: what it waits for.
import { shapeFault } from "../shape-fault";
import { entryAt, noEntry } from "./list-entry";
import type { Applied, OpOf, PlanOp, Refusal } from "./op";
import { beyond, lost, partAt, refuse, withNode } from "./parts";
import { type After, type Plan, Wagon } from "./plan";

export function addTrack(plan: Plan, { to, track, at }: OpOf<"add_track">): Applied | Refusal {
  const part = partAt(plan, to);
  if (!part) return lost("to", to);
  if (!partAt(plan, track.node)) return lost("track.node", track.node);
  const { after } = part.node;
  const i = at ?? after.length;
  return (
    beyond(at, after.length) ??
    withAfter(plan, to, after.toSpliced(i, 0, track), { op: "remove_track", to, track, index: i })
  );
}

export function setTrack(plan: Plan, { to, track, with: next, index }: OpOf<"set_track">): Applied | Refusal {
  const part = partAt(plan, to);
  if (!part) return lost("to", to);
  const i = entryAt(part.node.after, track, index);
  if (i === null) return noEntry("track", to, "track");
  if (!partAt(plan, next.node)) return lost("with.node", next.node);
  const after = part.node.after.with(i, next);
  return withAfter(plan, to, after, { op: "set_track", to, track: next, with: track, index: i });
}

export function removeTrack(plan: Plan, { to, track, index }: OpOf<"remove_track">): Applied | Refusal {
  const part = partAt(plan, to);
  if (!part) return lost("to", to);
  const i = entryAt(part.node.after, track, index);
  if (i === null) return noEntry("track", to, "track");
  return withAfter(plan, to, part.node.after.toSpliced(i, 1), { op: "add_track", to, track, at: i });
}

function withAfter(plan: Plan, to: string, after: After[], inverse: PlanOp): Applied | Refusal {
  const part = partAt(plan, to);
  if (!part) return lost("to", to);
  const parsed = Wagon.shape.after.safeParse(after);
  if (!parsed.success) return refuse("track", shapeFault(parsed.error).message);
  return { plan: withNode(plan, part.i, { ...part.node, after }), inverse: [inverse] };
}
