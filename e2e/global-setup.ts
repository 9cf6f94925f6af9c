// One product instance for the whole run. Playwright hands this process's environment to its workers.
import { serve, stop } from "./serve";

export default async function globalSetup(): Promise<() => Promise<void>> {
  const product = await serve();
  process.env.E2E_PRODUCT = JSON.stringify(product);
  return () => stop(product);
}
