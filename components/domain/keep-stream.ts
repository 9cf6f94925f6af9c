// The one keeper of streams. An event source gives up for good on an answer that is not a stream (a server that is just starting,
// a database that is away), and the server ends a stream after a while: it is opened again, at first soon, then less and less often.

export type StreamEnds = {
  /** The server answers: the next cut is tried again soon. */
  onStarted: () => void;
  /** It has ended, in whatever way. */
  onEnded: () => void;
};
export type Connect = (ends: StreamEnds) => { unsubscribe: () => void };

const RETRY_MS = 500;
const RETRY_MS_MAX = 8_000;

/** Answers how to close it. `onCut`: nothing comes in until it is open again. */
export function keepStream(connect: Connect, onCut: () => void): () => void {
  let isClosed = false;
  let wait = RETRY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let subscription: { unsubscribe: () => void } | undefined;

  function open() {
    timer = undefined;
    subscription = connect({
      onStarted: () => {
        wait = RETRY_MS;
      },
      onEnded: () => {
        if (isClosed) return;
        onCut();
        timer ??= setTimeout(open, wait);
        wait = Math.min(wait * 2, RETRY_MS_MAX);
      },
    });
  }

  open();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    subscription?.unsubscribe();
  };
}
