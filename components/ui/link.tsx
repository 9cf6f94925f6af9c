"use client";

// A link within the product. Next asks the server for every page that a link in sight leads to, some twenty a page: here it
// asks for one that somebody is about to open, by pointer, touch or keyboard.
import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

export function Link({
  href,
  prefetch,
  onPointerEnter,
  onFocus,
  onTouchStart,
  ...props
}: ComponentProps<typeof NextLink>) {
  const [near, setNear] = useState<string>();
  const address = typeof href === "string" ? href : JSON.stringify(href);
  return (
    <NextLink
      {...props}
      href={href}
      prefetch={prefetch ?? (near === address ? null : false)}
      onPointerEnter={(event) => {
        setNear(address);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setNear(address);
        onFocus?.(event);
      }}
      onTouchStart={(event) => {
        setNear(address);
        onTouchStart?.(event);
      }}
    />
  );
}
