import { expect, test } from "vitest";
import { isSession, readSession, sealSession, sessionCookie } from "./session";
import { isToken } from "./token";

const token = "0123456789abcdef";
const day = 24 * 3600 * 1000;

test("only the token is the token", () => {
  expect(isToken(token, token)).toBe(true);
  for (const given of ["", "0", token.slice(1), `${token} `, token.toUpperCase(), "x".repeat(100_000)])
    expect(isToken(given, token)).toBe(false);
});

test("a session lasts thirty days and not a second longer", () => {
  const value = sealSession(token, 0);
  expect(isSession(value, token, 30 * day - 1)).toBe(true);
  expect(isSession(value, token, 30 * day)).toBe(false);
});

test("a session is worth nothing once it was changed, and nothing to another token", () => {
  const value = sealSession(token);
  const [expires = "", seal = ""] = value.split(".");
  expect(isSession(value, token)).toBe(true);
  expect(isSession(value, "fedcba9876543210")).toBe(false);
  for (const other of [
    "",
    ".",
    expires,
    seal,
    `${Number(expires) + 1}.${seal}`,
    `0${expires}.${seal}`,
    `${expires}.${seal.slice(1)}`,
    `${expires}.${seal.startsWith("A") ? "B" : "A"}${seal.slice(1)}`,
    `${expires}.${"é".repeat(43)}`,
    `${value}.`,
    ` ${value}`,
  ])
    expect(isSession(other, token), other).toBe(false);
});

test("the cookie holds neither the token nor a hash of it that anybody could make", () => {
  const cookie = sessionCookie(token, { isSecure: false });
  expect(cookie).not.toContain(token);
  expect(cookie).not.toContain(Buffer.from(token).toString("base64url"));
  expect(cookie).toMatch(/^switchyard_[0-9a-f]{8}=\d+\.[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
  expect(sessionCookie(token, { isSecure: true })).toMatch(/; Secure$/);
  expect(sessionCookie(token, { isSecure: true, isOver: true })).toMatch(/^switchyard_\w+=; Path=\/; Max-Age=0; /);
});

test("the session is found among other cookies; that of another token is not it", () => {
  const pair = sessionCookie(token, { isSecure: false }).split(";")[0] ?? "";
  const value = readSession(new Headers({ cookie: `theme=dark; ${pair}; x=y` }), token);
  expect(isSession(value ?? "", token)).toBe(true);
  expect(readSession(new Headers({ cookie: pair }), "fedcba9876543210")).toBeNull();
  expect(readSession(new Headers(), token)).toBeNull();
});
