// The browser's session: DELETE signs out, GET tells, POST signs in.
import { signIn, signOut, tellSession } from "@/server/interop/sign-in/serve-session";
import { webKernel } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export const POST = (request: Request): Promise<Response> => signIn(webKernel(), request);
export const DELETE = (request: Request): Promise<Response> => signOut(webKernel(), request);
export { tellSession as GET };
