// Pages show project data in their HTML: a foreign Host is refused before they render. API handlers check for
// themselves, since a proxy cuts large bodies short.
import { type NextRequest, NextResponse } from "next/server";
import { refuseForeign } from "@/server/guard";

export function proxy(request: NextRequest): NextResponse {
  // A link on another site may lead here; only the names are checked for a page.
  const host = request.headers.get("host");
  const refused = refuseForeign({ get: (name) => (name === "host" ? host : null) });
  return refused ? new NextResponse(refused.error_message, { status: refused.status }) : NextResponse.next();
}

export const config = { matcher: "/((?!api/|_next/static|_next/image).*)" };
