// The digest that names the body of a plan: of its canonical form, without layout and defaults.
import { createHash } from "node:crypto";
import { canonicalPlan } from "@/server/contract/plan/canonical";
import type { Plan } from "@/server/contract/plan/plan";

/** sha256, in hex. */
export const hashPlan = (plan: Plan): string => createHash("sha256").update(canonicalPlan(plan)).digest("hex");
