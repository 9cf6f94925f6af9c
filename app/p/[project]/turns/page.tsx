import { redirect } from "next/navigation";

/** Turns are listed where they run. */
export default async function Page({ params }: { params: Promise<{ project: string }> }) {
  redirect(`/p/${(await params).project}`);
}
