import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sampleTurn } from "../testing/sample-frames";
import type { LinkStatus } from "./live-picture";
import { openStream, type StreamEvents } from "./open-stream";

describe("an open stream", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is opened again from the last cursor, more patiently each time", () => {
    const server = makeServer();
    server.newest().onStarted();
    server.newest().onData({ id: "c4", data: [sampleTurn("a")] });
    server.newest().onError(new Error("503"));
    expect(server.statuses).toEqual(["catching_up", "cut"]);
    vi.advanceTimersByTime(500);
    expect(server.asked).toEqual(["c0", "c4"]);
    server.newest().onError(new Error("503"));
    vi.advanceTimersByTime(999);
    expect(server.asked).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(server.asked).toEqual(["c0", "c4", "c4"]);
  });

  it("goes on after the server has ended it", () => {
    const server = makeServer();
    server.newest().onStarted();
    server.newest().onComplete();
    vi.advanceTimersByTime(500);
    expect(server.asked).toHaveLength(2);
  });

  it("asks for a snapshot when the cursor is too old, and does not ask the server again", () => {
    const server = makeServer();
    server.newest().onError({ data: { detail: { reset: true } } });
    vi.advanceTimersByTime(60_000);
    expect(server.resets).toBe(1);
    expect(server.asked).toHaveLength(1);
  });

  it("stays closed, whatever the closing reports", () => {
    const server = makeServer();
    const events = server.newest();
    server.close();
    events.onComplete();
    events.onConnectionStateChange({ state: "connecting", error: new Error("gone") });
    vi.advanceTimersByTime(60_000);
    expect(server.asked).toHaveLength(1);
    expect(server.statuses).toEqual([]);
  });
});

function makeServer() {
  const opened: StreamEvents[] = [];
  const server = {
    asked: [] as string[],
    statuses: [] as LinkStatus[],
    resets: 0,
    close: () => {},
    newest(): StreamEvents {
      const events = opened.at(-1);
      if (!events) throw new Error("nobody has subscribed");
      return events;
    },
  };
  server.close = openStream(
    (after, events) => {
      server.asked.push(after);
      opened.push(events);
      return { unsubscribe() {} };
    },
    (error) => (error as { data?: { detail?: { reset?: boolean } } }).data?.detail?.reset === true,
  )("c0", {
    onFrames() {},
    onStatus: (status) => server.statuses.push(status),
    onReset: () => {
      server.resets++;
    },
  });
  return server;
}
