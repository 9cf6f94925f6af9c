// Target and task: the two parts that every delegation has in common.
import * as z from "zod";

export const TargetStrategyInput = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["new", "reuse", "clone"]));

export const InstructionInput = z.string().refine((s) => s.trim() !== "", "instruction is empty; enter the task");
