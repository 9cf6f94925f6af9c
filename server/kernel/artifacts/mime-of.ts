// The type that a sender declares, in one form. It is shown, and never decides how bytes are served.

export const mimeOf = (declared: string): string => {
  const mime = declared.split(";", 1)[0]?.trim() ?? "";
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mime) ? mime.toLowerCase() : "application/octet-stream";
};
