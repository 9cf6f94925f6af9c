"use client";

import { Fragment, type ReactNode } from "react";
// The plan on a phone: upright, in starting order. What is chosen opens from below; a track is chosen in lists, not drawn by finger.
import { gateWords } from "@/components/domain/policy-words";
import { AgentMark } from "@/components/ui/agent-mark";
import { Button } from "@/components/ui/button";
import { Consist } from "@/components/ui/consist";
import { formatCount } from "@/components/ui/format";
import { HoldSign } from "@/components/ui/hold-sign";
import { HumanMark } from "@/components/ui/human-mark";
import { Icon } from "@/components/ui/icon";
import { IconButton } from "@/components/ui/icon-button";
import { KindMark } from "@/components/ui/kind-mark";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { graphOf } from "@/server/contract/plan/graph";
import { nameOf, nodeIdOf, ridersOf } from "@/server/contract/plan/plan-words";
import { Problems } from "../bar";
import { isPacked, segmentsOf, shortTokens, sumOf, tokensOf } from "../check/figures";
import {
  useChecked,
  useComposer,
  useDrawn,
  useIsSelected,
  usePart,
  usePlaceCheck,
  usePlan,
  useProblemsAt,
  useSelection,
} from "../composer-context";
import { addingTask } from "../draft/edits";
import { spokenPlace } from "../drawing/spoken";
import { Inspector } from "../inspector/inspector";
import { PhoneTasks } from "./phone-tasks";

export type PhonePlanProps = {
  /** Draft state and what was saved. */
  state: ReactNode;
  foot: ReactNode;
  isDry: boolean;
  onDryRun: () => void;
  onPublish: () => void;
  dryRun: ReactNode;
};

export function PhonePlan({ state, foot, isDry, onDryRun, onPublish, dryRun }: PhonePlanProps) {
  const { store, adding, person } = useComposer();
  const plan = usePlan();
  const selection = useSelection();
  const places = useChecked((checked) => checked.places);
  const canUndo = useDrawn(({ history }) => history.past.length > 0);
  const sum = sumOf(places.values());
  const order = [...graphOf(plan).nodes, ...plan.nodes.filter(({ disabled }) => disabled)];
  const chosen = selection.at(-1) ?? null;
  return (
    <div className="phone-plan">
      <header className="phone-plan-bar">
        <h1 dir="auto" className="min-w-0 flex-1 truncate font-semibold">
          {plan.name || "New plan"}
        </h1>
        <IconButton icon="undo" label="Undo" aria-disabled={!canUndo} onClick={() => store.undo()} />
        <Button size="sm" onClick={onPublish}>
          Publish
        </Button>
      </header>
      <div className="phone-plan-bar">
        {plan.nodes.length === 0 ? (
          <span className="text-ink-2">Nothing drawn yet</span>
        ) : (
          <Problems onOpen={onDryRun} />
        )}
        <span className="flex-1" />
        <span className="truncate text-ink-2">
          {formatCount(ridersOf(plan).length, "wagon")}
          {sum === null ? "" : `, ${shortTokens(sum)}`}
        </span>
        <Button size="sm" onClick={onDryRun}>
          {isDry ? "Plan" : "Dry run"}
        </Button>
      </div>
      {isDry ? (
        <div className="min-h-0 flex-1 overflow-y-auto">{dryRun}</div>
      ) : (
        <div className="phone-plan-ground">
          <p className="flex items-center gap-2.5">
            <HumanMark name={person} size={32} />
            <button
              type="button"
              className="min-h-11 min-w-0 flex-1 truncate text-left text-ink-2"
              onClick={() => store.select([])}
            >
              {plan.inputs.length === 0 ? "The plan as a whole" : plan.inputs.map(({ name }) => name).join(", ")}
            </button>
          </p>
          {plan.nodes.length === 0 ? (
            <p className="mt-2 ml-6 text-ink-2">
              A plan is work in steps. Each step is a wagon: a profile and what it is to do. Nothing runs until you
              launch.
            </p>
          ) : (
            <ol className="phone-plan-track" aria-label="Plan in starting order">
              {order.map((node) => (
                <Fragment key={node.id}>
                  {node.hold ? (
                    <li className="flex items-center gap-2 pl-2 text-ink-2">
                      <HoldSign /> hold
                    </li>
                  ) : null}
                  {node.kind === "fork" ? (
                    <li className="phone-plan-frame">
                      <button
                        type="button"
                        className="flex min-h-11 w-full items-center gap-2 px-3"
                        onClick={() => store.select([node.id])}
                      >
                        <KindMark kind="fork" size={15} label={null} />
                        <b dir="auto" className="min-w-0 flex-1 truncate text-left">
                          {plainWords(nameOf(node))}
                        </b>
                        <span className="text-ink-2">{gateWords(node.gate, node.tasks.length)}</span>
                      </button>
                      <PhoneTasks fork={node}>{(place) => <PhoneWagon place={place} />}</PhoneTasks>
                      <Button
                        size="sm"
                        variant="ghost"
                        icon="plus"
                        className="mx-2 mb-2"
                        onClick={() => store.change(addingTask(plan, node.id, null))}
                      >
                        Add a task
                      </Button>
                    </li>
                  ) : (
                    <li>
                      <PhoneWagon place={node.id} />
                    </li>
                  )}
                </Fragment>
              ))}
            </ol>
          )}
          <Button
            icon="plus"
            className="mt-3 ml-6"
            onClick={() =>
              adding.set({ as: "behind", place: chosen === null ? null : nodeIdOf(chosen.replace(/^gate:/, "")) })
            }
          >
            {chosen === null ? "Add a wagon" : "Add after what is chosen"}
          </Button>
        </div>
      )}
      <div className="px-4 text-note">{state}</div>
      {chosen === null && !isDry ? (
        <details className="phone-plan-sheet">
          <summary className="flex min-h-11 items-center px-4 font-semibold">Name, inputs and limits</summary>
          <div className="max-h-[46vh] overflow-y-auto">
            <Inspector />
          </div>
        </details>
      ) : null}
      {chosen === null ? null : (
        <section aria-label="Inspector" className="phone-plan-sheet">
          <div className="flex items-center px-2 pt-1">
            <span className="flex-1" />
            <IconButton icon="x" label="Close" onClick={() => store.select([])} />
          </div>
          <div className="max-h-[46vh] overflow-y-auto">
            <Inspector />
          </div>
        </section>
      )}
      {foot}
    </div>
  );
}

