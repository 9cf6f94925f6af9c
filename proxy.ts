// Pages show project data in their HTML: a foreign Host is refused before they render, and whoever is not signed in is led
// to the form. API handlers check for themselves, since a proxy cuts large bodies short.
import { type NextRequest, NextResponse } from "next/server";
import { hasSession } from "@/server/access/refuse";
import { signInHref } from "@/server/contract/next-path";
import { refuseForeign } from "@/server/guard";

export async function proxy(request: NextRequest): Promise<NextResponse> {
  // A link on another site may lead here; only the names are checked for a page, and that it fills a window of its own.
  const { headers } = request;
  const refused = refuseForeign({ get: (name) => (ofPages.has(name) ? headers.get(name) : null) });
  if (refused) return new NextResponse(refused.error_message, { status: refused.status });
  const { pathname, search } = request.nextUrl;
  // What cannot be known while the database is away is asked again where the page's data would come from.
  if (open.has(pathname) || (await hasSession(headers).catch(() => true))) return NextResponse.next();
  return NextResponse.redirect(new URL(signInHref(`${pathname}${search}`), request.url));
}

export const config = { matcher: "/((?!api/|_next/static|_next/image).*)" };

const ofPages = new Set(["host", "sec-fetch-dest"]);
const open = new Set(["/sign-in", "/icon.svg", "/favicon.ico"]);
