"use client";

// Whether what is drawn can only be looked at: a version, an archived plan, a draft that goes on in another tab.
import { useDrawn } from "../composer-context";

export const useLocked = (): boolean => useDrawn(({ locked }) => locked !== null);
