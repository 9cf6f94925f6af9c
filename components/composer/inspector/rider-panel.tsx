"use client";

// A wagon, an ask or a task: what it will see, who works, what is to be done, and what it is given.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Consist } from "@/components/ui/consist";
import { Field } from "@/components/ui/field";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { Rider } from "@/server/contract/plan/plan";
import { isTaskPlace, nameOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import { isPacked, overheadOf, seenBy, tokensOf, tokenWords } from "../check/figures";
import { useChecked, useComposer, usePart, usePlaceCheck, usePlan } from "../composer-context";
import { named, setting } from "../draft/edits";
import { targetWords } from "../drawing/loads";
import { AsTheModelSeesIt } from "./as-seen";
import { NumberField, TextField } from "./fields";
import { LoadSection } from "./load-section";
import { PackSection } from "./pack-section";
import { PanelHead } from "./panel-head";
import { ProblemList } from "./problem-list";
import { StartsSection } from "./starts-section";
import { TargetSection } from "./target-section";

export function RiderPanel({ place }: { place: string }) {
  const plan = usePlan();
  const part = usePart(place);
  const node = usePart(nodeIdOf(place));
  const check = usePlaceCheck(place);
  const failure = useChecked((checked) => checked.failure);
  const packed = check && isPacked(check) ? check : undefined;
  if (!part || !node || !("instruction" in part)) return null;
  const rider: Rider = part;
  const isTask = isTaskPlace(place);
  const isAsk = "kind" in node && node.kind === "ask";
  return (
    <>
      <PanelHead
        place={place}
        title={nameOf(rider)}
        sub={isTask ? `${rider.id}, a task of ${nameOf(node)}` : `${rider.id}, ${targetWords(plan, rider)}`}
        code={check?.headcode}
        mark={
          rider.target ? { agentId: rider.target.ref, profile: check?.profile_name ?? rider.target.ref } : undefined
        }
      />
      <Section>
        <p className="mb-1.5 flex items-baseline gap-2">
          <b className="flex-1">What it will see</b>
          {packed ? (
            <>
              <b>{tokenWords(tokensOf(packed))}</b>
              <span className="text-ink-3">
                {packed.window_tokens === null ? "window not known" : `of ${formatNumber(packed.window_tokens)} tokens`}
              </span>
            </>
          ) : (
            <span className="text-ink-3">{failure !== null ? "not checked" : check ? "not known yet" : ""}</span>
          )}
        </p>
        {packed ? (
          <Consist cards={seenBy(packed)} window={packed.window_tokens} height={12} />
        ) : (
          <span className="consist" style={{ height: 12 }} />
        )}
        <p className="mt-1.5 flex gap-2 text-ink-3 text-note">
          <span className="flex-1">{check && !packed ? "Fix the problem to see it" : "System prompt and tools"}</span>
          {packed ? formatNumber(overheadOf(packed)) : ""}
        </p>
        {check?.tokens.estimated ? (
          <p className="mt-1.5 text-ink-3 text-note">
            {formatCount(check.tokens.exact, "token")} {check.tokens.exact === 1 ? "exists" : "exist"} already. The rest
            is estimated by the last results of those profiles: {rangeOf(check.tokens.estimated)}.
          </p>
        ) : null}
        {check && check.tokens.unknown.length > 0 ? (
          <p className="mt-1.5 text-ink-3 text-note">
            Nothing is known yet of the length of {check.tokens.unknown.map((one) => named(plan, one)).join(", ")}.
          </p>
        ) : null}
      </Section>
      <ProblemList place={place} />
      <Section>
        <TextField
          place={place}
          path="/title"
          label="Title"
          name="title"
          value={rider.title}
          maxLength={80}
          placeholder={nameOf(rider)}
        />
        <div className="h-2" />
        <TargetSection place={place} rider={rider} isAsk={isAsk} />
        <div className="h-2" />
        <TextField
          place={place}
          path="/instruction"
          label="Instruction"
          name="instruction"
          value={rider.instruction}
          rows={5}
          maxLength={1_048_576}
          isKept
          placeholder="What is to be done"
        />
      </Section>
      <LoadSection place={place} />
      <PackSection place={place} rider={rider} />
      <StartsSection place={place} />
      <Section>
        <div className="grid grid-cols-2 gap-2">
          <NumberField place={place} path="/attempts" label="Attempts" value={rider.attempts} min={1} max={5} />
          {isTask ? null : (
            <NumberField
              place={place}
              path="/deadline_seconds"
              label="Deadline, seconds"
              value={"deadline_seconds" in rider ? rider.deadline_seconds : undefined}
              min={0.001}
              max={31_536_000}
              isWhole={false}
              placeholder="the default"
            />
          )}
          <NumberField
            place={place}
            path="/context_tokens_max"
            label="Context at most"
            value={rider.context_tokens_max}
            min={1}
            max={1_000_000_000}
            placeholder="the window"
          />
          <Recipe place={place} rider={rider} />
        </div>
      </Section>
      <AsTheModelSeesIt place={place} />
    </>
  );
}

/** An estimate from one result, or from equal ones, is no range. */
const rangeOf = ({ low, high }: { low: number; high: number }): string =>
  low === high ? formatNumber(low) : `${formatNumber(low)} to ${formatNumber(high)}`;

function Recipe({ place, rider }: { place: string; rider: Rider }) {
  const trpc = useTRPC();
  const { projectId, store } = useComposer();
  const { data } = useQuery(trpc.recipe.list.queryOptions({ project_id: projectId }, { staleTime: 5_000 }));
  const own = rider.handover ? "own" : (rider.recipe ?? "");
  const options = [
    { value: "", label: "the built-in one" },
    ...(rider.handover ? [{ value: "own", label: "written here" }] : []),
    ...(data ?? []).map(({ name }) => ({ value: name, label: name })),
  ];
  const known = options.some(({ value }) => value === own);
  return (
    <Field label="Recipe" isQuiet>
      <Select
        value={own}
        options={known ? options : [...options, { value: own, label: own }]}
        onChange={(next) => {
          if (next === "own") return;
          const change = setting(store.get().plan, place, "/recipe", next === "" ? undefined : next, "recipe");
          const drop = rider.handover ? [{ op: "set" as const, node: place, path: "/handover" }] : [];
          store.change({ ...change, ops: [...drop, ...change.ops] });
        }}
      />
    </Field>
  );
}
