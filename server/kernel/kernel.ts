// What every verb is given. Clock and ids are injected so that tests can hold them still.
import { v7 } from "uuid";
import type { Db } from "@/server/db";
import { type Tunables, tunables } from "./tunables";

/** "Look now": worker targets with due rows, or a project with new frames. Promises nothing; polling is the law. */
export type Ring =
  | { kind: "wakeup"; worker_target: string; project_id: string }
  | { kind: "journal"; project_id: string };

export type Doorbell = {
  ring: (rings: Ring[]) => Promise<void>;
  /** Returns the function that stops listening. */
  listen: (handler: (ring: Ring) => void) => Promise<() => Promise<void>>;
  close: () => Promise<void>;
  readonly kind: string;
  readonly isConnected: () => boolean;
};

export type Kernel = {
  db: Db;
  doorbell: Doorbell;
  tunables: Tunables;
  now: () => Date;
  /** `prefix` + uuid v7 in hex: sortable by birth. */
  newId: (prefix?: "turn_" | "step_" | "edge_" | "inbox_" | "batch_" | "bt_" | "tc_" | "") => string;
  /** Called at named points inside units; races are lost on purpose and faults injected through it. */
  probe?: (point: string) => Promise<void> | void;
};

export function createKernel(parts: Pick<Kernel, "db" | "doorbell"> & Partial<Kernel>): Kernel {
  return { tunables, now: () => new Date(), newId: (prefix = "") => prefix + v7().replaceAll("-", ""), ...parts };
}
