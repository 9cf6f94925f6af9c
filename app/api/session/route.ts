// The browser's session: POST signs in, GET says whether it is signed in, DELETE signs out.
import { signIn, signOut, tellSession } from "@/server/interop/sign-in/serve-session";
import { webKernel } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export const POST = (request: Request): Promise<Response> => signIn(webKernel(), request);
export const DELETE = (request: Request): Promise<Response> => signOut(webKernel(), request);
export { tellSession as GET };
