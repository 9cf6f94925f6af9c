// The browser's side of the session: signing in and out, and the way to the form when the server asks for its token.
import { signInHref } from "@/server/contract/next-path";

/** null when signed in; else why not, and what to do. */
export async function signIn(token: string): Promise<string | null> {
  try {
    const response = await fetch("/api/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    if (response.ok) return (await isSignedIn()) ? null : cookieFault;
    if (response.status === 401) return tokenFault;
    if (response.status === 429) return waitFault(response.headers.get("retry-after"));
    return (
      (await messageOf(response)) ?? `The server answered ${response.status} without a reason. See the server's log.`
    );
  } catch {
    return "The server does not answer. Check that it is running, then try again.";
  }
}

/** Rejects when the server does not answer: then this browser is still signed in. */
export async function signOut({ isEverywhere = false } = {}): Promise<void> {
  // A poll that is refused meanwhile would lead to the form first, and from there back to this page.
  ledAt = Date.now();
  const response = await fetch(`/api/session${isEverywhere ? "?everywhere=1" : ""}`, { method: "DELETE" });
  if (!response.ok) throw new Error((await messageOf(response)) ?? `the server answered ${response.status}`);
  ledAt = Date.now();
  window.location.replace("/sign-in");
}

/** For an answer of 401: to the form, and from there back to this place. */
export function leadToSignIn(): void {
  const { pathname, search, hash } = window.location;
  // Everything on a signed-out page fails at once, and each failure would redirect again.
  if (pathname === "/sign-in" || Date.now() - ledAt < onTheWayMs) return;
  ledAt = Date.now();
  window.location.replace(signInHref(`${pathname}${search}${hash}`));
}

/** An event source does not say why it was refused, so the session itself is asked. */
export async function leadIfSignedOut(): Promise<void> {
  if (!(await isSignedIn().catch(() => true))) leadToSignIn();
}

export const tokenFault = "Wrong token. Check for missing or extra characters, or ask the person who runs the server.";
export const waitFault = (seconds: string | null) =>
  `Too many wrong tokens from your address. Try again in ${seconds ?? 60} s.`;

const cookieFault =
  "The token is correct, but this browser did not store the cookie. Allow cookies for this address, then sign in again.";
const onTheWayMs = 5_000;
let ledAt = 0;

async function isSignedIn(): Promise<boolean> {
  return (await fetch("/api/session")).status !== 401;
}

async function messageOf(response: Response): Promise<string | null> {
  const answer: unknown = await response.json().catch(() => null);
  const detail = typeof answer === "object" && answer !== null && "detail" in answer ? answer.detail : null;
  if (typeof detail !== "object" || detail === null || !("error_message" in detail)) return null;
  return typeof detail.error_message === "string" ? detail.error_message : null;
}
