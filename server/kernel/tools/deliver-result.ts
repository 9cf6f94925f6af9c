// A worker of another language delivers. What the profile wants of a result is checked as it is for submit_result, and a
// success that names an error is none.
import type { CardContent } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { isRecord } from "@/server/contract/is-record";
import { refuseLarge } from "../cardbox/refuse-large";
import type { Kernel } from "../kernel";
import { readScene } from "../provenance/read-scene";
import { type Delivered, type DeliverInput, deliverTurn } from "../turns/deliver-turn";
import { readTurn } from "../turns/read-turn";
import { readSubmission } from "./submission";

/** bad_request names the fields that are missing. A turn that is not the worker's any more is told so first. */
export async function deliverResult(kernel: Kernel, input: DeliverInput): Promise<Delivered> {
  refuseLarge(input, "content");
  if (input.status !== "success") return deliverTurn(kernel, input);
  if (input.error !== undefined || input.error_code !== undefined)
    return deliverTurn(kernel, { ...input, status: "failed" });
  return deliverTurn(kernel, { ...input, content: await requiredOf(kernel, input) });
}

async function requiredOf(kernel: Kernel, input: DeliverInput): Promise<CardContent | null> {
  const { content, turn_epoch } = input;
  const turn = await readTurn(kernel, input);
  if (!turn || turn.turn_epoch !== turn_epoch || turn.status !== "running") return content;
  const { required_fields } = await readScene(kernel, turn);
  if (required_fields.length === 0) return content;
  const data = content?.kind === "json" ? content.data : content?.kind === "text" ? content.text : null;
  const submission = readSubmission(data, required_fields);
  if (!submission.ok)
    throw new KernelError(
      "bad_request",
      `content.${submission.error}, in {"kind": "json", "data": {"fields": [...]}}`,
      {
        required: required_fields,
      },
    );
  // What stands beside the fields is the worker's own, and is kept.
  return isRecord(data) && Array.isArray(data.fields) ? content : submission.content;
}
