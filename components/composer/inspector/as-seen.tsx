"use client";

// The messages that the model would be sent, as the kernel renders them. Asked for when it is opened, since it may be long.
import { useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import { leanPlan } from "@/server/contract/plan/canonical";
import type { PlaceCheck } from "@/server/contract/plan/kernel-check";
import { useComposer, useDrawn } from "../composer-context";

type Prompt = NonNullable<PlaceCheck["prompt"]>;
type Seen = { rev: number; check: PlaceCheck | undefined; failure: string | null };

export function AsTheModelSeesIt({ place }: { place: string }) {
  const { projectId, store } = useComposer();
  const client = useTRPCClient();
  const rev = useDrawn((state) => state.rev);
  const [seen, setSeen] = useState<Seen | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  async function ask() {
    const { plan, rev: of } = store.get();
    setIsAsking(true);
    try {
      const answer = await client.plan.check.mutate({
        project_id: projectId,
        body: leanPlan(plan),
        detail: "prompt",
        node: place,
      });
      const check = answer.nodes.find((one) => one.place === place);
      const problem = answer.problems.find(({ severity }) => severity === "error");
      const failure = check?.prompt ? null : (problem?.message ?? "It cannot be packed as it is.");
      setSeen({ rev: of, check, failure });
    } catch (error) {
      setSeen({ rev: of, check: undefined, failure: error instanceof Error ? error.message : String(error) });
    } finally {
      setIsAsking(false);
    }
  }
  const prompt = seen?.check?.prompt;
  return (
    <Section title="As the model sees it" note={prompt ? formatCount(prompt.messages.length, "message") : undefined}>
      {isAsking ? <SkeletonRows count={4} rowHeight={20} label="Packing it" /> : null}
      {!isAsking && seen?.failure ? <p className="text-st-failed">{seen.failure}</p> : null}
      {!isAsking && seen?.check && prompt ? (
        <div className="max-h-72 overflow-y-auto">
          <Messages prompt={prompt} tokens={seen.check.tokens} />
        </div>
      ) : null}
      <Button size="sm" className="mt-1" aria-disabled={isAsking} onClick={() => void ask()}>
        {seen === null ? "Show the messages" : seen.rev === rev ? "Show again" : "The plan has changed. Show again"}
      </Button>
    </Section>
  );
}

/** The rendered request: its system prompt, then its messages. Results that do not exist yet are in none of them. */
export function Messages({ prompt, tokens }: { prompt: Prompt; tokens: PlaceCheck["tokens"] }) {
  const isOpen = tokens.estimated !== undefined || tokens.unknown.length > 0;
  return (
    <>
      {isOpen ? (
        <p className="mb-2 text-ink-2">
          The results of steps that have not run yet are missing here. They are added when it starts.
        </p>
      ) : null}
      <ol className="flex flex-col gap-2 rounded-2 bg-well p-2.5">
        {[{ role: "system", text: prompt.system }, ...prompt.messages].map((message, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place
          <li key={i}>
            <b className="text-ink-3 text-note">{message.role}</b>
            <pre dir="auto" className="mono whitespace-pre-wrap break-words text-[11.5px]">
              {message.text}
            </pre>
          </li>
        ))}
      </ol>
    </>
  );
}
