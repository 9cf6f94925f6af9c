"use client";

// By which rules the wagon's hand-over is packed. A change makes them its own; saved, they are a version of a recipe.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Chip } from "@/components/ui/chip";
import { Consist } from "@/components/ui/consist";
import { CopyButton } from "@/components/ui/copy-button";
import { Field } from "@/components/ui/field";
import { formatNumber } from "@/components/ui/format";
import { Section } from "@/components/ui/section";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import type { Handover } from "@/server/contract/pack";
import type { PlaceCheck } from "@/server/contract/plan/kernel-check";
import type { Rider } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";
import { overheadOf, seenBy, tokensOf, tokenWords } from "../check/figures";
import { useComposer, usePlan } from "../composer-context";
import { targetWords } from "../drawing/loads";
import { NumberField } from "../inspector/fields";
import { PanelHead } from "../inspector/panel-head";
import { ProblemList } from "../inspector/problem-list";
import { ArgumentRules } from "./argument-rules";
import { choosing, packing, withInherit, withOrder } from "./handover-edits";

export type RecipeSideProps = {
  place: string;
  rider: Rider;
  handover: Handover;
  /** Of the recipe that is named, or the profile's own; null = the built-in one. */
  recipe: string | null;
  check: PlaceCheck | null;
  /** Types of the cards that are loaded. */
  types: readonly string[];
};

export function RecipeSide({ place, rider, handover, recipe, check, types }: RecipeSideProps) {
  const plan = usePlan();
  const { store } = useComposer();
  const { inherit_context: inherit, order } = handover.context_packing_config;
  const change = (next: Handover, words: string) => store.change(packing(store.get().plan, place, rider, next, words));
  return (
    <>
      <PanelHead place={place} title={nameOf(rider)} sub={targetWords(plan, rider)} code={check?.headcode} />
      <Section>
        <p className="mb-1.5 flex items-baseline gap-2">
          <b className="flex-1">What it will see</b>
          {check ? <b>{tokenWords(tokensOf(check))}</b> : null}
          {check?.window_tokens ? <span className="text-ink-3">of {formatNumber(check.window_tokens)}</span> : null}
        </p>
        {check ? (
          <Consist cards={seenBy(check)} window={check.window_tokens} height={12} />
        ) : (
          <span className="consist" style={{ height: 12 }} />
        )}
        <p className="mt-1.5 flex gap-2 text-ink-3 text-note">
          <span className="flex-1">System prompt and tools, before the cards</span>
          {check ? formatNumber(overheadOf(check)) : ""}
        </p>
      </Section>
      <ProblemList place={place} />
      <Section>
        <RecipeChoice place={place} rider={rider} recipe={recipe} />
      </Section>
      <Section>
        <div className="order-setting">
          <span className="flex-1">Order</span>
          <Segmented
            label="Order"
            value={order}
            choices={orders}
            onChange={(next) =>
              change(withOrder(handover, next), `${next === "inherited_first" ? "loaded" : "instruction"} first`)
            }
          />
        </div>
        <Types
          words="Left out by type"
          chosen={inherit.exclude_types}
          types={types}
          onChange={(exclude_types) => change(withInherit(handover, { exclude_types }), "types left out")}
        />
        <Types
          words="Only these types"
          chosen={inherit.include_types}
          types={types}
          onChange={(include_types) => change(withInherit(handover, { include_types }), "only some types")}
        />
        <Switch
          words="Redact secrets"
          note="a copy travels, the original stays"
          isOn={inherit.redact}
          onChange={(redact) => change(withInherit(handover, { redact }), redact ? "redacted" : "not redacted")}
        />
        <Switch
          words="Pointer to the caller"
          note="last card; kept, never sent"
          isOn={inherit.include_parent}
          onChange={(include_parent) => change(withInherit(handover, { include_parent }), "pointer to the caller")}
        />
        <div className="order-setting">
          <span className="flex-1">
            Refuse over
            <span className="block text-ink-3 text-note">instead of a turn that cannot read it</span>
          </span>
          <span className="w-32">
            <NumberField
              place={place}
              path="/context_tokens_max"
              label="Tokens at most"
              value={rider.context_tokens_max}
              min={1}
              max={1_000_000_000}
              placeholder="the window"
            />
          </span>
        </div>
      </Section>
      <ArgumentRules place={place} rider={rider} handover={handover} onHandover={change} />
      <AsKept handover={handover} />
    </>
  );
}

