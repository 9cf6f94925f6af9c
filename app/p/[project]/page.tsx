import type { Metadata } from "next";
import { YardPage } from "./yard-page";

export const metadata: Metadata = { title: "Yard" };

type Props = { params: Promise<{ project: string }> };

// Nothing is prefetched: 5,000 turns inside the page made it 8 MB and twice as slow to open as the same turns fetched.
export default async function Page({ params }: Props) {
  return <YardPage projectId={decodeURIComponent((await params).project)} person="local" />;
}
