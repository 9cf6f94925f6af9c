// A place of a plan in one sentence, for those who hear it: "Flow batteries, task 2 of 3 in Three searches, Associate_Search,
// about 7,229 of 32,000 tokens, loads 3, starts after Fix the frame, no problems". Pure.
import { formatCount, formatNumber } from "@/components/ui/format";
import { partsOf } from "@/server/contract/plan/graph";
import type { PlaceCheck } from "@/server/contract/plan/kernel-check";
import type { Plan } from "@/server/contract/plan/plan";
import { isTaskPlace, nameOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import type { PlanProblem } from "@/server/contract/plan/problem";
import { writtenTracks } from "@/server/contract/plan/tracks";
import { isPacked, tokensOf } from "../check/figures";
import { loadRowsOf, targetWords } from "./loads";

type Known = { check: PlaceCheck | undefined; problems: readonly PlanProblem[] };

export function spokenPlace(plan: Plan, place: string, { check, problems }: Known): string {
  const parts = partsOf(plan);
  const part = parts.get(place);
  if (!part) return place;
  const node = plan.nodes.find(({ id }) => id === nodeIdOf(place));
  const words = [nameOf(part), check?.headcode];
  if (node?.kind === "fork" && isTaskPlace(place)) {
    const index = node.tasks.findIndex(({ id }) => `${node.id}.${id}` === place);
    words.push(`task ${index + 1} of ${node.tasks.length} in ${nameOf(node)}`);
  } else if (node?.kind === "fork") words.push(`fork of ${node.tasks.length}`);
  else if (node?.kind === "ask") words.push("question to an expert");
  if ("instruction" in part) words.push(targetWords(plan, part));
  if (check && isPacked(check)) words.push(weightWords(check));
  const loads = loadRowsOf(plan, place).rows.length;
  if (loads > 0) words.push(`loads ${loads}`);
  const waits = node ? [...new Set(writtenTracks(node, 0).map(({ from }) => from))] : [];
  if (waits.length > 0) words.push(`starts after ${waits.map((from) => namedIn(parts, from)).join(" and ")}`);
  if (node?.hold) words.push("a person lets it start");
  if (node?.disabled) words.push("switched off");
  if (problems.length > 0) words.push(`${formatCount(problems.length, "problem")}: ${problems[0]?.message ?? ""}`);
  // Before it is checked nobody knows.
  else if (check) words.push("no problems");
  return words.filter(Boolean).join(", ");
}

const namedIn = (parts: ReturnType<typeof partsOf>, place: string): string => {
  const part = parts.get(place);
  return part ? nameOf(part) : place;
};

function weightWords(check: PlaceCheck): string {
  const { sum, isExact } = tokensOf(check);
  const tokens = `${isExact ? "" : "about "}${formatNumber(sum)}`;
  return check.window_tokens === null ? `${tokens} tokens` : `${tokens} of ${formatNumber(check.window_tokens)} tokens`;
}
