// "Run the demo": creates the demo project if it is missing and starts a run in it. A second click is a second run.
import { refusalResponse, refuse } from "@/server/access/refuse";
import { KernelError } from "@/server/contract/errors";
import { DEMO_PROJECT, startDemoRun } from "@/server/interop/demo/start-demo-run";
import { storageError } from "@/server/kernel/storage-error";
import { log } from "@/server/log";
import { webKernel } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export async function POST(request: Request): Promise<Response> {
  const refused = await refuse(request.headers);
  if (refused) return refusalResponse(refused);
  try {
    const { root_turn_id } = await startDemoRun(webKernel());
    return Response.json({ project_id: DEMO_PROJECT, root_turn_id });
  } catch (error) {
    const cause = storageError(error);
    if (!(cause instanceof KernelError)) log().error({ err: error }, "the demo could not be started");
    const detail =
      cause instanceof KernelError
        ? { error_code: cause.code, error_message: cause.message }
        : { error_code: "internal_error", error_message: "something broke on the server; its log says what" };
    return Response.json({ detail }, { status: cause instanceof KernelError ? cause.status : 500 });
  }
}
