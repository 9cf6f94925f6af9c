"use client";

// Which recipe packs the hand-over, in which version, and what it asks for itself.
import { skipToken, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { TextArea } from "@/components/ui/text-area";
import type { Recipe } from "@/server/contract/recipe";
import { BUILT_IN_RECIPE, recipeRefOf } from "@/server/contract/recipe-name";
import { argHint, type RecipeArg, recipeArgs } from "./recipe-args";

export type RecipeFieldProps = {
  projectId: string;
  /** name or name@version; "" = none named. */
  recipe: string;
  args: Readonly<Record<string, string>>;
  onChange: (part: { recipe?: string; args?: Readonly<Record<string, string>> }) => void;
  /** What packs when none is named. */
  none: string;
  error: string | null;
  argError: { name?: string; reason: string } | null;
  /** The target's profile may name a recipe, so the built-in one is a choice of its own. */
  canBeBuiltIn?: boolean;
};

const NEWEST = "newest";
const NONE = "";

export function RecipeField(props: RecipeFieldProps) {
  const { projectId, recipe, args, onChange, none, error, argError, canBeBuiltIn = false } = props;
  const trpc = useTRPC();
  const { name, version } = recipeRefOf(recipe);
  const list = useQuery(trpc.recipe.list.queryOptions({ project_id: projectId }));
  const isSaved = name !== NONE && name !== BUILT_IN_RECIPE;
  const versions = useQuery(
    trpc.recipe.versions.queryOptions(isSaved ? { project_id: projectId, name } : skipToken, { retry: false }),
  );
  const known = list.data ?? [];
  // A name that is not saved, from a draft, stays visible: the kernel says what is wrong with it.
  const names = [...new Set([...known.map((saved) => saved.name), ...(isSaved ? [name] : [])])];
  const chosen = chosenOf(versions.data, version);
  const fields = chosen === undefined ? [] : recipeArgs(chosen.handover);
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex gap-2">
        <Field
          isQuiet
          label="Recipe"
          className="min-w-0 flex-1"
          error={error ?? list.error?.message ?? null}
          aside={list.data?.length === 0 ? "No saved recipes. Save one on a hand-over in the composer" : undefined}
        >
          <Select
            value={name}
            isDisabled={list.data === undefined}
            onChange={(next) => onChange({ recipe: next, args: {} })}
            options={[
              { value: NONE, label: none },
              ...(canBeBuiltIn || name === BUILT_IN_RECIPE
                ? [{ value: BUILT_IN_RECIPE, label: `${BUILT_IN_RECIPE}, built in` }]
                : []),
              ...names.map((value) => ({ value, label: value })),
            ]}
          />
        </Field>
        {isSaved ? (
          <Field isQuiet label="Version" className="w-36 flex-none">
            <Select
              value={version === undefined ? NEWEST : String(version)}
              onChange={(next) => onChange({ recipe: next === NEWEST ? name : `${name}@${next}` })}
              options={[
                { value: NEWEST, label: versions.data?.[0] ? `newest, ${versions.data[0].version}` : "newest" },
                ...versionsOf(versions.data, version).map((number) => ({ value: `${number}`, label: `${number}` })),
              ]}
            />
          </Field>
        ) : null}
      </div>
      <RecipeArguments fields={fields} args={args} onChange={onChange} error={argError} />
    </div>
  );
}

type RecipeArgumentsProps = Pick<RecipeFieldProps, "args" | "onChange"> & {
  fields: readonly RecipeArg[];
  error: RecipeFieldProps["argError"];
};

function RecipeArguments({ fields, args, onChange, error }: RecipeArgumentsProps) {
  return (
    <>
      {fields.map((field) => (
        <Field
          isQuiet
          key={field.name}
          label={field.name}
          aside="argument"
          hint={argHint(field)}
          error={error?.name === field.name ? error.reason : null}
        >
          <TextArea
            rows={2}
            value={args[field.name] ?? ""}
            onChange={(event) => onChange({ args: { ...args, [field.name]: event.target.value } })}
          />
        </Field>
      ))}
      {error !== null && !fields.some((field) => field.name === error.name) ? (
        <p role="alert" className="text-note text-st-failed">
          {error.reason}
        </p>
      ) : null}
    </>
  );
}

const chosenOf = (versions: Recipe[] | undefined, version: number | undefined): Recipe | undefined =>
  version === undefined ? versions?.[0] : versions?.find((one) => one.version === version);

function versionsOf(versions: Recipe[] | undefined, asked: number | undefined): number[] {
  const numbers = (versions ?? []).map(({ version }) => version);
  return asked === undefined || numbers.includes(asked) ? numbers : [asked, ...numbers];
}
