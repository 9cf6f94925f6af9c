// External tools as the API returns them.
import * as z from "zod";
import { AfterExecution } from "./cards";

export const ToolKind = z.enum(["http", "command", "polled"]).meta({ id: "ToolKind" });
export const Tool = z
  .strictObject({
    tool_name: z.string(),
    description: z.string(),
    parameters: z.record(z.string(), z.json()),
    after_execution: AfterExecution,
    options: z.record(z.string(), z.json()),
    target_subject: z.string().optional().describe("A subject of the bus (`cmd.tool.name`) or an http(s) URL."),
    project_id: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Tool" });
