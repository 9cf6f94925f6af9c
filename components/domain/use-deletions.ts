"use client";

// Pages of cards stand still: a card never changes. That somebody deletes one is told by the stream (use-frames.ts), which this
// keeps open.
import { type LiveInput, useLive } from "./use-live";

export const useDeletions = (input: Omit<LiveInput, "isMine">): void => useLive({ ...input, isMine: () => false });
