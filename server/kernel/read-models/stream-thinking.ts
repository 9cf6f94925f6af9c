// What the model of one turn is saying, while someone listens. It is stored nowhere, so the worker is asked for it: repeated
// rings say that someone is watching, and a reader who came late or missed a piece asks for everything.
import { KernelError } from "@/server/contract/errors";
import { foldThinking, type Thinking, type ThinkingPiece } from "@/server/contract/thinking";
import type { Kernel, WatchRing } from "../kernel";

const stayMs = 4_000;
// A worker that has just been asked is already sending it.
const askMsMin = 500;

/** Yields consecutive pieces without a gap, until `signal` aborts. not_found for an unknown turn. */
export async function* streamThinking(
  kernel: Kernel,
  input: { project_id: string; agent_turn_id: string; signal: AbortSignal },
): AsyncGenerator<ThinkingPiece> {
  const { project_id, agent_turn_id, signal } = input;
  await refuseUnknown(kernel, input);
  const waiting: ThinkingPiece[] = [];
  let held: Thinking | undefined;
  let wake: (() => void) | undefined;
  let askedAt = 0;
  const rouse = (): void => wake?.();
  const stop = await kernel.doorbell.listen((ring) => {
    if (ring.kind !== "thinking" || ring.project_id !== project_id || ring.agent_turn_id !== agent_turn_id) return;
    const { kind: _kind, project_id: _project, channel: _channel, ...piece } = ring;
    waiting.push(piece);
    rouse();
  });
  let asking: ReturnType<typeof setTimeout> | undefined;
  function watch(wants_all: boolean): void {
    const ring: WatchRing = { kind: "watch", project_id, agent_turn_id, wants_all };
    if (wants_all) askedAt = Date.now();
    void kernel.doorbell.ring([ring]);
  }
  function catchUp(): void {
    asking ??= setTimeout(
      () => {
        asking = undefined;
        watch(true);
      },
      Math.max(0, askedAt + askMsMin - Date.now()),
    );
  }
  const staying = setInterval(() => watch(held === undefined), stayMs);
  signal.addEventListener("abort", rouse);
  try {
    watch(true);
    while (!signal.aborted) {
      for (let piece = waiting.shift(); piece; piece = waiting.shift()) {
        const next = foldThinking(held, piece);
        if (next === null) catchUp();
        else if (next !== held) {
          held = next;
          yield piece;
        }
      }
      await new Promise<void>((done) => {
        wake = done;
        if (signal.aborted || waiting.length > 0) done();
      });
      wake = undefined;
    }
  } finally {
    clearInterval(staying);
    clearTimeout(asking);
    signal.removeEventListener("abort", rouse);
    await stop();
  }
}

async function refuseUnknown(kernel: Kernel, input: { project_id: string; agent_turn_id: string }): Promise<void> {
  const { rows } = await kernel.db.pool.query({
    name: "thinking_turn",
    text: "SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2",
    values: [input.project_id, input.agent_turn_id],
  });
  if (rows.length === 0)
    throw new KernelError("not_found", `turn ${input.agent_turn_id} not found in project ${input.project_id}`);
}
