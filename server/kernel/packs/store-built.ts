// Stores a pack that was just built, with what it was built from and for whom.
import type { Unit } from "../unit";
import type { PackInput } from "./pack-input";
import { type PreparedPack, sourcesOf } from "./prepare-pack";
import type { Built } from "./refuse-fault";
import { type StoredPack, storePack } from "./store-pack";

type For = Pick<PackInput, "project_id" | "caller"> & { created_by: string };

export function storeBuilt(
  unit: Unit,
  { project_id, caller, created_by }: For,
  prepared: PreparedPack,
  built: Built,
): Promise<StoredPack> {
  return storePack(unit, {
    project_id,
    kind: "built",
    built,
    input: prepared.input,
    sources: sourcesOf(prepared, built.used),
    names: prepared.consumed.names,
    created_by,
    root_turn_id: caller?.root_turn_id,
    agent_turn_id: caller?.agent_turn_id,
  });
}
