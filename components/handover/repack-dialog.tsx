"use client";

import { useQueryStates } from "nuqs";
// The same hand-over by another recipe, before anybody runs on it: what the callee would hold now beside what it holds. A dry run;
// nothing is launched and nothing is saved.
import { useState } from "react";
import { argValue } from "@/components/domain/recipe-args";
import { RecipeField } from "@/components/domain/recipe-field";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { HandoverSheet } from "@/server/contract/handover-diff";
import type { Repack } from "@/server/contract/repack";
import { handoverParams } from "./handover-params";
import { RepackTable } from "./repack-table";
import { useRepack } from "./use-repack";
import "./repack.css";

type RepackDialogProps = { projectId: string; sheet: HandoverSheet; onClose: () => void };
type Fine = Extract<Repack, { ok: true }>;

export function RepackDialog({ projectId, sheet, onClose }: RepackDialogProps) {
  const { callee, recipe: recorded } = sheet;
  const [{ recipe }, setParams] = useQueryStates(handoverParams);
  const [own, setOwn] = useState<Readonly<Record<string, string>>>({});
  const values = Object.entries(own).map(([name, text]) => [name, text.trim() === "" ? null : argValue(text)]);
  const { answer, isStale, error, retry } = useRepack({
    ...{ project_id: projectId, agent_turn_id: callee.agent_turn_id },
    ...(recipe !== "" && { recipe }),
    ...(values.length > 0 && { arguments: Object.fromEntries(values) }),
  });
  const fine = answer?.ok ? answer : undefined;
  // The recorded arguments stay in their fields while a recipe is refused.
  const [known, setKnown] = useState<Fine>();
  if (fine !== undefined && fine !== known) setKnown(fine);
  const refused = answer?.ok === false ? answer : undefined;
  const [place, name] = refused?.field?.split(".") ?? [];
  return (
    <Dialog
      isOpen
      width={1080}
      className="repack"
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title="Repack without running"
      description={`What ${callee.headcode} ${callee.profile_name} would hold by another recipe: the same boxes, cards and task, packed again. Nothing is launched or saved.`}
      footer={
        <Button variant="ghost" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="repack-body" aria-busy={isStale}>
        <RecipeField
          projectId={projectId}
          recipe={recipe}
          args={{ ...textsOf(known?.arguments ?? {}), ...own }}
          onChange={(part) => {
            // What was written for one recipe may have no place in the next.
            if (part.recipe !== undefined) void setParams({ recipe: part.recipe });
            if (part.args !== undefined) setOwn(changed(part.args, textsOf(known?.arguments ?? {}), part.recipe));
          }}
          none={recorded === undefined ? "As recorded: built in" : `As recorded: ${recorded.name}@${recorded.version}`}
          canBeBuiltIn
          error={refused !== undefined && place === "recipe" ? refused.error : null}
          argError={refused !== undefined && place === "arguments" ? { name, reason: refused.error } : null}
        />
        {known?.notes.map((note) => (
          <p key={note} className="text-ink-2 text-note">
            {note}
          </p>
        ))}
        {refused !== undefined && place !== "recipe" && place !== "arguments" ? (
          <p role="alert" className="text-st-failed">
            {refused.error}
          </p>
        ) : null}
        {error !== null ? (
          <p role="alert" className="flex items-center gap-3 text-st-failed">
            Could not pack it again: {error} <Button onClick={retry}>Try again</Button>
          </p>
        ) : fine === undefined ? (
          refused === undefined ? (
            <SkeletonRows count={8} rowHeight={32} label="Packing it again" />
          ) : (
            <p className="text-ink-3">Choose another recipe to see what it would pack.</p>
          )
        ) : (
          <RepackTable repack={fine} isStale={isStale} />
        )}
      </div>
    </Dialog>
  );
}

const textsOf = (given: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );

/** Only what differs from the recorded arguments is asked for. A new recipe begins with the recorded ones. */
function changed(
  args: Readonly<Record<string, string>>,
  recorded: Readonly<Record<string, string>>,
  recipe: string | undefined,
): Record<string, string> {
  if (recipe !== undefined) return {};
  return Object.fromEntries(Object.entries(args).filter(([name, text]) => text !== (recorded[name] ?? "")));
}
