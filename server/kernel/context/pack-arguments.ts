// Turns arguments into cards, one new card per rule, never merged (docs/design/kernel.md 5.2).
import { type Card, type CardContent, Role } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import type { PackRule } from "@/server/contract/pack";
import { draftCard } from "../cardbox/draft-card";
import type { Kernel } from "../kernel";

export type PackedCard = { card: Card; origin: string };

export type PackArgumentsInput = {
  project_id: string;
  tool_suffix: string;
  rules: readonly PackRule[];
  arguments: Record<string, unknown>;
  metadata?: Record<string, unknown>;
};

/** A rule without its argument is skipped; a null argument is refused, because it is always a mistake. */
export function packArguments(kernel: Kernel, input: PackArgumentsInput): PackedCard[] {
  return input.rules.flatMap((rule) => {
    const value = Object.hasOwn(input.arguments, rule.arg_key) ? input.arguments[rule.arg_key] : undefined;
    if (value === undefined) return [];
    const path = `arguments.${rule.arg_key}`;
    if (value === null) throw new KernelError("bad_request", `${path} is null; leave it out or give a value`, { path });
    refuseReserved(rule.as_card_type, path);
    const content = contentOf(rule, value, path);
    refuseLarge(kernel, content, path);
    const card = draftCard(kernel, {
      project_id: input.project_id,
      metadata: input.metadata,
      path,
      card: {
        type: rule.as_card_type,
        content,
        role: roleOf(rule),
        author_id: input.tool_suffix,
        metadata: rule.card_metadata as Record<string, never>,
      },
    });
    return [{ card, origin: `arg:${rule.arg_key}` }];
  });
}

// Cards of these types record where a card came from, so no argument may pose as one.
function refuseReserved(type: string, path: string): void {
  if (/^(meta|sys)\./.test(type))
    throw new KernelError("bad_request", `${path}: as_card_type ${type} is written by the kernel alone`, { path });
}

function contentOf(rule: PackRule, value: unknown, path: string): CardContent {
  if (rule.as_card_type === "task.result_fields") return { kind: "fields_schema", fields: fieldsOf(value, path) };
  if (typeof value === "object") return { kind: "json", data: value as never };
  const text = String(value);
  if (rule.as_card_type === "task.instruction" && text.trim() === "")
    throw new KernelError("bad_request", `${path} is empty; enter the task`, { path });
  return { kind: "text", text };
}

function fieldsOf(value: unknown, path: string): { name: string; description: string }[] {
  const isField = (f: unknown): f is { name: string; description: string } =>
    typeof f === "object" &&
    f !== null &&
    "name" in f &&
    typeof f.name === "string" &&
    f.name.trim() !== "" &&
    "description" in f &&
    typeof f.description === "string";
  if (!Array.isArray(value) || !value.every(isField))
    throw new KernelError("bad_request", `${path} must be a list of {name, description}`, { path });
  return value;
}

function refuseLarge(kernel: Kernel, content: CardContent, path: string): void {
  const text = content.kind === "text" ? content.text : JSON.stringify(content);
  const { instructionBytesMax } = kernel.tunables;
  if (Buffer.byteLength(text) > instructionBytesMax)
    throw new KernelError("payload_too_large", `${path} is over ${instructionBytesMax} bytes; split it into cards`, {
      path,
    });
}

function roleOf(rule: PackRule): Role {
  const role = Role.safeParse(rule.card_metadata.role ?? "user");
  if (role.success) return role.data;
  throw new KernelError(
    "bad_request",
    `pack_arguments ${rule.arg_key}: card_metadata.role must be one of system, user, assistant, tool`,
  );
}
