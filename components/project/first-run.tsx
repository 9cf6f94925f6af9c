"use client";

// An empty yard is a line with three wagons to the first run, and a siding that gets there at once. It is live: a step is
// done when the server says so, and the way behind it lights.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useUnserved } from "@/components/domain/use-unserved";
import { useTRPC } from "@/components/trpc/client";
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Consist } from "@/components/ui/consist";
import { HumanMark } from "@/components/ui/human-mark";
import { Kbd } from "@/components/ui/kbd";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import type { AspectStatus } from "@/components/ui/sign-words";
import { Skeleton } from "@/components/ui/skeleton";
import { useTabTitle } from "@/components/ui/tab-title";
import { type FirstRunSteps, firstRunSteps, type StepState } from "./first-run-steps";
import { LoadDemo } from "./load-demo";

export function FirstRun({ projectId, person }: { projectId: string; person: string }) {
  const trpc = useTRPC();
  const { data: health } = useQuery(trpc.health.get.queryOptions(undefined, useReadAgain(pace.soon)));
  const { data: lines } = useQuery(trpc.profile.lines.queryOptions({ project_id: projectId }, useReadAgain(pace.soon)));
  const profiles = lines?.items;
  const isMissing = useUnserved(projectId, profiles ?? []);
  useFirstRunComes(projectId);
  useTabTitle("Yard");
  const [, setParams] = useQueryStates(panels, { history: "push" });
  const isTaken = useIsTaken();
  const steps = firstRunSteps(
    isTaken
      ? { health: health ?? null, profiles: profiles ?? null, isMissing }
      : { health: null, profiles: null, isMissing },
  );
  const isReady = steps.launch.state === "next";
  const profilesHref = `/p/${encodeURIComponent(projectId)}/profiles`;
  return (
    <div className="first-run dotted-ground">
      <header className="first-run-head">
        <h1 className="text-display">The yard is empty</h1>
        <p role="status">
          <Aspect status={isReady ? "success" : "queued"} size={17} label={null} />
          {steps.cause}
        </p>
      </header>
      <section className="first-run-line" aria-label="To the first run" data-reached={reached(steps)}>
        <span className="first-run-human">
          <HumanMark name={person} size={48} />
          <span className="line-label">you</span>
        </span>
        <ol>
          <Step
            number={1}
            title="Start a worker"
            state={steps.worker.state}
            foot={
              <>
                <Aspect status={workerAspect[steps.worker.tone]} size={15} label={null} />
                <span>{steps.worker.note}</span>
              </>
            }
          >
            It takes turns for your agents and reports back.
            <CodeBlock isCommand code="npm run worker" className="mt-2.5" />
          </Step>
          <Step
            number={2}
            title="Add a profile"
            state={steps.profile.state}
            foot={
              steps.profile.state === "done" ? (
                <>
                  <Aspect status="success" size={15} label={null} />
                  <Link href={profilesHref} className="link truncate">
                    {steps.profile.note}
                  </Link>
                </>
              ) : (
                <>
                  <Link href={`${profilesHref}?new=1`} className="btn" data-size="sm">
                    New profile
                  </Link>
                  <Link href={`${profilesHref}?upload=1`} className="btn" data-size="sm" data-variant="ghost">
                    From a file
                  </Link>
                </>
              )
            }
          >
            A prompt, tools, and whom it may delegate to. Write one here or register it from code.
          </Step>
          <Step
            number={3}
            title="Launch a turn"
            state={steps.launch.state}
            foot={
              steps.profile.state === "done" ? (
                <>
                  <Button
                    size="sm"
                    variant={isReady ? "primary" : "plain"}
                    icon="launch"
                    keys="l"
                    onClick={() => void setParams({ launch: "1" })}
                  >
                    Launch
                  </Button>
                  <span className="truncate text-ink-3">{steps.launch.note}</span>
                </>
              ) : (
                <span className="text-ink-3">{steps.launch.note}</span>
              )
            }
          >
            Choose the context, check exactly what the agent will see, then launch.
          </Step>
        </ol>
        <span className="line-end first-run-end">
          <span className="line-label">first run</span>
        </span>
      </section>
      <section className="first-run-siding" aria-label="Or at once">
        <Siding />
        <div className="line-wagon first-run-wagon" data-kind="demo">
          <div className="min-w-0 flex-1 max-[1099px]:basis-full">
            <h2>Explore the demo</h2>
            <p>A scripted research run with real waiting times. Nothing is sent to a model.</p>
          </div>
          <LoadDemo variant={isReady ? "plain" : "primary"} keys="s" />
          <Consist cards={demoLoad} height={6} label="Some cards" className="first-run-load" />
        </div>
        <div className="line-wagon first-run-wagon">
          <div className="min-w-0 flex-1 max-[1099px]:basis-full">
            <h2>Import a run you already have</h2>
            <p>Drop a who-and-when log anywhere here, or choose one.</p>
          </div>
          <Button onClick={() => void setParams({ import: "1" })}>Import</Button>
        </div>
      </section>
      <footer className="first-run-foot keyless:hidden">
        <span>
          <Kbd keys="mod+k" /> search or command
        </span>
        <span>
          <Kbd keys="l" /> launch
        </span>
        <span>
          <Kbd keys="?" /> all shortcuts
        </span>
      </footer>
    </div>
  );
}

