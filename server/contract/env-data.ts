// Environment data: what the agents of one run share, by key. Lists show a key with its description; values are read singly.
import * as z from "zod";
import { INT_MAX } from "./bounds";
import type { RunFrame } from "./frame";
import { Id } from "./ids";
import type { TurnRef } from "./line";

export const ENV_KEY_MAX = 200;
export const ENV_DESCRIPTION_MAX = 2000;

export const EnvKey = z
  .string()
  .trim()
  .min(1, "name a key")
  .max(ENV_KEY_MAX, `a key has at most ${ENV_KEY_MAX} characters`)
  .regex(/^\P{Cc}*$/u, "a key is one line of text");

const short_description = z
  .string()
  .max(ENV_DESCRIPTION_MAX, `a short description has at most ${ENV_DESCRIPTION_MAX} characters`);

/** Any JSON except null, which the verb refuses. false, 0, "" and [] are values. */
const value = z.nonoptional(z.unknown(), 'is missing; give any JSON value except null (false, 0, "" and [] are fine)');

/** Absent = overwrite anything. 0 = the key must be new. Another number = the key must still have this `rev`. */
const rev = z.int().min(0).max(INT_MAX).optional();

export const StoreEnvData = z.strictObject({ key: EnvKey, short_description, value });
export const UpdateEnvData = z.strictObject({
  key: EnvKey,
  short_description: short_description.optional(),
  value: z.unknown().optional(),
});
export const OneEnvData = z.strictObject({ key: EnvKey });

/** The key is in the path. */
export const PutEnvData = StoreEnvData.omit({ key: true });

const Scope = { project_id: Id, root_turn_id: Id };
/** Stored by a person. */
export const SaveEnvData = z.strictObject({ ...Scope, ...StoreEnvData.shape, rev });
export const OneOfRun = z.strictObject({ ...Scope, key: EnvKey });

/** A key without its value. `stored_by` is an agent, or `human_<user>`. */
export type EnvLine = {
  root_turn_id: string;
  key: string;
  short_description: string;
  /** Of the value as JSON. */
  value_bytes: number;
  stored_by: string;
  /** Absent if a person stored it. */
  stored_by_turn_id?: string;
  rev: number;
  created_at: string;
  updated_at: string;
};

/** As sent to the browser: its types make a value that may be anything optional. */
export type EnvEntry = EnvLine & { value?: unknown };

/** A run to choose, with how many keys it has. */
export type EnvRun = Pick<RunFrame, "root_turn_id" | "number" | "title" | "source" | "created_at"> & {
  env_count: number;
};

/** What a page shows of one run. `runs` has the newest and the one shown. `live_cursor` matches it. */
export type EnvSheet = {
  run?: EnvRun;
  runs: EnvRun[];
  items: (EnvLine & { turn?: TurnRef })[];
  live_cursor: string;
};
