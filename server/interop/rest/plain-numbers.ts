// Numbers in a query are decimal digits. Coercion alone takes 0x10, 1e3, spaces and an empty text for numbers that nobody wrote.
import * as z from "zod";
import { KernelError } from "@/server/contract/errors";

const PLAIN = /^-?\d{1,15}$/;

/** bad_request with the field's name for a text that is no plain whole number, where the route takes nothing but numbers. */
export function refuseOddNumbers(schema: z.ZodType, given: Readonly<Record<string, string>>): void {
  if (!(schema instanceof z.ZodObject)) return;
  for (const [key, value] of Object.entries(given)) {
    const field: unknown = schema.shape[key];
    if (PLAIN.test(value) || !takesNumber(field) || takesText(field, value)) continue;
    const path = `query.${key}`;
    throw new KernelError("bad_request", `${path}: expected a whole number in decimal digits, like 20`, { path });
  }
}

function takesNumber(field: unknown): boolean {
  return formsOf(field).some((form) => form instanceof z.ZodNumber);
}

/** In a union with words, such as `step=next`. */
function takesText(field: unknown, value: string): boolean {
  return formsOf(field).some(
    (form) => form instanceof z.ZodType && !(form instanceof z.ZodNumber) && form.safeParse(value).success,
  );
}

function formsOf(field: unknown): unknown[] {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable)
    return formsOf(field.unwrap());
  if (field instanceof z.ZodUnion) return field.options.flatMap(formsOf);
  return [field];
}
