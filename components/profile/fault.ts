// A refusal of the server as the dialog shows it: what is wrong, where, and what to write instead. Pure.

export type Fault = { message: string; line: number | null; remedy: string | null };

export function faultOf(error: { message: string; data?: unknown }): Fault {
  const detail = fieldOf(error.data, "detail");
  const line = fieldOf(detail, "line");
  const path = fieldOf(detail, "path");
  return {
    message: error.message,
    line: typeof line === "number" ? line : null,
    remedy: typeof path === "string" ? remedyOf(path) : null,
  };
}

/** From the key itself or the nearest one above it that is known. */
function remedyOf(path: string): string | null {
  const keys = path.split(".").filter((key) => !/^\d+$/.test(key));
  for (; keys.length > 0; keys.pop()) {
    const remedy = remedies[keys.join(".")];
    if (remedy !== undefined) return remedy;
  }
  return null;
}

const remedies: Record<string, string> = {
  name: "Write a name of 1 to 120 characters, such as name: Researcher",
  description: "Enter one line of text. Use quotes if it contains a colon.",
  worker_target: "Write the target of your workers, such as worker_target: worker_generic",
  tags: "Write a list of words, such as tags: [research, fast]",
  allowed_tools: "Write a list of tool names, such as allowed_tools: [delegate_async], or null for all of them.",
  allowed_internal_tools: "Write a list of tool names, such as allowed_internal_tools: [submit_result]",
  must_end_with: "Write a list of tool names, such as must_end_with: [submit_result]",
  handover_recipe: "Write the name of a saved recipe, such as handover_recipe: brief or handover_recipe: brief@2",
  workspaces: "Write a list of workspaces, such as workspaces: [code]",
  system_prompt: "Enter text. For several lines, put | after the colon.",
  system_prompt_template: "Enter text. For several lines, put | after the colon.",
  max_steps: "Write a whole number from 1 to 1000.",
  max_attempts: "Write a whole number from 1 to 10.",
  result_fields: "Write a list with a name and a description each, such as - {name: answer, description: One sentence}",
  "llm_config.script": "Write a list of steps, such as - deliver: Done, or name another provider.",
  "llm_config.context_window": "Write a whole number of tokens, such as 128000.",
  llm_config: "Write a mapping, such as llm_config: {provider: script, script: [{deliver: Done}]}",
};

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
