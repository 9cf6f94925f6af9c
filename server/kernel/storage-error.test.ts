import { describe, expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { storageError, wasDiskFull } from "./storage-error";

const codeOf = (error: unknown) => {
  const known = storageError(error);
  return known instanceof KernelError ? known.code : known;
};
const failure = (parts: object, message = "it failed") => Object.assign(new Error(message), parts);

describe("a database that is not there", () => {
  test("a session that the server ended reads as storage_error, whoever reports it", () => {
    expect(codeOf(failure({ code: "57P01" }))).toBe("storage_error");
    expect(codeOf(failure({ code: "ECONNREFUSED" }))).toBe("storage_error");
    const cause = { kind: "postgres", code: "57P01", severity: "FATAL" };
    expect(codeOf(failure({ code: "P2039", meta: { driverAdapterError: { cause } } }))).toBe("storage_error");
  });

  test("driver errors without a code are recognised by their whole sentence", () => {
    expect(codeOf(new Error("Connection terminated unexpectedly"))).toBe("storage_error");
  });

  test("to wait for a connection in vain does not read as a database that is away", () => {
    expect(storageError(new Error("timeout exceeded when trying to connect"))).toMatchObject({
      code: "storage_error",
      message: expect.stringMatching(/all connections .* in use .*pg_stat_activity/),
      detail: { reason: "no_connection" },
    });
  });

  test.each([
    "Unterminated string in JSON at position 12",
    "the tool said: connect ECONNREFUSED 127.0.0.1:1",
    "Connection terminated unexpectedly, said the user",
  ])("single words in a message decide nothing: %s", (message) => {
    const error = new SyntaxError(message);
    expect(codeOf(error)).toBe(error);
  });
});

describe("a full disk", () => {
  test.each([
    { code: "53100" },
    { code: "ENOSPC" },
    { code: "P2039", meta: { driverAdapterError: { cause: { code: "53100" } } } },
  ])("is named, with what to do: %o", (parts) => {
    const error = failure(parts);
    const known = storageError(error);
    expect(known).toMatchObject({ code: "storage_error", detail: { reason: "disk_full" } });
    expect(String(known)).toMatch(/disk of the database is full.*[Ff]ree some space/);
    expect(wasDiskFull(60_000)).toBe(true);
  });

  test("other shortages of the server are not a full disk", () => {
    const error = failure({ code: "53300" }, "too many connections");
    expect(String(storageError(error))).toContain("cannot be reached");
  });
});

test.each(["22003", "22021", "22P05", "54000"])(
  "a value that no column accepts is reported as the caller's fault: %s",
  (code) => {
    const error = failure({ code }, 'value "2147483648" is out of range for type integer');
    expect(storageError(error)).toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("out of range"),
    });
  },
);

describe("a fault of the statement itself", () => {
  test("is passed on unchanged", () => {
    const refused = failure({ code: "23505" });
    expect(codeOf(refused)).toBe(refused);
    const cause = { kind: "postgres", code: "42703" };
    const broken = failure({ code: "P2039", meta: { driverAdapterError: { cause } } });
    expect(codeOf(broken)).toBe(broken);
  });
});

test.each(["25006", "55P03", "57014", "53100", "ECONNREFUSED"])(
  "%s says what the caller can do, not that it is done for them",
  (code) => {
    const told = storageError(failure({ code }));
    expect(told).toMatchObject({
      code: "storage_error",
      message: expect.stringMatching(/nothing was written\..*try again/i),
    });
    expect(String(told)).not.toContain("it is tried again");
  },
);
