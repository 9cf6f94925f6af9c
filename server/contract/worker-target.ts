// The name under which workers ask for turns. Some names are reserved: a profile with the target `human` used to be treated
// as a person.
import * as z from "zod";

const RESERVED = /^(human$|sys\.)/i;

export const isReserved = (name: string): boolean => RESERVED.test(name);

export const RESERVED_TARGET = "human and names that begin with sys. are reserved; choose another name";

/** What profiles, agents and workers may name. */
export const WorkerTarget = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, "1 to 64 letters, digits, _ . - only")
  .refine((target) => !isReserved(target), RESERVED_TARGET);
