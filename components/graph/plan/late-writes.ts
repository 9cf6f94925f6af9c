// Writes of a worker that had lost its turn: refused, and shown, because the worker still believes it holds the turn.
import type { LateFrame } from "@/server/contract/frame";
import { byTurn } from "./by-turn";

export const LATE_WORDS = "a lost worker still writes";

export const lateWritesOf = byTurn<LateFrame>();
