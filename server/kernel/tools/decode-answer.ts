// The text of a service's answer, in the charset that it names. Everything used to be read as UTF-8: the umlauts of an answer in
// ISO 8859-1 came to the model as replacement characters, and UTF-16 as text full of NULs.

/** `unread`: a charset that is not known. Its text is left out: nothing could be struck out of it. */
export type Decoded = { text: string; unread?: string };

export function decodeAnswer(contentType: string, bytes: Uint8Array): Decoded {
  const charset = /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(contentType)?.[1] ?? "utf-8";
  if (bytes.length === 0) return { text: "" };
  try {
    // Without the BOM, which JSON.parse refuses.
    return { text: new TextDecoder(charset).decode(bytes) };
  } catch {
    return decodeUnnamed(charset, bytes);
  }
}

/** Names such as utf8mb4 or binary stand for UTF-8 in many answers: bytes that are that are read. */
function decodeUnnamed(charset: string, bytes: Uint8Array): Decoded {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { text: "", unread: charset.slice(0, 80) };
  }
}
