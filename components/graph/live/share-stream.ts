// One stream a browser: HTTP/1.1 allows six connections to a server, and with a stream a tab the seventh tab hung.
// The tab that holds the lock streams; the others hear it over a channel. When it closes, the next one goes on from the
// last cursor that was heard.
import type { Frame } from "@/server/contract/frame";
import type { LinkStatus } from "./live-picture";

export type StreamPort = {
  onFrames: (frames: readonly Frame[], cursor: string) => void;
  onStatus: (status: LinkStatus) => void;
  /** What follows our cursor is no longer kept, or something between was missed: take a snapshot. */
  onReset: () => void;
};

/** Opens the real stream; answers how to close it. */
export type OpenStream = (after: string, port: StreamPort) => () => void;

export type Channel = {
  postMessage: (message: Message) => void;
  onmessage: ((event: { data: Message }) => void) | null;
  close: () => void;
};

/** `navigator.locks`, as far as it is needed: runs the holder while it has the lock. */
export type Locks = (name: string, signal: AbortSignal, hold: () => Promise<void>) => Promise<void>;

export type ShareInput = {
  name: string;
  getCursor: () => string;
  open: OpenStream;
  port: StreamPort;
  /** Absent in a browser without locks or channels: then every tab streams for itself. */
  locks?: Locks;
  channel?: (name: string) => Channel;
};

type Message =
  | { type: "frames"; from: string; cursor: string; frames: readonly Frame[] }
  | { type: "status"; status: LinkStatus }
  | { type: "reset" }
  | { type: "hello" };

/** Answers how to leave. */
export function shareStream({ name, getCursor, open, port, locks, channel }: ShareInput): () => void {
  if (!locks || !channel) return open(getCursor(), port);
  const line = channel(name);
  const leaving = new AbortController();
  let isLeader = false;
  let status: LinkStatus = "connecting";
  /** The last cursor that went over the channel; null until something has. */
  let heard: string | null = null;

  // Closing the stream makes it report once more, when the channel is closed already.
  const tell = (message: Message) => {
    if (!leaving.signal.aborted) line.postMessage(message);
  };

  line.onmessage = ({ data }) => {
    if (data.type === "hello") {
      if (isLeader) tell({ type: "status", status });
    } else if (isLeader) {
      // Two leaders cannot be; a message on its way while this tab was promoted is known already.
    } else if (data.type === "status") port.onStatus(data.status);
    else if (data.type === "reset") {
      heard = null;
      port.onReset();
    } else {
      // A frozen tab misses messages. Frames that do not begin where the last ones ended leave a gap.
      const isGap = heard !== null && heard !== data.from;
      heard = data.cursor;
      port.onFrames(data.frames, data.cursor);
      if (isGap) port.onReset();
    }
  };
  tell({ type: "hello" });

  const lead = () =>
    new Promise<void>((done) => {
      // The lock may be granted just as the tab leaves; a stream opened now would never be closed.
      if (leaving.signal.aborted) {
        done();
        return;
      }
      isLeader = true;
      let last = getCursor();
      const close = open(last, {
        onFrames(frames, cursor) {
          port.onFrames(frames, cursor);
          tell({ type: "frames", from: last, cursor, frames });
          last = cursor;
        },
        onStatus(next) {
          status = next;
          port.onStatus(next);
          tell({ type: "status", status: next });
        },
        onReset() {
          port.onReset();
          tell({ type: "reset" });
        },
      });
      leaving.signal.addEventListener("abort", () => {
        close();
        done();
      });
    });
  // Leaving before the lock was granted is the ordinary end of a follower.
  locks(name, leaving.signal, lead).catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return () => {
    leaving.abort();
    line.onmessage = null;
    line.close();
  };
}
