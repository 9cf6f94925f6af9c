import type { Metadata } from "next";
import { headers } from "next/headers";
import { preload } from "react-dom";
import { yardSnapshot } from "@/components/graph/live/yard-snapshot";
import { snapshotAddress } from "@/components/trpc/snapshot-address";
import { YardPage } from "./yard-page";

export const metadata: Metadata = { title: "Yard" };

type Props = {
  params: Promise<{ project: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

// The picture is not in the page: 5,000 turns made it 8 MB and twice as slow to open as the same turns fetched. It is only named in its
// head, so that it is on its way before the code is. Where one comes from another page of the product, it may be known already.
export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  const { run, turn, limit } = await searchParams;
  const isSingle = [run, turn, limit].every((one) => one === undefined || typeof one === "string");
  if (isSingle && (await headers()).get("sec-fetch-dest") === "document") {
    const most = limit === undefined ? null : Number.parseInt(String(limit), 10);
    const input = yardSnapshot(
      projectId,
      run === undefined ? null : String(run),
      turn === undefined ? null : String(turn),
      most,
    );
    preload(snapshotAddress(input), { as: "fetch", crossOrigin: "anonymous" });
  }
  return <YardPage projectId={projectId} person="local" />;
}
