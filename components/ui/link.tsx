"use client";

// A link within the product. Next prefetches the page of every link in sight, some twenty for each view. This one prefetches a
// page when the pointer, a touch or keyboard focus reaches its link.
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
