"use client";

// The hand-over of one wagon: what may be loaded, the order the model reads, and the rules by which it is packed.
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Plate } from "@/components/ui/plate";
import { Segmented } from "@/components/ui/segmented";
import { useShortcut } from "@/components/ui/shortcuts";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Handover } from "@/server/contract/pack";
import type { Rider } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";
import { recipeRefOf } from "@/server/contract/recipe-name";
import { useChecked, useComposer, useDrawn, usePart, usePlan } from "../composer-context";
import { loadRowsOf } from "../drawing/loads";
import { Messages } from "../inspector/as-seen";
import { Candidates } from "./candidates";
import { builtIn } from "./handover-edits";
import { OrderFoot } from "./order-foot";
import { OrderList } from "./order-list";
import { orderRows } from "./order-rows";
import { RecipeSide } from "./recipe-side";
import { RegressionStrip } from "./regression-strip";
import { useHandOver } from "./use-hand-over";
import "./order.css";

export type OrderDeskProps = { place: string; onClose: () => void };
type Shown = "order" | "seen";

/** Two children of the desk's grid. */
export function OrderDesk({ place, onClose }: OrderDeskProps) {
  const part = usePart(place);
  if (!part || !("instruction" in part)) return <Gone onClose={onClose} />;
  return <Open place={place} rider={part} onClose={onClose} />;
}

function Gone({ onClose }: { onClose: () => void }) {
  return (
    <div className="p-4">
      <p>The plan has no such wagon, ask or task any more.</p>
      <Button className="mt-2" onClick={onClose}>
        Back to the plan
      </Button>
    </div>
  );
}

function Open({ place, rider, onClose }: OrderDeskProps & { rider: Rider }) {
  const plan = usePlan();
  const { store } = useComposer();
  const asked = useHandOver(place);
  const { check, failure, isOld } = asked;
  const [shown, setShown] = useState<Shown>("order");
  const places = useChecked((checked) => checked.places);
  const recipe = rider.recipe ?? recipeOf(check?.hand_over?.recipe);
  const { handover, error } = useHandoverOf(rider, recipe);
  const canUndo = useDrawn(({ history }) => history.past.length > 0);
  const canRedo = useDrawn(({ history }) => history.future.length > 0);
  useShortcut("escape", "Back to the plan", onClose, { group: "Composer" });
  const rows = useMemo(
    () =>
      check?.hand_over
        ? orderRows({
            plan,
            place,
            handOver: check.hand_over,
            loads: loadRowsOf(plan, place).rows,
            codeOf: (from) => places.get(from)?.headcode ?? "",
          })
        : null,
    [plan, place, check, places],
  );
  const types = useMemo(
    () => [...new Set((check?.hand_over?.entries ?? []).flatMap(({ cards }) => cards.map(({ type }) => type)))],
    [check],
  );
  return (
    <>
      <div className="flex min-h-0 min-w-0 flex-col">
        <header className="composer-bar">
          <IconButton icon="left" label="Back to the plan" keys="escape" onClick={onClose} />
          <h1 className="font-semibold">Hand-over</h1>
          {check ? <Plate code={check.headcode} tone="bare" className="ghost-plate" /> : null}
          <span dir="auto" className="truncate">
            {nameOf(rider)}
          </span>
          <span className="truncate text-ink-3">in {plan.name || "a new plan"}</span>
          <i aria-hidden className="mx-1 h-4 w-px flex-none bg-line-2" />
          <IconButton icon="undo" label="Undo" keys="mod+z" aria-disabled={!canUndo} onClick={() => store.undo()} />
          <IconButton
            icon="redo"
            label="Redo"
            keys="shift+mod+z"
            aria-disabled={!canRedo}
            onClick={() => store.redo()}
          />
          <span className="flex-1" />
          <span
            role="status"
            className={failure === null ? "text-ink-3" : "truncate text-st-failed"}
            title={failure ?? ""}
          >
            {failure ?? error ?? (check === null || isOld ? "Packing" : "Packed as a dry run")}
          </span>
          <Segmented<Shown> label="What is shown" value={shown} choices={views} onChange={setShown} />
        </header>
        <div className="order-ground">
          <Candidates place={place} />
          {shown === "seen" ? (
            <div className="min-w-0 overflow-y-auto p-4">
              {check?.prompt ? (
                <Messages prompt={check.prompt} tokens={check.tokens} />
              ) : (
                <p className="text-ink-3">{failure ?? "Packing"}</p>
              )}
            </div>
          ) : rows ? (
            <OrderList place={place} rows={rows} />
          ) : failure === null ? (
            <div className="p-4">
              <SkeletonRows count={10} rowHeight={30} label="Packing it" />
            </div>
          ) : (
            <p className="p-4 text-st-failed">{failure}</p>
          )}
        </div>
        <RegressionStrip profile={check?.profile_name} hasTarget={rider.target !== undefined} handover={handover} />
      </div>
      <aside aria-label="Inspector" data-panel data-always className="composer-inspector order-side">
        <div className="min-h-0 flex-1 overflow-y-auto">
          <RecipeSide {...{ place, rider, handover, recipe, check, types }} />
        </div>
        <OrderFoot {...{ place, rider, handover, recipe, onClose }} />
      </aside>
    </>
  );
}

const views = [
  { value: "order", label: "Order" },
  { value: "seen", label: "As the model sees it" },
] as const;

const recipeOf = (recipe: { name: string; version: number } | undefined): string | null =>
  recipe ? `${recipe.name}@${recipe.version}` : null;

/** The rules in force: the wagon's own, the saved recipe's, or the built-in ones. */
function useHandoverOf(rider: Rider, recipe: string | null): { handover: Handover; error: string | null } {
  const trpc = useTRPC();
  const { projectId } = useComposer();
  const { name, version } = recipeRefOf(recipe ?? "");
  const { data, error } = useQuery(
    trpc.recipe.versions.queryOptions(
      { project_id: projectId, name },
      { enabled: rider.handover === undefined && recipe !== null, staleTime: 5_000 },
    ),
  );
  if (rider.handover) return { handover: rider.handover, error: null };
  const found = recipe === null ? undefined : data?.find((one) => version === undefined || one.version === version);
  return { handover: found?.handover ?? builtIn, error: recipe !== null && error ? error.message : null };
}
