import { expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { storageError } from "./storage-error";

const codeOf = (error: unknown) => {
  const known = storageError(error);
  return known instanceof KernelError ? known.code : known;
};
const failure = (parts: object) => Object.assign(new Error("it failed"), parts);

test("a session that the server ended reads as storage_error, whoever tells of it", () => {
  expect(codeOf(failure({ code: "57P01" }))).toBe("storage_error");
  expect(codeOf(failure({ code: "ECONNREFUSED" }))).toBe("storage_error");
  const cause = { kind: "postgres", code: "57P01", severity: "FATAL" };
  expect(codeOf(failure({ code: "P2039", meta: { driverAdapterError: { cause } } }))).toBe("storage_error");
});

test("what the statement itself did wrong passes as it is", () => {
  const refused = failure({ code: "23505" });
  expect(codeOf(refused)).toBe(refused);
  const cause = { kind: "postgres", code: "42703" };
  const broken = failure({ code: "P2039", meta: { driverAdapterError: { cause } } });
  expect(codeOf(broken)).toBe(broken);
});