const orders = [
  { value: "inherited_first", label: "Loaded first" },
  { value: "arguments_first", label: "Instruction first" },
] as const;

function RecipeChoice({ place, rider, recipe }: Pick<RecipeSideProps, "place" | "rider" | "recipe">) {
  const trpc = useTRPC();
  const { projectId, store } = useComposer();
  const { data } = useQuery(trpc.recipe.list.queryOptions({ project_id: projectId }, { staleTime: 5_000 }));
  const own = rider.handover ? "own" : (rider.recipe ?? "");
  const options = [
    { value: "", label: recipe !== null && own === "" ? `the profile's: ${recipe}` : "none named" },
    ...(rider.handover ? [{ value: "own", label: "this wagon only" }] : []),
    ...(data ?? []).map(({ name, version }) => ({ value: name, label: `${name}, newest ${version}` })),
  ];
  const isKnown = options.some(({ value }) => value === own);
  return (
    <Field
      label="Recipe"
      isQuiet
      hint={rider.handover ? "Rules of this wagon only. Save them to use them elsewhere." : undefined}
    >
      <Select
        value={own}
        options={isKnown ? options : [...options, { value: own, label: own }]}
        onChange={(next) => {
          if (next !== "own") store.change(choosing(store.get().plan, place, rider, next === "" ? null : next));
        }}
      />
    </Field>
  );
}

function Types({
  words,
  chosen,
  types,
  onChange,
}: {
  words: string;
  chosen: readonly string[] | undefined;
  types: readonly string[];
  onChange: (types: string[] | undefined) => void;
}) {
  const list = chosen ?? [];
  const free = [...new Set([...types, ...common])].filter((type) => !list.includes(type)).sort();
  return (
    <div className="order-setting flex-wrap">
      <span className="flex-1">{words}</span>
      {list.map((type) => (
        <Chip
          key={type}
          isMono
          removeLabel={`Remove ${type}`}
          onRemove={() => {
            const rest = list.filter((one) => one !== type);
            onChange(rest.length === 0 ? undefined : rest);
          }}
        >
          {type}
        </Chip>
      ))}
      <Select
        label={`${words}: add a type`}
        className="w-32"
        value=""
        options={[{ value: "", label: "add a type" }, ...free.map((value) => ({ value, label: value }))]}
        onChange={(type) => {
          if (type !== "") onChange([...list, type]);
        }}
      />
    </div>
  );
}

const common = ["agent.thought", "tool.call", "tool.result", "context.pack", "task.deliverable", "task.instruction"];

function Switch({
  words,
  note,
  isOn,
  onChange,
}: {
  words: string;
  note: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    <label className="order-setting">
      <span className="flex-1">
        {words}
        <span className="block text-ink-3 text-note">{note}</span>
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        className="order-switch"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}

/** The same as text. */
function AsKept({ handover }: { handover: Handover }) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let isGone = false;
    void import("@/server/contract/plan/yaml/yaml-of").then(({ yamlOf }) => {
      if (!isGone) setText(yamlOf(handover));
    });
    return () => {
      isGone = true;
    };
  }, [handover]);
  return (
    <Section title="As it is kept" note={text === null ? undefined : <CopyButton text={text} label="Copy" />}>
      <pre className="mono min-h-48 overflow-x-auto whitespace-pre rounded-2 bg-well p-2.5 text-[11.5px]">
        {text ?? ""}
      </pre>
    </Section>
  );
}
