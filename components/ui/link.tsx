"use client";

// A link within the product. Next asks the server for every page that a link in sight leads to, some twenty a page: here it
// asks for one that somebody is about to open, by pointer, touch or keyboard.
import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

export function Link({ prefetch, onPointerEnter, onFocus, onTouchStart, ...props }: ComponentProps<typeof NextLink>) {
  const [isNear, setNear] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={prefetch ?? (isNear ? null : false)}
      onPointerEnter={(event) => {
        setNear(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setNear(true);
        onFocus?.(event);
      }}
      onTouchStart={(event) => {
        setNear(true);
        onTouchStart?.(event);
      }}
    />
  );
}
