// One product instance for the whole run, with one open folder. Playwright hands this process's environment to its workers.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { serve, stop } from "./serve";

export default async function globalSetup(): Promise<() => Promise<void>> {
  const handbook = fs.mkdtempSync(path.join(os.tmpdir(), "switchyard-e2e-handbook-"));
  fs.mkdirSync(path.join(handbook, "src"));
  fs.writeFileSync(path.join(handbook, "guide.txt"), "How the points are set, and who may set them.\n");
  fs.writeFileSync(
    path.join(handbook, "src/points.ts"),
    'import { lamp } from "./lamp";\nexport const points = lamp;\n',
  );
  fs.writeFileSync(path.join(handbook, "src/lamp.ts"), "export const lamp = 1;\n");
  const product = await serve({ SWITCHYARD_WORKSPACES: JSON.stringify({ handbook }) });
  process.env.E2E_PRODUCT = JSON.stringify(product);
  return async () => {
    await stop(product);
    fs.rmSync(handbook, { recursive: true, force: true });
  };
}
