"use client";

// Whether React has taken the whole page over. A dialog hides the page behind it from screen readers; one that an address
// opens earlier changes markup that React has yet to compare.
import { useEffect, useState } from "react";

export function useIsSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    const settle = () => setIsSettled(true);
    // Not every browser tells when it is idle.
    const wait = () => (window.requestIdleCallback ?? setTimeout)(settle);
    if (document.readyState === "complete") wait();
    else window.addEventListener("load", wait, { once: true });
    return () => window.removeEventListener("load", wait);
  }, []);
  return isSettled;
}
