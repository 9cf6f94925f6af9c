"use client";

// The steps of a run that a person must let start, before everything else: without it a run that waited looked as if it were at work.
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import { Section } from "@/components/ui/section";
import { useComposer } from "../composer-context";
import type { Watch } from "./use-watch";

export function HeldSteps({ watch, titleOf }: { watch: Watch; titleOf: (place: string) => string }) {
  const { watched, actions } = watch;
  const { store } = useComposer();
  const held = watched.run.status === "running" ? watched.run.nodes.filter(({ status }) => status === "held") : [];
  if (held.length === 0) return null;
  return (
    <Section title="Waits for you" note={formatCount(held.length, "step")}>
      <ul className="flex flex-col gap-2">
        {held.map(({ node_id }) => (
          <li key={node_id} className="flex items-center gap-1.5">
            <Aspect status="suspended" size={14} label={null} />
            <button
              type="button"
              dir="auto"
              className="min-w-0 flex-1 truncate text-left hover:underline"
              onClick={() => store.select([node_id])}
            >
              {plainWords(titleOf(node_id))}
            </button>
            <Button
              size="sm"
              icon="check"
              aria-label={`Let ${titleOf(node_id)} start`}
              aria-disabled={actions.isPending}
              onClick={() => actions.release(node_id)}
            >
              Let it start
            </Button>
            <Button
              size="sm"
              aria-label={`Skip ${titleOf(node_id)}`}
              aria-disabled={actions.isPending}
              onClick={() => actions.skip(node_id)}
            >
              Skip it
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
