"use client";

// The middle of the launch dialog: what kind of launch, the drawing of it, and the fields of the task in hand.
import { type RefObject, useMemo, useState } from "react";
import { RecipeField } from "@/components/domain/recipe-field";
import { Field } from "@/components/ui/field";
import { Segmented, type SegmentedProps } from "@/components/ui/segmented";
import { useShortcut } from "@/components/ui/shortcuts";
import { TextInput } from "@/components/ui/text-input";
import type { TaskPreview } from "@/server/contract/delegation";
import { utf8Bytes } from "./byte-size";
import { GateFields } from "./gate-fields";
import { HandoverList } from "./handover-list";
import { InstructionField } from "./instruction-field";
import { IntoRun } from "./into-run";
import type { LaunchBlock } from "./launch-state";
import type { LaunchKind } from "./launch-url";
import { PackField } from "./pack-field";
import { PlanStrip } from "./plan-strip";
import { Refusal } from "./refusal";
import type { Answer } from "./seen-cards";
import { TargetField } from "./target-field";
import { TaskLanes } from "./task-lanes";
import type { LaunchFormState } from "./use-launch-form";

export type LaunchFieldsProps = {
  projectId: string;
  person: string;
  state: LaunchFormState;
  onKind: (kind: LaunchKind) => void;
  /** The root turn of the run that it is added to; null = a run of its own. */
  into: string | null;
  onInto: (into: string | null) => void;
  block: LaunchBlock | null;
  /** The dry run of the task in the fields. */
  answer: Answer | null;
  previews: readonly TaskPreview[];
  instruction: RefObject<HTMLTextAreaElement | null>;
  onChanged: () => void;
  onRetry: () => void;
};

export function LaunchFields(props: LaunchFieldsProps) {
  const { projectId, person, state, onKind, into, onInto, block, answer, previews, instruction, onChanged, onRetry } =
    props;
  const { form, task } = state;
  const isFork = form.kind === "fork";
  const [isTargetOpen, setIsTargetOpen] = useState(false);
  const bytes = useMemo(() => utf8Bytes(task.text), [task.text]);
  const isHere = block?.task === undefined || block.task === form.at;
  const failed = block?.tone === "failed" && isHere ? block : null;
  const errorAt = (place: LaunchBlock["place"]) => (failed?.place === place ? failed.reason : null);

  function add() {
    state.add();
    instruction.current?.focus();
  }
  useShortcut("t", "Add a task", add, { group: "Launch", isEnabled: isFork });

  return (
    <div className="launch-form">
      <div className="launch-kind">
        <Segmented<LaunchKind>
          label="Kind of launch"
          value={form.kind}
          choices={kinds}
          onChange={(kind) => {
            if (kind === "ask" && task.target !== null && task.target.target_strategy !== "new")
              state.change({ target: null });
            onKind(kind);
          }}
        />
      </div>
      {isFork ? (
        <TaskLanes
          person={person}
          tasks={form.tasks}
          at={form.at}
          previews={previews}
          block={block}
          onSelect={(at) => {
            state.select(at);
            instruction.current?.focus();
          }}
          onMove={state.move}
          onRemove={state.remove}
          onAdd={add}
        />
      ) : (
        <PlanStrip
          person={person}
          load={task.load}
          hasPack={task.context_pack !== ""}
          target={task.target}
          answer={answer}
          block={block}
        />
      )}
      <div className="launch-fields">
        {isFork ? <h3 className="-mb-1.5 font-semibold">Task {form.at + 1}</h3> : null}
        <TargetField
          // Which strategy is shown belongs to the task.
          key={`${task.key}${form.kind}`}
          projectId={projectId}
          target={task.target}
          onChange={(target) => {
            state.change({ target });
            if (target !== null) instruction.current?.focus();
          }}
          isOpen={isTargetOpen}
          onOpenChange={setIsTargetOpen}
          isNewOnly={form.kind === "ask"}
          note={
            form.kind === "ask"
              ? "A new agent answers once. It sees only its profile, the question and what you hand over."
              : undefined
          }
          error={errorAt("target")}
        />
        <InstructionField
          ref={instruction}
          label={form.kind === "ask" ? "Question" : "Instruction"}
          value={task.text}
          bytes={bytes}
          onChange={(text) => {
            state.change({ text });
            onChanged();
          }}
          error={errorAt("instruction")}
          isKept={state.isKept}
        />
        <HandoverList
          projectId={projectId}
          load={task.load}
          onLoad={(load) => state.change({ load })}
          refused={failed?.place === "load" ? failed : null}
          note="in this order, before the instruction"
          empty={`Nothing yet. The agent sees only its profile, ${task.context_pack === "" ? "" : "the context pack "}and the instruction. Choose boxes or cards from the sources, or drop them here.`}
        />
        <RecipeField
          projectId={projectId}
          recipe={task.recipe}
          args={task.args}
          onChange={(part) => {
            state.change(part);
            onChanged();
          }}
          none="The profile's own, or the built-in one"
          canBeBuiltIn
          error={errorAt("recipe")}
          argError={failed?.place === "arguments" ? failed : null}
        />
        <div className="flex flex-wrap gap-2">
          <PackField
            projectId={projectId}
            value={task.context_pack}
            build={task.build}
            instruction={task.text}
            onChange={(part) => {
              state.change(part);
              onChanged();
            }}
            error={failed?.place === "context_pack" ? failed : null}
          />
          <Field
            isQuiet
            label="Context at most"
            hint="In tokens. Over it the hand-over is refused, never cut. Empty: no limit of its own"
            error={errorAt("context_tokens_max")}
            className="w-72"
          >
            <TextInput
              inputMode="numeric"
              value={task.context_tokens_max}
              onChange={(event) => {
                state.change({ context_tokens_max: event.target.value });
                onChanged();
              }}
            />
          </Field>
          {isFork ? (
            <Field
              isQuiet
              label="Attempts"
              hint="How often this task is tried if it fails, 1 to 5. Empty: once"
              error={errorAt("attempts")}
              className="w-72"
            >
              <TextInput
                inputMode="numeric"
                value={task.attempts}
                onChange={(event) => state.change({ attempts: event.target.value })}
              />
            </Field>
          ) : null}
        </div>
        {isFork ? (
          <GateFields gate={form.gate} tasks={form.tasks.length} onChange={state.changeGate} block={block} />
        ) : null}
        <IntoRun
          projectId={projectId}
          into={into}
          onInto={(root) => {
            onInto(root);
            onChanged();
          }}
        />
        {block?.tone === "failed" ? (
          <Refusal
            block={block}
            onRetry={onRetry}
            onChangeTarget={() => setIsTargetOpen(true)}
            onRemove={() => state.change({ load: task.load.filter((_, index) => index !== block.index) })}
            onShow={isHere || block.task === undefined ? null : () => state.select(block.task ?? 0)}
          />
        ) : null}
      </div>
    </div>
  );
}

const kinds: SegmentedProps<LaunchKind>["choices"] = [
  { value: "delegate", label: "Delegate", icon: "launch" },
  { value: "fork", label: "Fork and join", icon: "fork" },
  { value: "ask", label: "Ask expert", icon: "help" },
];
