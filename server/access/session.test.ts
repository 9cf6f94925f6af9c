import { expect, test } from "vitest";
import { makeSession, openSession, readSession, sessionCookie } from "./session";
import { isToken } from "./token";

const token = "0123456789abcdef";
const day = 24 * 3600 * 1000;

test("only the token is the token", () => {
  expect(isToken(token, token)).toBe(true);
  for (const given of ["", "0", token.slice(1), `${token} `, token.toUpperCase(), "x".repeat(100_000)])
    expect(isToken(given, token)).toBe(false);
});

test("a session lasts thirty days and not a second longer", () => {
  const { session_id, value } = makeSession(token, 0);
  expect(openSession(value, token, 30 * day - 1)).toBe(session_id);
  expect(openSession(value, token, 30 * day)).toBeNull();
});

test("two sessions of the same second are different", () => {
  expect(makeSession(token, 0).session_id).not.toBe(makeSession(token, 0).session_id);
});

test("a changed session is worthless, and so is one of another token", () => {
  const { session_id, value } = makeSession(token);
  const [id = "", expires = "", seal = ""] = value.split(".");
  expect(openSession(value, token)).toBe(session_id);
  expect(openSession(value, "fedcba9876543210")).toBeNull();
  for (const other of [
    "",
    "..",
    id,
    `${expires}.${seal}`,
    `${id}.${Number(expires) + 1}.${seal}`,
    `${id}.0${expires}.${seal}`,
    `${makeSession(token).session_id}.${expires}.${seal}`,
    `${id}.${expires}.${seal.slice(1)}`,
    `${id}.${expires}.${seal.startsWith("A") ? "B" : "A"}${seal.slice(1)}`,
    `${id}.${expires}.${"é".repeat(43)}`,
    `${value}.`,
    ` ${value}`,
  ])
    expect(openSession(other, token), other).toBeNull();
});

test("the cookie contains neither the token nor a hash of it that anybody could compute", () => {
  const cookie = sessionCookie(token, { isSecure: false, value: makeSession(token).value });
  expect(cookie).not.toContain(token);
  expect(cookie).not.toContain(Buffer.from(token).toString("base64url"));
  expect(cookie).toMatch(
    /^switchyard_[0-9a-f]{8}=[\w-]{32}\.\d+\.[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  );
});

test("over https it has the prefix that keeps other hosts of the domain from setting it", () => {
  const { value } = makeSession(token);
  const cookie = sessionCookie(token, { isSecure: true, value });
  expect(cookie).toMatch(/^__Host-switchyard_\w{8}=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/);
  expect(sessionCookie(token, { isSecure: true })).toMatch(/^__Host-switchyard_\w+=; Path=\/; Max-Age=0; .*; Secure$/);
  const headers = new Headers({ cookie: cookie.split(";")[0] ?? "" });
  expect(readSession(headers, token, { isSecure: true })).toBe(value);
  expect(readSession(headers, token, { isSecure: false })).toBeNull();
});

test("the session is found among other cookies; one of another token is ignored", () => {
  const { value } = makeSession(token);
  const pair = sessionCookie(token, { isSecure: false, value }).split(";")[0] ?? "";
  const read = (cookie: string, of = token) => readSession(new Headers({ cookie }), of, { isSecure: false });
  expect(read(`theme=dark; ${pair}; x=y`)).toBe(value);
  expect(read(pair, "fedcba9876543210")).toBeNull();
  expect(readSession(new Headers(), token, { isSecure: false })).toBeNull();
});
