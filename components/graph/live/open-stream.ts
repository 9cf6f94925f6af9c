// Keeps one subscription alive: an event source gives up for good on an answer that is not a stream (a server that is just
// starting, a database that is away), and a stream's life is capped by the server.
import type { Frame } from "@/server/contract/frame";
import type { OpenStream } from "./share-stream";

export type StreamEvents = {
  onStarted: () => void;
  onData: (event: { id: string; data: readonly Frame[] }) => void;
  onConnectionStateChange: (state: { state: "connecting" | "pending" | "idle"; error: unknown }) => void;
  onError: (error: unknown) => void;
  onComplete: () => void;
};
export type Subscribe = (after: string, events: StreamEvents) => { unsubscribe: () => void };

const RETRY_MS = 500;
const RETRY_MS_MAX = 8_000;

export const openStream =
  (subscribe: Subscribe, isReset: (error: unknown) => boolean): OpenStream =>
  (after, port) => {
    let cursor = after;
    let isClosed = false;
    let wait = RETRY_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let subscription: { unsubscribe: () => void } | undefined;

    function connect() {
      timer = undefined;
      if (isClosed) return;
      subscription = subscribe(cursor, {
        onStarted() {
          wait = RETRY_MS;
          port.onStatus("catching_up");
        },
        onData({ id, data }) {
          cursor = id;
          port.onFrames(data, id);
        },
        onConnectionStateChange({ state, error }) {
          if (!isClosed && state === "connecting" && error) port.onStatus("cut");
        },
        onError(error) {
          if (isClosed) return;
          if (isReset(error)) port.onReset();
          else retry();
        },
        onComplete() {
          if (!isClosed) retry();
        },
      });
    }

    function retry() {
      port.onStatus("cut");
      timer ??= setTimeout(connect, wait);
      wait = Math.min(wait * 2, RETRY_MS_MAX);
    }

    connect();
    return () => {
      isClosed = true;
      clearTimeout(timer);
      subscription?.unsubscribe();
    };
  };
