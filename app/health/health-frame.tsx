"use client";

// The health page in the shell: it is about the installation, so no project is open.
import { useQuery } from "@tanstack/react-query";
import { HealthScreen } from "@/components/health/health-screen";
import { AppShell } from "@/components/shell/app-shell";
import { useTRPC } from "@/components/trpc/client";
import { Connection } from "../connection";

const crumbs = [{ label: "Health" }];

export function HealthFrame({ person, canSignOut }: { person: string; canSignOut: boolean }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.project.list.queryOptions());
  return (
    <AppShell person={{ name: person, canSignOut }} projects={data} crumbs={crumbs} overlay={<Connection />}>
      <HealthScreen />
    </AppShell>
  );
}
