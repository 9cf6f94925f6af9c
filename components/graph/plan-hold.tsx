"use client";

// A held step is decided where it is listed, as in the inbox. Whoever was slower sees the step as the other one left it: its
// frame says so.
import { HoldForm } from "@/components/domain/hold-form";
import { useDecide } from "@/components/domain/use-decide";
import { useTurn } from "./yard-context";

export type PlanHoldProps = { projectId: string; request_id: string /** It is told. */; parent_turn_id: string };

export function PlanHold({ projectId, request_id, parent_turn_id }: PlanHoldProps) {
  const turn = useTurn(parent_turn_id);
  const deciding = useDecide(projectId, { request_id, turn: { headcode: turn?.headcode ?? "the plan" } }, untouched);
  return <HoldForm deciding={deciding} isOver={deciding.conflict !== null || deciding.decided !== undefined} />;
}

/** Nothing is kept back while it is decided. */
const untouched = () => {};
