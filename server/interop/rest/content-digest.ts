// The digest that a sender announces: as a query, or in the header of RFC 9530, which has it in base64.
import { KernelError } from "@/server/contract/errors";

/** 64 hexadecimal digits; bad_request for a header that cannot be one, and for two that differ. */
export function digestOf(query: string | undefined, header: string | null): string | undefined {
  const asked = query?.replace(/^sha256:/, "");
  if (header === null) return asked;
  const [, base64] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(header) ?? [];
  if (base64 === undefined)
    throw new KernelError(
      "bad_request",
      "Content-Digest: expected sha-256=:<base64 of 32 bytes>:. Correct it or leave it out",
    );
  const said = Buffer.from(base64, "base64").toString("hex");
  if (asked !== undefined && asked !== said)
    throw new KernelError("bad_request", "sha256: the query and the header Content-Digest differ. Send one of them");
  return said;
}