function PhoneWagon({ place }: { place: string }) {
  const { store } = useComposer();
  const part = usePart(place);
  const node = usePart(place.split(".")[0] ?? place);
  const check = usePlaceCheck(place);
  const problems = useProblemsAt(place);
  const isSelected = useIsSelected(place);
  if (!part || !node || !("instruction" in part)) return null;
  const worst = problems.find(({ severity }) => severity === "error") ?? problems[0];
  const isAsk = "kind" in part && part.kind === "ask";
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      aria-label={spokenPlace(store.get().plan, place, { check, problems })}
      className={`phone-plan-wagon ${isSelected ? "selected" : ""}`}
      data-off={"disabled" in node && node.disabled ? "" : undefined}
      onClick={() => store.select([place])}
    >
      {worst ? (
        <Icon
          name={worst.severity === "error" ? "x" : "warn"}
          size={15}
          className={worst.severity === "error" ? "text-st-failed" : "text-st-partial"}
        />
      ) : (
        <KindMark kind={isAsk ? "ask" : (part.target?.strategy ?? "new")} size={15} label={null} />
      )}
      {part.target ? (
        <AgentMark agentId={part.target.ref} profile={check?.profile_name ?? part.target.ref} size={16} />
      ) : null}
      <b dir="auto" className="min-w-0 flex-1 truncate text-left">
        {plainWords(nameOf(part))}
      </b>
      {check ? <Plate code={check.headcode} tone="bare" className="ghost-plate" /> : null}
      {check && isPacked(check) ? <span className="text-ink-3">{shortTokens(tokensOf(check))}</span> : null}
      {check && isPacked(check) ? <Consist cards={segmentsOf(check)} window={check.window_tokens} height={4} /> : null}
    </button>
  );
}
