// Step 6: while a run plans, code is read-only. The pack says so to the tools: writing is for the documents.
import type { Draft } from "./draft";

export function withPolicy(frame: Draft["frame"]): Draft["frame"] {
  if (frame.globalMode !== "planning") return frame;
  return { ...frame, toolPolicy: { ...frame.toolPolicy, writeRoots: [frame.docsRoot] } };
}
