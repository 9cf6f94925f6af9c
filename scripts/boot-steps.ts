// What happens once the database is up to date and before anything serves it, in this order.
import { env } from "@/server/env";
import { ensureDemo } from "@/server/interop/demo/ensure-demo";
import { wireKernel } from "@/server/wire";

export type BootStep = { title: string; run: (databaseUrl: string) => Promise<void> };

export const bootSteps: BootStep[] = [{ title: "Checking for the demo", run: demo }];

async function demo(url: string): Promise<void> {
  if (!env().SWITCHYARD_DEMO) return;
  const kernel = wireKernel({ url, name: "switchyard-boot", max: 2 });
  try {
    await ensureDemo(kernel);
  } finally {
    await kernel.close();
  }
}
