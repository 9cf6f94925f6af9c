"use client";

// What floats over the ground: what the plan is in figures, and what the last operation did.
import { ridersOf } from "@/server/contract/plan/plan-words";
import { sumOf, tokenWords } from "./check/figures";
import { useChecked, useDrawn, usePlan } from "./composer-context";

/** What the plan is, in figures. */
export function Counts() {
  const plan = usePlan();
  const places = useChecked((checked) => checked.places);
  const riders = ridersOf(plan).length;
  const gates = plan.nodes.filter(({ kind }) => kind === "fork").length;
  const sum = sumOf(places.values());
  if (riders === 0) return null;
  return (
    <p className="composer-counts">
      <b>{riders}</b> {riders === 1 ? "wagon" : "wagons"}
      {gates === 0 ? null : (
        <>
          <b>{gates}</b> {gates === 1 ? "gate" : "gates"}
        </>
      )}
      {sum === null ? null : <span className="composer-counts-rest">{tokenWords(sum)} tokens to start</span>}
    </p>
  );
}

/** What the last operation did: seen for a moment, and heard. */
export function Spoken() {
  const { n, text } = useDrawn((state) => state.said);
  return (
    <p role="status" aria-live="polite" className="composer-said" data-shown={n > 0 ? "" : undefined}>
      <span key={n}>{text}</span>
    </p>
  );
}
