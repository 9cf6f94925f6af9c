"use client";

// The context flow on a phone: its lines as rows, those of the selected turn first, and one line on its own.
import { formatCompact } from "@/components/ui/format";
import { useYard } from "../yard-context";
import { FlowPanel } from "./flow-panel";
import { THEN_WORDS, useAgainAfterFrames, useFlow } from "./use-flow";

export function FlowList() {
  const { isThen } = useYard();
  const { flow, refetch } = useFlow();
  useAgainAfterFrames(refetch);
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-panel">
      <p role="status" className="px-4 pt-3 text-ink-2">
        {flow === undefined ? "Reading" : isThen ? THEN_WORDS : `${formatCompact(flow.tokens)} tokens handed over`}
      </p>
      <FlowPanel />
    </div>
  );
}
