"use client";

// The fields of the form, top to bottom: what for, done when, made from, rules, and how much it may weigh.
import { Field } from "@/components/ui/field";
import { formatNumber } from "@/components/ui/format";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { TextArea } from "@/components/ui/text-area";
import { GOAL_MAX } from "@/server/contract/context-pack/request";
import { ExpandedReason, PACK_LIMITS } from "@/server/contract/context-pack/sidecar";
import { DecisionsField } from "./decisions-field";
import { DoneRows } from "./done-rows";
import { type FormFaults, goalLength, type PackChoices, type PackTexts } from "./pack-form";
import { SourcePicker } from "./source-picker";
import { WorkspaceFields } from "./workspace-fields";

export type BuildFieldsProps = {
  projectId: string;
  texts: PackTexts;
  choices: PackChoices;
  faults: FormFaults;
  onTexts: (over: Partial<PackTexts>) => void;
  onChoices: (over: { [Key in keyof PackChoices]?: WritableArray<PackChoices[Key]> | null }) => void;
};

/** nuqs writes lists that may be changed. */
type WritableArray<T> = T extends readonly (infer Item)[] ? Item[] : T;

export function BuildFields({ projectId, texts, choices, faults, onTexts, onChoices }: BuildFieldsProps) {
  return (
    <div className="cpack-fields">
      <h1 className="text-h1">Build a context pack</h1>
      <Field
        label="Goal"
        aside={`${formatNumber(goalLength(texts.goal.trim()))} of ${GOAL_MAX}`}
        hint="One to three sentences. The builder looks for what this goal needs."
        error={faults.goal}
      >
        <TextArea rows={3} value={texts.goal} onChange={(event) => onTexts({ goal: event.target.value })} />
      </Field>
      <DoneRows rows={texts.done} error={faults.done} onChange={(done) => onTexts({ done })} />
      <SourcePicker
        projectId={projectId}
        chosen={choices.from}
        error={faults.from}
        onChange={(from) => onChoices({ from: from.length === 0 ? null : [...from] })}
      />
      <WorkspaceFields
        projectId={projectId}
        workspace={choices.workspace}
        texts={texts}
        faults={faults}
        onTexts={onTexts}
        onWorkspace={(workspace) => onChoices({ workspace })}
      />
      <DecisionsField
        projectId={projectId}
        chosen={choices.decisions}
        error={faults.decisions}
        onChange={(decisions) => onChoices({ decisions: decisions.length === 0 ? null : [...decisions] })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Constraints" aside="JSON, optional" error={faults.constraints}>
          <TextArea
            rows={4}
            className="font-mono"
            spellCheck={false}
            placeholder={'{ "noNewDependencies": true }'}
            value={texts.constraints}
            onChange={(event) => onTexts({ constraints: event.target.value })}
          />
        </Field>
        <Field label="Tool policy" aside="JSON, optional" error={faults.policy}>
          <TextArea
            rows={4}
            className="font-mono"
            spellCheck={false}
            placeholder={'{ "allowedTools": ["read_file"] }'}
            value={texts.policy}
            onChange={(event) => onTexts({ policy: event.target.value })}
          />
        </Field>
      </div>
      <div className="flex flex-wrap gap-x-8 gap-y-4">
        <div className="flex flex-col gap-1">
          <span className="font-semibold">Mode</span>
          <Segmented
            label="Mode"
            value={choices.mode}
            onChange={(mode) => onChoices({ mode })}
            choices={[
              { value: "implementation", label: "Implementation" },
              { value: "planning", label: "Planning" },
            ]}
          />
          <span className="text-ink-3 text-note">
            {choices.mode === "planning" ? "Tools may write below the docs folder only." : "Needs a condition above."}
          </span>
        </div>
        <div className="flex flex-col gap-1">
          <span className="font-semibold">Profile</span>
          <Segmented
            label="Profile"
            value={choices.profile}
            onChange={(profile) => onChoices(profile === "routine" ? { profile, reason: null } : { profile })}
            choices={[
              { value: "routine", label: `Routine, ${formatNumber(PACK_LIMITS.routine)} tokens` },
              { value: "expanded", label: `Expanded, ${formatNumber(PACK_LIMITS.expanded)}` },
            ]}
          />
          {faults.profile === undefined ? null : (
            <p role="alert" className="max-w-110 text-note text-st-failed">
              {faults.profile}
            </p>
          )}
        </div>
        {choices.profile === "expanded" ? (
          <Field label="Reason" error={faults.reason} className="w-64">
            <Select
              value={choices.reason}
              placeholder="Why so much"
              options={ExpandedReason.options.map((value) => ({ value, label: reasonWords[value] }))}
              onChange={(reason) => onChoices({ reason })}
            />
          </Field>
        ) : null}
      </div>
    </div>
  );
}

const reasonWords: Record<ExpandedReason, string> = {
  initial_investigation: "Initial investigation",
  large_refactor: "Large refactor",
  deep_verification_failure: "Deep verification failure",
};