/**
 * False while the server's markup is taken over. The shell does that before the page and asks for health at once, so that
 * an answer may be there which the markup did not have.
 */
function useIsTaken(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}

/** A run may come from another window, a worker or the API: then the yard is asked for anew, which takes this page away. */
function useFirstRunComes(projectId: string): void {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data } = useQuery(trpc.project.get.queryOptions({ project_id: projectId }, useReadAgain(pace.soon)));
  const hasRun = (data?.run_count ?? 0) > 0;
  useEffect(() => {
    if (hasRun) void queries.refetchQueries({ queryKey: trpc.graph.snapshot.pathKey() });
  }, [hasRun, queries, trpc]);
}

function SkeletonLine({ label }: { label: string }) {
  return (
    <span role="status" aria-label={label}>
      <Skeleton className="h-2.5 w-32" />
    </span>
  );
}

function Step({
  number,
  title,
  state,
  foot,
  children,
}: {
  number: number;
  title: string;
  state: StepState;
  foot: ReactNode;
  children: ReactNode;
}) {
  return (
    <li
      className="line-wagon line-stop first-run-step"
      data-state={state}
      aria-current={state === "next" ? "step" : undefined}
    >
      <h2>
        <Plate code={String(number)} tone={state === "next" ? "ink" : "raised"} />
        {title}
      </h2>
      <div className="first-run-body">{children}</div>
      <div className="first-run-under">
        {state === "asked" ? <SkeletonLine label={`Loading step ${number}`} /> : foot}
      </div>
    </li>
  );
}

/** The siding leaves the line behind the person and joins it again before the first run. */
function Siding() {
  return (
    <>
      <svg className="first-run-out" width="76" height="240" viewBox="0 0 76 240" aria-hidden="true">
        <path d="M0 3 H18 l28 28 V210 l28 28 H76" />
        <path className="first-run-chevron" d="M66 234 l4 4 -4 4" />
      </svg>
      <svg className="first-run-in" width="82" height="240" viewBox="0 0 82 240" aria-hidden="true">
        <path d="M0 238 H4 l28 -28 V31 l28 -28 H82" />
        <path className="first-run-chevron" d="M28 124 l4 -4 4 4" />
      </svg>
    </>
  );
}

const panels = { launch: parseAsString, import: parseAsString };

const workerAspect: Record<FirstRunSteps["worker"]["tone"], AspectStatus> = {
  waiting: "dispatched",
  good: "success",
  warn: "partial",
};

/** How far the lit route comes: to the wagon of the step that is next. */
function reached(steps: FirstRunSteps): number {
  if (steps.worker.state !== "done") return 1;
  return steps.profile.state === "next" ? 2 : 3;
}

// A picture of what a run is made of, not a measurement.
const demoLoad = [
  { role: "system", tokens: 9 },
  { role: "user", tokens: 24 },
  { role: "assistant", tokens: 18 },
  { role: "tool", tokens: 52 },
  { role: "system", tokens: 9 },
  { role: "user", tokens: 26 },
  { role: "assistant", tokens: 22 },
  { role: "tool", tokens: 70 },
  { role: "user", tokens: 27 },
  { role: "assistant", tokens: 20 },
  { role: "tool", tokens: 36 },
  { role: "user", tokens: 24 },
  { role: "assistant", tokens: 30 },
] as const;
