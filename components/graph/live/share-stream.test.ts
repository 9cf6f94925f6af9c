import { describe, expect, it } from "vitest";
import type { Frame } from "@/server/contract/frame";
import { sampleTurn } from "../testing/sample-frames";
import type { LinkStatus } from "./live-picture";
import { type Channel, type Locks, type StreamPort, shareStream } from "./share-stream";

describe("a shared stream", () => {
  it("is opened once for all tabs, and every tab gets every frame", async () => {
    const browser = makeBrowser();
    const [a, b, c] = [browser.tab(), browser.tab(), browser.tab()];
    await settled();
    browser.send("c1", sampleTurn("x"));
    await settled();
    expect(browser.opened).toEqual(["c0"]);
    for (const tab of [a, b, c]) expect(tab.ids).toEqual(["x"]);
  });

  it("goes on in the next tab from the last cursor heard", async () => {
    const browser = makeBrowser();
    const [a, b] = [browser.tab(), browser.tab()];
    await settled();
    browser.send("c1", sampleTurn("x"));
    await settled();
    a.leave();
    await settled();
    browser.send("c2", sampleTurn("y"));
    await settled();
    expect(browser.opened).toEqual(["c0", "c1"]);
    expect(a.ids).toEqual(["x"]);
    expect(b.ids).toEqual(["x", "y"]);
    expect(b.resets).toBe(0);
  });

  it("takes a snapshot when messages were missed", async () => {
    const browser = makeBrowser();
    const [, b] = [browser.tab(), browser.tab()];
    await settled();
    browser.send("c1", sampleTurn("x"));
    await settled();
    browser.isFrozen = true;
    browser.send("c2", sampleTurn("missed"));
    await settled();
    browser.isFrozen = false;
    browser.send("c3", sampleTurn("y"));
    await settled();
    expect(b.ids).toEqual(["x", "y"]);
    expect(b.resets).toBe(1);
  });

  it("tells a late tab how the link is, and all tabs of a reset", async () => {
    const browser = makeBrowser();
    const a = browser.tab();
    await settled();
    browser.port().onStatus("live");
    const b = browser.tab();
    await settled();
    expect(b.statuses).toEqual(["live"]);
    browser.port().onReset();
    await settled();
    expect([a.resets, b.resets]).toEqual([1, 1]);
  });

  it("says nothing more once it is left, though closing the stream reports", async () => {
    const browser = makeBrowser();
    const a = browser.tab();
    const b = browser.tab();
    await settled();
    const port = browser.port();
    a.leave();
    expect(() => port.onStatus("cut")).not.toThrow();
    await settled();
    expect(b.statuses).not.toContain("cut");
  });

  it("does not stream when the lock is granted just as it leaves", async () => {
    const opened: string[] = [];
    let grant = async () => {};
    const granted = new Promise<void>((done) => {
      const leave = shareStream({
        name: "p",
        getCursor: () => "c0",
        locks: (_name, _signal, hold) => {
          grant = hold;
          return new Promise(() => {});
        },
        channel: () => ({ onmessage: null, postMessage() {}, close() {} }),
        open: (after) => {
          opened.push(after);
          return () => {};
        },
        port: { onFrames() {}, onStatus() {}, onReset() {} },
      });
      leave();
      grant().then(done, done);
    });
    await granted;
    expect(opened).toEqual([]);
  });

  it("streams for itself where a browser has no locks", () => {
    const opened: string[] = [];
    const leave = shareStream({
      name: "p",
      getCursor: () => "c7",
      open: (after) => {
        opened.push(after);
        return () => opened.push("closed");
      },
      port: { onFrames() {}, onStatus() {}, onReset() {} },
    });
    leave();
    expect(opened).toEqual(["c7", "closed"]);
  });
});

/** Tabs of one browser: a lock that is held by one, a channel that reaches the others, a server that streams. */
function makeBrowser() {
  const channels = new Set<Channel>();
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const ports: StreamPort[] = [];
  const browser = {
    opened: [] as string[],
    isFrozen: false,
    port(): StreamPort {
      const port = ports.at(-1);
      if (!port) throw new Error("nobody streams");
      return port;
    },
    send(cursor: string, ...frames: Frame[]) {
      browser.port().onFrames(frames, cursor);
    },
    tab,
  };
  const locks: Locks = async (_name, signal, hold) => {
    if (isHeld)
      await new Promise<void>((granted, refused) => {
        waiting.push(granted);
        signal.addEventListener("abort", () => refused(new Error("aborted")));
      });
    isHeld = true;
    await hold();
    isHeld = false;
    waiting.shift()?.();
  };
  const channel = (): Channel => {
    const line: Channel = {
      onmessage: null,
      close: () => channels.delete(line),
      postMessage(message) {
        if (!channels.has(line)) throw new Error("Channel is closed");
        const others = [...channels].filter((other) => other !== line);
        queueMicrotask(() => {
          if (!browser.isFrozen) for (const other of others) other.onmessage?.({ data: message });
        });
      },
    };
    channels.add(line);
    return line;
  };
  function tab() {
    const seen = { ids: [] as string[], statuses: [] as LinkStatus[], resets: 0, leave: () => {} };
    let cursor = "c0";
    seen.leave = shareStream({
      name: "p",
      getCursor: () => cursor,
      locks,
      channel,
      open: (after, port) => {
        browser.opened.push(after);
        ports.push(port);
        return () => {};
      },
      port: {
        onFrames(frames, at) {
          cursor = at;
          seen.ids.push(...frames.map((frame) => frame.id));
        },
        onStatus: (status) => seen.statuses.push(status),
        onReset: () => {
          seen.resets++;
        },
      },
    });
    return seen;
  }
  return browser;
}

const settled = () => new Promise((done) => setTimeout(done, 0));
