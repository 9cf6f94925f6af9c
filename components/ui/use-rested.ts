"use client";

// A text once one has stopped typing for a moment: each letter of a search asked the server.
import { useEffect, useState } from "react";

const RESTS_MS = 120;

export function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), RESTS_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
