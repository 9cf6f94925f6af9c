"use client";

// Nobody may take the demo for work of their own. Whoever has worked in it is asked before it goes.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState, useSyncExternalStore } from "react";
import { useHasSeenTour } from "@/components/domain/tour-memory";
import { useTRPC } from "@/components/trpc/client";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { DEMO_NOTE_COOKIE } from "./demo-note";
import type { RemoveDemoProps } from "./remove-demo";

const RemoveDemo = lazyPart<RemoveDemoProps>(() => import("./remove-demo").then((module) => module.RemoveDemo), {
  missing: "The question could not be loaded",
});

const YEAR_S = 31_536_000;

export type DemoBannerProps = {
  projectId: string;
  /** What this browser's cookie says, read by the server: a line that comes or goes after the page is drawn moves all of it. */
  isPutAway: boolean;
};

export function DemoBanner({ projectId, isPutAway }: DemoBannerProps) {
  const isAway = useSyncExternalStore(subscribe, readAway, () => isPutAway);
  const trpc = useTRPC();
  const router = useRouter();
  const queries = useQueryClient();
  const hasSeenTour = useHasSeenTour();
  const [isAsking, setIsAsking] = useState(false);
  const isOffered = !isAway && !hasSeenTour;
  const demoRun = useQuery(
    trpc.project.demo_run.queryOptions({ project_id: projectId }, { enabled: isOffered, retry: false }),
  );
  if (isAway) return null;
  return (
    <Banner
      tone="info"
      icon="flag"
      title="Demo"
      isOneLine
      action={
        <span className="flex items-center gap-1">
          {isOffered && !demoRun.isPending ? (
            <Link className="btn" data-size="sm" href={tourHref(projectId, demoRun.data ?? null)}>
              Take the tour
            </Link>
          ) : null}
          <Button
            size="sm"
            icon="trash"
            title="Remove the demo"
            aria-haspopup="dialog"
            onClick={() => setIsAsking(true)}
          >
            <span className="max-sm:sr-only">Remove the demo</span>
          </Button>
          <IconButton icon="x" size="sm" iconSize={14} label="Hide this line" onClick={putAway} />
          {isAsking ? (
            <RemoveDemo
              projectId={projectId}
              onClose={() => setIsAsking(false)}
              onRemoved={() => router.push("/")}
              onKept={() => void queries.invalidateQueries({ queryKey: trpc.project.list.pathKey() })}
            />
          ) : null}
        </span>
      }
    >
      {/* Of the demo's agents alone: it said that nothing is sent to a model, above the runs of a person's own agents that had one. */}
      <span className="max-sm:hidden">
        The demo's agents are scripted, with real waiting times. They call no model.
      </span>
      <span className="sm:hidden">Scripted agents.</span>
    </Banner>
  );
}

/** The newest run may be one that a person launched, which has no fork and no hand-over to show. Without the demo's it is the best there is. */
const tourHref = (projectId: string, demoRun: string | null): string =>
  `/p/${encodeURIComponent(projectId)}?${demoRun === null ? "" : `run=${encodeURIComponent(demoRun)}&`}tour=1`;

const told = new Set<() => void>();

function subscribe(onChange: () => void): () => void {
  told.add(onChange);
  return () => told.delete(onChange);
}

const readAway = (): boolean => document.cookie.split("; ").includes(`${DEMO_NOTE_COOKIE}=away`);

function putAway(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where the page is not served over https
  document.cookie = `${DEMO_NOTE_COOKIE}=away; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`;
  for (const onChange of told) onChange();
}
