// `npm run worker`: one worker, and somebody over it who starts it again when it ends or hangs. Alone, one whose event loop
// stood still kept its turns and claimed no others until a person looked.
import { env, unknownSettings } from "@/server/env";
import { childEnv } from "./child-env";
import { workerPart } from "./parts";
import { stopWhenAsked } from "./stop-when-asked";
import { type Supervised, supervise } from "./supervise";

let worker: Supervised | undefined;

stopWhenAsked(
  async (code) => {
    await worker?.stop();
    process.exit(code);
  },
  () => worker?.hurry(),
);
try {
  for (const line of unknownSettings(process.env)) console.log(line);
  // A bad setting is reported once, here: restarting would not help.
  worker = supervise({ ...workerPart(), env: childEnv(env().DATABASE_URL) });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
