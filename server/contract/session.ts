// Signing in: what is sent, and where one may be led afterwards.
import * as z from "zod";

export type SignInInput = z.infer<typeof SignInInput>;
export const SignInInput = z.strictObject({
  token: z.string().trim().min(1).max(512),
  /** Where to go; only a form that is sent without script needs the server to lead there. */
  next: z.string().max(4000).optional(),
});

/** Why a form that was sent without script is shown again. */
export type SignInFault = "token" | "wait" | "input" | "away";

/**
 * `asked` where it is a place of this server, else "/". Judged as a browser reads it: it drops tabs and line breaks, takes
 * a backslash for a slash, and "/.//host" for "//host", which is another server.
 */
export function nextPath(asked: unknown): string {
  if (typeof asked !== "string" || !asked.startsWith("/") || !URL.canParse(asked, here)) return "/";
  const { origin, pathname, search, hash } = new URL(asked, here);
  if (origin !== here || pathname.startsWith("//") || /^\/(api|sign-in)(\/|$)/.test(pathname)) return "/";
  return `${pathname}${search}${hash}`;
}

export const signInHref = (next: string): string => `/sign-in?next=${encodeURIComponent(nextPath(next))}`;

const here = "http://here.invalid";
