import type { Metadata } from "next";
import { SearchScreen } from "@/components/search/search-screen";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Search" };

export default async function Page({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await params;
  return <SearchScreen projectId={decodeURIComponent(project)} />;
}
