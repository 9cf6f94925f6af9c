import type { Metadata } from "next";
import { access, HydrateClient, prefetch, trpc } from "@/server/api/rsc";
import { HomeFrame } from "./home-frame";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: { absolute: "Projects - Switchyard" } };

export default async function Page() {
  const [{ isTokenAsked }] = await Promise.all([access(), prefetch(trpc.project.list.queryOptions())]);
  return (
    <HydrateClient>
      <HomeFrame person="local" canSignOut={isTokenAsked} />
    </HydrateClient>
  );
}
