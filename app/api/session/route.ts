// The browser's session: DELETE signs out, GET tells, POST signs in.
import { signIn, signOut, tellSession } from "@/server/interop/sign-in/serve-session";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export { signIn as POST, signOut as DELETE, tellSession as GET };
