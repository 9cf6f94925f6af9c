"use client";

// The projects page in the shell, with imports by dropping.
import { useQuery } from "@tanstack/react-query";
import { DropOverlay } from "@/components/importing/drop-overlay";
import { ImportDialog } from "@/components/importing/import-dialog";
import { ImportProvider } from "@/components/importing/import-provider";
import { ProjectsScreen } from "@/components/project/projects-screen";
import { AppShell } from "@/components/shell/app-shell";
import { useTRPC } from "@/components/trpc/client";
import { Connection } from "./connection";

export function HomeFrame({ person, canSignOut }: { person: string; canSignOut: boolean }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.project.list.queryOptions());
  return (
    <ImportProvider projectId={null}>
      <AppShell person={{ name: person, canSignOut }} projects={data} overlay={<Connection />}>
        <ProjectsScreen />
      </AppShell>
      <ImportDialog where="the project you choose" />
      <DropOverlay where="a project" />
    </ImportProvider>
  );
}
