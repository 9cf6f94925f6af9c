// How a batch is called. Only batches that the yard draws as a frame are numbered in their run (B1, B2); what is drawn without
// one would leave gaps in the numbers that people see.
import type { BatchTool } from "./batch";

const framedTools: readonly BatchTool[] = ["fork_join"];

export const isFramed = ({ tool_name }: { tool_name: BatchTool }): boolean => framedTools.includes(tool_name);

/** For SQL, on a table of batches. */
export const framedSql = (table: string): string =>
  `${table}.tool_name IN (${framedTools.map((tool) => `'${tool}'`).join(", ")})`;

type Numbered = { number?: number | undefined };

/** On a plate: "B1", or "Ask" for a question to an expert. */
export const batchCode = ({ number }: Numbered): string => (number === undefined ? "Ask" : `B${number}`);

/** In a sentence: "Stop B1?", "Stop the question?" */
export const batchInWords = ({ number }: Numbered): string => (number === undefined ? "the question" : `B${number}`);

/** At the start of a sentence. */
export const batchFirstWord = ({ number }: Numbered): string => (number === undefined ? "The question" : `B${number}`);
