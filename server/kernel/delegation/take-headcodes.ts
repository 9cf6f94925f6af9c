// The run hands out the codes of its turns; its row is locked, so that two delegations of one run never get the same.
import { KernelError } from "@/server/contract/errors";
import { type HeadcodeLetters, nextHeadcode } from "../turns/headcode";
import type { Unit } from "../unit";

const LOCK = "SELECT letters FROM state.runs WHERE project_id = $1 AND root_turn_id = $2 FOR UPDATE";
const SAVE = "UPDATE state.runs SET letters = $3::jsonb WHERE project_id = $1 AND root_turn_id = $2";

/** Codes in the order asked for. */
export async function takeHeadcodes(
  unit: Unit,
  input: { project_id: string; root_turn_id: string; turns: { profile_name: string; depth: number }[] },
): Promise<string[]> {
  const [run] = await unit.query<{ letters: HeadcodeLetters }>("run_lock", LOCK, [
    input.project_id,
    input.root_turn_id,
  ]);
  if (!run) throw new KernelError("not_found", `run ${input.root_turn_id} is not in project ${input.project_id}`);
  let { letters } = run;
  const codes = input.turns.map((turn) => {
    const next = nextHeadcode(letters, turn.profile_name, turn.depth);
    letters = next.letters;
    return next.headcode;
  });
  unit.send("run_letters", SAVE, [input.project_id, input.root_turn_id, JSON.stringify(letters)]);
  return codes;
}
