// How far the list of context packs looks for words of their goals, which no index holds.
import type { Page } from "./page";

/** The newest, or those that follow a cursor. */
export const PACKS_LOOKED_AT = 1_000;

/** `is_partial`: older packs were not looked at; the cursor goes on with them. */
export type PacksPage<T> = Omit<Page<T>, "total"> & { is_partial?: true; looked_at?: number };
