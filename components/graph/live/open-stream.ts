// One subscription to the frames of the yard, kept alive (keep-stream.ts), as what a shared stream is opened by.
import { keepStream } from "@/components/domain/keep-stream";
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

export const openStream =
  (subscribe: Subscribe, isReset: (error: unknown) => boolean): OpenStream =>
  (after, port) => {
    let cursor = after;
    let isClosed = false;
    const close = keepStream(
      ({ onStarted, onEnded }) =>
        subscribe(cursor, {
          onStarted() {
            onStarted();
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
            else onEnded();
          },
          onComplete: onEnded,
        }),
      () => port.onStatus("cut"),
    );
    return () => {
      isClosed = true;
      close();
    };
  };
