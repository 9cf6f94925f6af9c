"use client";

// The context pack of a task: none, one of the project's, or one that the launch builds from what is typed here.
import { usePackChoices, withChosen } from "@/components/domain/use-pack-choices";
import { useWorkspaceChoices } from "@/components/domain/use-workspace-choices";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { TextArea } from "@/components/ui/text-area";
import { TextInput } from "@/components/ui/text-input";
import { GOAL_MAX } from "@/server/contract/context-pack/request";
import { BUILD_PACK, offeredGoal, type PackBuild } from "./pack-build";

export type PackFieldProps = {
  projectId: string;
  /** artifact://context/..., BUILD_PACK, or "" = none. */
  value: string;
  build: PackBuild;
  /** What the goal is offered from. */
  instruction: string;
  onChange: (part: { context_pack?: string; build?: PackBuild }) => void;
  /** `name`: the field of the pack that is at fault. */
  error: { name?: string; reason: string } | null;
};

const NONE = "";

export function PackField({ projectId, value, build, instruction, onChange, error }: PackFieldProps) {
  const packs = usePackChoices(projectId);
  const isBuilt = value === BUILD_PACK;
  const options = [{ value: NONE, label: "none" }, { value: BUILD_PACK, label: "built for this task" }, ...packs];
  const errorOf = (name: string) => (isBuilt && error?.name === name ? error.reason : null);
  const isElsewhere = error === null || (isBuilt && BUILD_FIELDS.includes(error.name ?? ""));
  return (
    <>
      <Field
        isQuiet
        label="Context pack"
        hint="The agent reads it before its task"
        error={isElsewhere ? null : error.reason}
        className="w-72"
      >
        <Select
          value={value}
          options={withChosen(options, value)}
          onChange={(next) =>
            onChange({
              context_pack: next,
              ...(next === BUILD_PACK &&
                build.goal === "" && { build: { ...build, goal: offeredGoal(instruction, GOAL_MAX) } }),
            })
          }
        />
      </Field>
      {isBuilt ? (
        <BuildFields
          projectId={projectId}
          build={build}
          onBuild={(over) => onChange({ build: { ...build, ...over } })}
          errorOf={errorOf}
        />
      ) : null}
    </>
  );
}

const BUILD_FIELDS = ["goal", "definition_of_done", "workspace", "search"];

type BuildFieldsProps = {
  projectId: string;
  build: PackBuild;
  onBuild: (over: Partial<PackBuild>) => void;
  errorOf: (name: string) => string | null;
};

function BuildFields({ projectId, build, onBuild, errorOf }: BuildFieldsProps) {
  const { isKnown, choices } = useWorkspaceChoices(projectId);
  const { goal, done, workspace, search } = build;
  const none = { value: NONE, label: isKnown ? "without files" : "Loading" };
  return (
    <fieldset className="grid w-full gap-2 border-line border-l-2 pl-3">
      <legend className="sr-only">The pack that is built</legend>
      <Field isQuiet label="Goal of the pack" hint="What its reader is to achieve" error={errorOf("goal")}>
        <TextArea rows={2} value={goal} onChange={({ target }) => onBuild({ goal: target.value })} />
      </Field>
      <Field isQuiet label="Definition of done, one per line" error={errorOf("definition_of_done")}>
        <TextArea rows={2} value={done} onChange={({ target }) => onBuild({ done: target.value })} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Field isQuiet label="Workspace" hint="Files of a repository" error={errorOf("workspace")} className="w-72">
          <Select
            value={workspace}
            isDisabled={!isKnown}
            options={withChosen([none, ...choices], workspace)}
            onChange={(next) => onBuild({ workspace: next })}
          />
        </Field>
        {workspace === NONE ? null : (
          <Field
            isQuiet
            label="Look for in files"
            hint="Empty: the words of the goal"
            error={errorOf("search")}
            className="w-72"
          >
            <TextInput value={search} maxLength={1024} onChange={({ target }) => onBuild({ search: target.value })} />
          </Field>
        )}
      </div>
    </fieldset>
  );
}
