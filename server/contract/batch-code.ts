// How a batch is called. Only batches that the yard draws as a frame are numbered in their run (B1, B2); what is drawn without
// one would leave gaps in the numbers that people see.
import type { BatchTool } from "./batch";

const framedTools: readonly BatchTool[] = ["fork_join"];

export const isFramed = ({ tool_name }: { tool_name: BatchTool }): boolean => framedTools.includes(tool_name);

/** For SQL, on a table of batches. */
export const framedSql = (table: string): string =>
  `${table}.tool_name IN (${framedTools.map((tool) => `'${tool}'`).join(", ")})`;

type Called = { number?: number | undefined; tool_name?: BatchTool };

/** What has no number: a question to an expert, or the one wagon of a plan's step. */
const named = <T>({ tool_name }: Called, question: T, step: T): T => (tool_name === "plan_wagon" ? step : question);

const STEP = "Step";

/** On a plate: "B1", "Ask" for a question to an expert, "Step" for a plan's wagon. */
export const batchCode = (batch: Called): string =>
  batch.number === undefined ? named(batch, "Ask", STEP) : `B${batch.number}`;

/** "B1, task 4"; a step of a plan has no tasks. */
export const branchCode = (code: string, task: number): string => (code === STEP ? code : `${code}, task ${task}`);

/** In a sentence: "Stop B1?", "Stop the question?" */
export const batchInWords = (batch: Called): string =>
  batch.number === undefined ? named(batch, "the question", "the step") : `B${batch.number}`;

/** At the start of a sentence. */
export const batchFirstWord = (batch: Called): string =>
  batch.number === undefined ? named(batch, "The question", "The step") : `B${batch.number}`;
