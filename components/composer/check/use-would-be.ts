"use client";

// What the wagon under a drag would be given if one let go now: asked of the kernel, as every other figure of a plan is. Until it
// answers the wagon shows what it has.
import { useEffect } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { applyOps } from "@/server/contract/plan/apply-op";
import { leanPlan } from "@/server/contract/plan/canonical";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { type Drag, dropOf } from "../canvas/drag";
import type { Composing } from "../composer-context";
import { checkedInputs } from "../draft/given-inputs";
import { usePick } from "../small-store";

/** The pointer rests this long over a wagon before the kernel is asked. */
const REST_MS = 200;

export function useWouldBe(composing: Composing): void {
  const client = useTRPCClient();
  const key = usePick(composing.drag, dropKey);
  useEffect(() => {
    if (key === null) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const asked = questionOf(composing);
      if (!asked) return;
      const { place, ...question } = asked;
      client.plan.check.mutate(question, { signal: controller.signal }).then(
        ({ nodes }) => {
          const check = nodes.find((one) => one.place === place);
          if (check && !controller.signal.aborted) composing.wouldBe.set({ place, check });
        },
        // The drop itself is checked again, and says what is wrong then.
        () => undefined,
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
      composing.wouldBe.set(null);
    };
  }, [client, composing, key]);
}

function questionOf({ projectId, store, ground, drag: dragging, lent }: Composing) {
  const drag = dragging.get();
  const place = drag && targetOf(drag);
  if (!drag || !place) return null;
  const { plan, inputs } = store.get();
  const drop = dropOf(plan, ground.get(), drag);
  const done = drop !== null && typeof drop !== "string" ? applyOps(plan, drop.ops) : null;
  if (!done || "refusal" in done) return null;
  const results_of = lent.get();
  return {
    place,
    project_id: projectId,
    body: leanPlan(done.plan),
    nodes: [nodeIdOf(place)],
    ...checkedInputs(done.plan, inputs),
    ...(results_of !== null && { results_of }),
  };
}

/** The wagon that would be given more or less; null = none. */
function targetOf(drag: Drag): string | null {
  if (drag.kind === "marquee" || drag.kind === "move" || drag.over.kind !== "wagon") return null;
  if (drag.kind === "item" && !("load" in drag.item)) return null;
  if (drag.kind === "couple" && (drag.from === drag.over.place || drag.carried === "order")) return null;
  return drag.over.place;
}

/** A text that stays the same for as long as letting go would do the same. */
function dropKey(drag: Drag | null): string | null {
  const place = drag && targetOf(drag);
  if (!drag || !place) return null;
  const how = drag.kind === "couple" ? drag.carried : drag.kind === "item" ? `${drag.gap?.index ?? ""}` : "";
  return `${drag.kind} ${place} ${how}`;
}
