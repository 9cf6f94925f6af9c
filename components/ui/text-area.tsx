// Several lines of text, as a control of a Field or with a name of its own.
import type { TextareaHTMLAttributes } from "react";
import { cn } from "./cn";
import { useFieldIds } from "./field";

export function TextArea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const ids = useFieldIds();
  return (
    <textarea
      dir="auto"
      {...ids}
      {...rest}
      className={cn("field-box h-auto w-full resize-y py-1.5 leading-[1.45]", className)}
    />
  );
}
