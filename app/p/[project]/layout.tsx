import { TRPCError } from "@trpc/server";
import { cookies } from "next/headers";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { DEMO_NOTE_COOKIE } from "@/components/project/demo-note";
import { access, caller, HydrateClient, prefetch, trpc } from "@/server/api/rsc";
import { ProjectFrame } from "./project-frame";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ project: string }>; children: ReactNode };

export default async function Layout({ params, children }: Props) {
  const projectId = decodeURIComponent((await params).project);
  const [isThere, { isTokenAsked }] = await Promise.all([
    isProject(projectId),
    access(),
    prefetch(trpc.project.list.queryOptions()),
    // Here and not by the inbox: what the frame asks first is not filled in by a page below it, and the inbox opened as if
    // nobody were asked.
    prefetch(trpc.inbox.open_requests.queryOptions({ project_id: projectId })),
    // Of the lines above a page: one that comes after it would push it down.
    prefetch(trpc.health.get.queryOptions()),
    prefetch(trpc.inbox.queue.queryOptions({ project_id: projectId })),
  ]);
  if (!isThere) notFound();
  return (
    <HydrateClient>
      <ProjectFrame
        projectId={projectId}
        person="local"
        canSignOut={isTokenAsked}
        isDemoNoteAway={(await cookies()).get(DEMO_NOTE_COOKIE)?.value === "away"}
      >
        {children}
      </ProjectFrame>
    </HydrateClient>
  );
}

/** Without the database the frame still renders, and its banner says why it is empty. */
async function isProject(project_id: string): Promise<boolean> {
  try {
    await caller.project.get({ project_id });
    return true;
  } catch (error) {
    return !(error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST"));
  }
}
