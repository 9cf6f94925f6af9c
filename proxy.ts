// Pages show project data in their HTML: a foreign Host is refused before they render, and whoever is not signed in is led
// to the form. API handlers check for themselves, since a proxy cuts large bodies short.
import { type NextRequest, NextResponse } from "next/server";
import { hasSession } from "@/server/access/refuse";
import { signInHref } from "@/server/contract/session";
import { refuseForeign } from "@/server/guard";

export function proxy(request: NextRequest): NextResponse {
  // A link on another site may lead here; only the names are checked for a page.
  const host = request.headers.get("host");
  const refused = refuseForeign({ get: (name) => (name === "host" ? host : null) });
  if (refused) return new NextResponse(refused.error_message, { status: refused.status });
  const { pathname, search } = request.nextUrl;
  if (open.has(pathname) || hasSession(request.headers)) return NextResponse.next();
  return NextResponse.redirect(new URL(signInHref(`${pathname}${search}`), request.url));
}

export const config = { matcher: "/((?!api/|_next/static|_next/image).*)" };

const open = new Set(["/sign-in", "/icon.svg", "/favicon.ico"]);
