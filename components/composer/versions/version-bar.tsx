"use client";

// Above a version that never changes, or a plan that is archived: what it is, and the way to draw on from it.
import { Button } from "@/components/ui/button";
import { usePlan } from "../composer-context";
import { VersionChoice, type VersionChoiceProps } from "./version-choice";

export type VersionBarProps = VersionChoiceProps & {
  isArchived: boolean;
  /** The newest one is drawn on as it is; an older one is restored into the draft. */
  onDraw: () => void;
  onUnarchive: () => void;
};

export function VersionBar({ isArchived, onDraw, onUnarchive, ...choice }: VersionBarProps) {
  const plan = usePlan();
  const { shown, head } = choice;
  return (
    <header className="composer-bar">
      <h1 dir="auto" className="max-w-64 truncate font-semibold">
        {plan.name}
      </h1>
      <span className="text-ink-2">
        {shown === null ? "" : `v${shown} of ${head}, `}
        {isArchived ? "archived" : "published"}
      </span>
      <span className="min-w-0 flex-1 truncate text-ink-3">
        {isArchived
          ? "An archived plan is read only. Restore it to draw on."
          : "A version never changes. Draw on it as your draft."}
      </span>
      <VersionChoice {...choice} />
      {isArchived ? (
        <Button onClick={onUnarchive}>Restore the plan</Button>
      ) : (
        <Button onClick={onDraw}>{shown === head ? "Draw on it" : `Restore v${shown} as my draft`}</Button>
      )}
    </header>
  );
}
