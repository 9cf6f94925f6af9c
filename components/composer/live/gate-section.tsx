"use client";

// What the gate of a fork has seen in this run: who counted, who did not, and who came late.
import { gateWords } from "@/components/domain/policy-words";
import { Aspect } from "@/components/ui/aspect";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Section } from "@/components/ui/section";
import type { Fork } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";
import type { RunDrawing } from "@/server/contract/plan/run-drawing";
import { arrivedWords, liveGate } from "./gate-words";

export function GateSection({ base, fork, watched }: { base: string; fork: Fork; watched: RunDrawing }) {
  const gate = liveGate(fork, watched);
  const statusOf = new Map(watched.turns.map(({ place, status }) => [place, status]));
  return (
    <Section title="Gate" note={gateWords(fork.gate, fork.tasks.length)}>
      <p>{arrivedWords(gate)}.</p>
      <ul aria-label="Tasks at the gate" className="mt-1">
        {fork.tasks.map((task) => {
          const place = `${fork.id}.${task.id}`;
          const status = statusOf.get(place) ?? "queued";
          return (
            <li key={task.id} className="flex min-h-7 items-center gap-2">
              <Aspect status={status} size={14} label={null} />
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {plainWords(nameOf(task))}
              </span>
              <span className="text-ink-3">{gate.marks.get(place) ?? status}</span>
            </li>
          );
        })}
      </ul>
      {gate.batch_id === undefined ? null : (
        <Link className="btn mt-1.5" href={`${base}/batches/${gate.batch_id}`}>
          Open the batch
        </Link>
      )}
    </Section>
  );
}
