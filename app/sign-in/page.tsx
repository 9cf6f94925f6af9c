import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignInScreen } from "@/components/sign-in/sign-in-screen";
import { access } from "@/server/api/rsc";
import { nextPath } from "@/server/contract/next-path";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Sign in" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** A signed-in visitor is not redirected automatically: two pages that redirect to each other would never end. */
export default async function Page({ searchParams }: Props) {
  const { next: asked, fault } = await searchParams;
  const next = nextPath(asked);
  const { isTokenAsked, isSignedIn } = await access();
  if (!isTokenAsked) redirect(next);
  return <SignInScreen next={next} isSignedIn={isSignedIn} fault={typeof fault === "string" ? fault : undefined} />;
}
