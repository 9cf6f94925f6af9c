// What every verb that makes a pack is given.
import type { PackToBuildOverRest } from "@/server/contract/context-pack/request";

/** The turn that asks, if one does: its packs have an id of the turn. */
export type PackCaller = { root_turn_id: string; agent_turn_id: string; turn: number };
export type PackInput = { project_id: string; request: PackToBuildOverRest; caller?: PackCaller };
