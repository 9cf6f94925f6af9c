// A plan from outside, for every verb that takes one: its size, its shape and its text.
import { KernelError } from "@/server/contract/errors";
import { parsePlan } from "@/server/contract/plan/parse-plan";
import { plainJson } from "@/server/contract/plan/plain-json";
import { PLAN_BYTES_MAX, type Plan } from "@/server/contract/plan/plan";
import { refuseBadText } from "@/server/contract/text";
import { refuseDeep } from "../cardbox/canonical-json";

/** bad_request with the path of the first fault; payload_too_large. */
export function parseBody(body: unknown): Plan {
  refuseDeep(body, "body");
  const bytes = Buffer.byteLength(JSON.stringify(body) ?? "");
  if (bytes > PLAN_BYTES_MAX)
    throw new KernelError(
      "payload_too_large",
      `body is ${bytes} bytes, at most ${PLAN_BYTES_MAX}. Load long texts as cards`,
      {
        path: "body",
      },
    );
  // As the browser reads it: zod would pass over a `__proto__` key without a word.
  const plain = plainJson(body);
  const read = "fault" in plain ? plain : parsePlan(plain.value);
  if ("fault" in read) {
    const path = ["body", read.fault.path].filter((part) => part !== "").join(".");
    throw new KernelError("bad_request", `${path}: ${read.fault.message}`, { path });
  }
  refuseBadText(read.plan, "body");
  return read.plan;
}
