"use client";

// Lines above a project's pages: the database became another one, news comes late, the queue is full. Each is one line, and
// gone when its cause is; that the database changed is news, which may be put away.
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPC } from "@/components/trpc/client";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Clock } from "@/components/ui/time";
import type { Generation } from "@/server/contract/health";
import { changeWords, type Line, liveLine, queueLine } from "./yard-lines";

export function HealthLines({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const { data: health, dataUpdatedAt } = useQuery(trpc.health.get.queryOptions());
  const { data: queue } = useQuery(
    trpc.inbox.queue.queryOptions({ project_id: projectId }, { ...useReadAgain(pace.seldom), retry: false }),
  );
  return (
    <>
      <ChangeLine generation={health?.generation} now={dataUpdatedAt} />
      <LineBanner line={health === undefined ? null : liveLine(health)} href="/health" more="Health" />
      <LineBanner
        line={queueLine(queue)}
        href={`/p/${encodeURIComponent(projectId)}/inbox?group=target`}
        more="See what waits"
      />
    </>
  );
}

function LineBanner({ line, href, more }: { line: Line | null; href: string; more: string }) {
  if (line === null) return null;
  return (
    <Banner
      tone={line.tone}
      icon="warn"
      title={line.title}
      action={
        <Link className="underline" href={href}>
          {more}
        </Link>
      }
    >
      {line.text}
    </Banner>
  );
}

function ChangeLine({ generation, now }: { generation: Generation | undefined; now: number }) {
  const seen = useSyncExternalStore(subscribe, readSeen, () => null);
  const words = changeWords(generation, now);
  // Until the browser has said what was put away, nothing is shown: a line that goes again at once is worse.
  if (generation === undefined || words === null || seen === null || seen >= generation.generation) return null;
  return (
    <Banner
      tone="warn"
      icon="database"
      title="Another database server."
      action={
        <Button size="sm" variant="ghost" icon="x" onClick={() => putAway(generation.generation)}>
          Dismiss
        </Button>
      }
    >
      {words[0]} <Clock at={generation.began_at} />. {words[1]}
    </Banner>
  );
}

const KEY = "switchyard-generation-seen";
const told = new Set<() => void>();
/** Where the browser keeps nothing, until the page is left. */
let seenHere = 0;

function subscribe(onChange: () => void): () => void {
  told.add(onChange);
  return () => told.delete(onChange);
}

function readSeen(): number {
  try {
    return Math.max(seenHere, Number(localStorage.getItem(KEY) ?? 0));
  } catch {
    return seenHere;
  }
}

function putAway(generation: number): void {
  seenHere = generation;
  try {
    localStorage.setItem(KEY, String(generation));
  } catch {
    // A browser that keeps nothing tells it again at the next visit.
  }
  for (const onChange of told) onChange();
}
