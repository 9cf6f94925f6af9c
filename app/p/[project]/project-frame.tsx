"use client";

// The frame of every page of a project: the shell, the launch dialog, imports by dropping, and the palette's search.
import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { HealthLines } from "@/components/health/health-lines";
import { DropOverlay } from "@/components/importing/drop-overlay";
import { ImportDialog } from "@/components/importing/import-dialog";
import { ImportProvider } from "@/components/importing/import-provider";
import { LaunchDialog } from "@/components/launch/launch-dialog";
import { PackDialog } from "@/components/launch/pack-dialog";
import { DemoBanner } from "@/components/project/demo-banner";
import { ProjectGone } from "@/components/project/project-gone";
import { AppShell } from "@/components/shell/app-shell";
import { useTRPC } from "@/components/trpc/client";
import { useIsPaletteOpen } from "@/components/ui/commands";
import { lazyPart } from "@/components/ui/lazy-part";
import { TabTitlePlace } from "@/components/ui/tab-title";
import { useIsAtRest } from "@/components/ui/use-is-at-rest";
import { Connection } from "../../connection";
import { crumbsOf } from "./crumbs";
import { usePlate } from "./use-plate";

export function ProjectFrame({
  projectId,
  person,
  canSignOut,
  isDemoNoteAway,
  children,
}: {
  projectId: string;
  person: string;
  canSignOut: boolean;
  isDemoNoteAway: boolean;
  children: ReactNode;
}) {
  const trpc = useTRPC();
  const isAtRest = useIsAtRest();
  const isPaletteOpen = useIsPaletteOpen();
  const pathname = usePathname();
  const crumbs = crumbsOf(pathname, usePlate(projectId, pathname));
  const { data } = useQuery(trpc.project.list.queryOptions(undefined, useReadAgain(pace.seldom)));
  // By asking: a stream of its own on every page would take one of the six connections a browser has.
  const asked = useQuery(
    trpc.inbox.open_requests.queryOptions({ project_id: projectId }, { ...useReadAgain(pace.often), retry: false }),
  );
  const project = data?.find((candidate) => candidate.project_id === projectId);
  const title = project?.title ?? projectId;
  return (
    <ImportProvider projectId={projectId}>
      <AppShell
        project={{ project_id: projectId, title }}
        projects={data}
        crumbs={crumbs}
        person={{ name: person, canSignOut }}
        counts={{ inbox: asked.data?.open_count }}
        launchTone={launchTone(pathname, project?.run_count === 0)}
        banner={
          <>
            {project?.is_demo ? <DemoBanner projectId={projectId} isPutAway={isDemoNoteAway} /> : null}
            <HealthLines projectId={projectId} />
          </>
        }
        overlay={<Connection />}
      >
        <TabTitlePlace name={title}>
          {data !== undefined && project === undefined ? <ProjectGone /> : children}
        </TabTitlePlace>
      </AppShell>
      <LaunchDialog projectId={projectId} person={person} />
      <PackDialog projectId={projectId} />
      <ImportDialog where={title} />
      <DropOverlay where={title} />
      {isAtRest || isPaletteOpen ? (
        <>
          <SearchCommands projectId={projectId} />
          <ProjectCommands projectId={projectId} />
        </>
      ) : null}
    </ImportProvider>
  );
}

/** A plan has a Launch of its own: beside another one people took the wrong one, and got a turn instead of their plan. */
function launchTone(pathname: string, isFirstRun: boolean): "primary" | "plain" | "none" {
  if (/^\/p\/[^/]+\/(compose(\/|$)|plans\/[^/])/.test(pathname)) return "none";
  // The empty yard has a lamp-coloured action of its own, and so has the form of a context pack.
  return isFirstRun || /^\/p\/[^/]+\/packs\/new$/.test(pathname) ? "plain" : "primary";
}

const ProjectCommands = lazyPart(() =>
  import("@/components/palette/project-commands").then((module) => module.ProjectCommands),
);
const SearchCommands = lazyPart(() =>
  import("@/components/palette/search-commands").then((module) => module.SearchCommands),
);
