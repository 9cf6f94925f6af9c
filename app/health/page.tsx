import type { Metadata } from "next";
import { access, HydrateClient, prefetch, trpc } from "@/server/api/rsc";
import { HealthFrame } from "./health-frame";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Health" };

export default async function Page() {
  const [{ isTokenAsked }] = await Promise.all([
    access(),
    prefetch(trpc.health.get.queryOptions()),
    prefetch(trpc.project.list.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <HealthFrame person="local" canSignOut={isTokenAsked} />
    </HydrateClient>
  );
}
