// Where signing in may redirect to. Separate from session.ts: every page needs this, and none needs a parser.

/**
 * `asked` if it is on this server, else "/". Judged as a browser reads it: it drops tabs and line breaks, reads a backslash
 * as a slash, and "/.//host" as "//host", which is another server.
 */
export function nextPath(asked: unknown): string {
  if (typeof asked !== "string" || !asked.startsWith("/") || !URL.canParse(asked, here)) return "/";
  const { origin, pathname, search, hash } = new URL(asked, here);
  if (origin !== here || pathname.startsWith("//") || /^\/(api|sign-in)(\/|$)/.test(pathname)) return "/";
  return `${pathname}${search}${hash}`;
}

export const signInHref = (next: string): string => `/sign-in?next=${encodeURIComponent(nextPath(next))}`;

const here = "http://here.invalid";
