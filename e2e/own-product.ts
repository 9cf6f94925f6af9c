// A product for one spec alone: with settings of its own, or to be stopped and killed.
import { test } from "./fixtures";
import { type Product, readyMs, serve } from "./serve";

/** For a `beforeAll`: its time limit is that of a test, and beside other work a database and a server take longer to start. */
export async function serveOwn(env: Record<string, string> = {}): Promise<Product> {
  test.setTimeout(readyMs + 30_000);
  return serve(env);
}
