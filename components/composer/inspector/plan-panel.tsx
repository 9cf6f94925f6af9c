"use client";

// The plan as a whole: its name, what it asks for at each launch, its limits, who may run it, and which answer counts.
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { TextArea } from "@/components/ui/text-area";
import { TextInput } from "@/components/ui/text-input";
import type { PlanInput } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";
import { useComposer, useDrawn, usePlan } from "../composer-context";
import { setting } from "../draft/edits";
import { filledIn } from "../draft/given-inputs";
import { NumberField, TextField } from "./fields";
import { ProblemList } from "./problem-list";

export function PlanPanel() {
  const plan = usePlan();
  const { store } = useComposer();
  const { limits } = plan;
  return (
    <>
      <header className="border-line border-b px-4 py-3.5">
        <h2 dir="auto" className="truncate text-title">
          {plan.name || "New plan"}
        </h2>
        <p className="text-ink-3">
          {plan.name === "" ? "Not saved under a name yet. Your draft is kept." : "The plan as a whole"}
        </p>
      </header>
      <ProblemList place="" />
      <Section>
        <TextField
          place={null}
          path="/name"
          label="Name"
          name="name"
          value={plan.name}
          maxLength={120}
          isKept
          placeholder="storage-brief"
        />
        <div className="h-2" />
        <TextField
          place={null}
          path="/description"
          label="What it is for"
          value={plan.description}
          rows={2}
          maxLength={500}
          isKept
          placeholder="One line, shown to people and to agents who may run it"
        />
      </Section>
      <Inputs />
      <Section title="Limits">
        <div className="grid grid-cols-2 gap-2">
          <NumberField
            place={null}
            path="/limits/turns_max"
            label="Turns"
            value={limits.turns_max}
            min={1}
            max={1_000}
          />
          <NumberField
            place={null}
            path="/limits/deadline_seconds"
            label="Deadline, seconds"
            value={limits.deadline_seconds}
            min={0.001}
            max={31_536_000}
            isWhole={false}
            placeholder="none"
          />
          <NumberField
            place={null}
            path="/limits/tokens_max"
            label="Tokens"
            value={limits.tokens_max}
            min={1}
            max={1_000_000_000}
            placeholder="none"
          />
          <NumberField
            place={null}
            path="/limits/cost_max"
            label="Cost"
            value={limits.cost_max}
            min={0.000001}
            max={1_000_000}
            isWhole={false}
            placeholder="none"
          />
        </div>
        <p className="mt-1.5 text-ink-3 text-note">
          A limit holds what has not started. It never stops a turn that runs.
        </p>
      </Section>
      <Section title="Who may run it">
        <Field
          label="Profiles whose agents may run it, separated by commas"
          isQuiet
          hint="People always may. Agents are bound by their own policy too."
        >
          <TextInput
            key={plan.run_by.profiles.join(",")}
            defaultValue={plan.run_by.profiles.join(", ")}
            placeholder="people only"
            onBlur={({ target }) => {
              const profiles = target.value
                .split(",")
                .map((name) => name.trim())
                .filter(Boolean);
              if (profiles.join(",") !== plan.run_by.profiles.join(","))
                store.change(setting(plan, null, "/run_by/profiles", profiles, "who may run it"));
            }}
          />
        </Field>
      </Section>
      <Section title="Result">
        <Field label="Step whose result is the result of the plan" isQuiet>
          <Select
            value={plan.result ?? ""}
            options={[
              { value: "", label: "The last step" },
              ...plan.nodes.map((node) => ({ value: node.id, label: nameOf(node) })),
            ]}
            onChange={(id) => store.change(setting(plan, null, "/result", id === "" ? undefined : id, "result"))}
          />
        </Field>
      </Section>
    </>
  );
}

function Inputs() {
  const plan = usePlan();
  const { store } = useComposer();
  const add = () => {
    const taken = new Set(plan.inputs.map(({ name }) => name));
    let name = "question";
    for (let n = 2; taken.has(name); n++) name = `input_${n}`;
    store.change(setting(plan, null, "/inputs", [...plan.inputs, { name, kind: "text" }], `input ${name} added`));
  };
  return (
    <Section
      title="Inputs"
      note={<IconButton icon="plus" label="Add an input" size="sm" iconSize={14} onClick={add} />}
    >
      {plan.inputs.length === 0 ? (
        <p className="text-ink-2">
          None. An input is filled in at each launch, so the same plan answers the next question.
        </p>
      ) : (
        <ul className="flex flex-col gap-3">
          {plan.inputs.map((input, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an input may be renamed
            <li key={index}>
              <InputRow input={input} index={index} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function InputRow({ input, index }: { input: PlanInput; index: number }) {
  const plan = usePlan();
  const { store } = useComposer();
  const value = useDrawn(({ inputs }) => filledIn(inputs, input.name));
  const at = `/inputs/${index}`;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-end gap-1.5">
        <TextField
          place={null}
          path={`${at}/name`}
          label="Input"
          value={input.name}
          maxLength={40}
          isKept
          className="flex-1"
        />
        <Select
          label={`Kind of ${input.name}`}
          className="w-20"
          value={input.kind}
          options={kinds}
          onChange={(kind) => store.change(setting(plan, null, `${at}/kind`, kind, `kind of ${input.name}`))}
        />
        <label className="flex h-8 items-center gap-1 text-note">
          <input
            type="checkbox"
            checked={input.required}
            onChange={({ target }) =>
              store.change(setting(plan, null, `${at}/required`, target.checked, `${input.name} required`))
            }
          />
          required
        </label>
        <IconButton
          icon="x"
          label={`Remove input ${input.name}`}
          size="sm"
          iconSize={13}
          onClick={() => store.change(setting(plan, null, at, undefined, `input ${input.name} removed`))}
        />
      </div>
      <Field label={`Value of ${input.name} for this launch`} isQuiet>
        {input.kind === "text" ? (
          <TextArea
            rows={2}
            data-field={`input ${input.name}`}
            value={value}
            maxLength={1_048_576}
            placeholder={input.default ?? ""}
            onChange={({ target }) => store.fill(input.name, target.value)}
          />
        ) : (
          <TextInput
            isMono
            data-field={`input ${input.name}`}
            value={value}
            maxLength={200}
            placeholder={input.default ?? `the id of a ${input.kind}`}
            onChange={({ target }) => store.fill(input.name, target.value)}
          />
        )}
      </Field>
    </div>
  );
}

const kinds = [
  { value: "text", label: "text" },
  { value: "box", label: "box" },
  { value: "card", label: "card" },
] as const;
