"use client";

// How a person decides: a choice or words of their own; leave, with the arguments as they are or changed; or no, and why.
import { type KeyboardEvent, useId, useState } from "react";
import { ArgumentsEdit, argumentsText, readArguments } from "@/components/ui/arguments-edit";
import { Button } from "@/components/ui/button";
import type { HumanRequestLine } from "@/server/contract/human-request";
import type { Deciding } from "./use-decide";

type FormProps = { line: HumanRequestLine; deciding: Deciding /** Somebody has decided it. */; isOver: boolean };

export function AnswerForm({ line, deciding, isOver, variant }: FormProps & { variant: "page" | "panel" }) {
  const id = useId();
  const [text, setText] = useState("");
  const { choices = [] } = line;
  const isEmpty = text.trim() === "";
  const answer = (words: string) => (isOver ? undefined : deciding.decide({ action: "answer", answer: words }));
  return (
    <form
      className="flex flex-col gap-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) answer(text);
      }}
    >
      {choices.length === 0 ? null : (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">Answers to choose from</legend>
          {choices.map((choice) => (
            <Button
              key={choice}
              size="form"
              className="human-request-choice"
              aria-disabled={deciding.isPending || isOver}
              onClick={() => answer(choice)}
            >
              {choice}
            </Button>
          ))}
        </fieldset>
      )}
      <div className="flex flex-col gap-1">
        <label htmlFor={id} className={choices.length === 0 ? "font-semibold" : "text-ink-2"}>
          {choices.length === 0 ? "Your answer" : "Or write your own answer"}
        </label>
        <textarea
          dir="auto"
          id={id}
          value={text}
          rows={variant === "page" ? 2 : 3}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={sendByKey}
          readOnly={isOver}
          className="field-box human-request-text"
        />
      </div>
      <Fault error={deciding.error} />
      <div className="flex items-center gap-2">
        <Button
          type="submit"
          size="form"
          icon="check"
          keys="mod+enter"
          aria-disabled={isEmpty || deciding.isPending || isOver}
        >
          {deciding.isPending ? "Answering" : "Answer"}
        </Button>
        <span className="text-ink-3 text-note">The agent gets your answer at once.</span>
      </div>
    </form>
  );
}

export function ApprovalForm({ line, deciding, isOver }: FormProps) {
  const id = useId();
  const original = argumentsText(line.arguments);
  const [text, setText] = useState(original);
  const [reason, setReason] = useState("");
  const [isDenying, setIsDenying] = useState(false);
  const read = readArguments(text);
  const isChanged = text !== original;
  const isStuck = deciding.isPending || isOver;
  const needsReason = isDenying && reason.trim() === "";
  const said = reason.trim() === "" ? {} : { reason: reason.trim() };
  const approve = () => {
    if (isStuck || "error" in read) return;
    deciding.decide({ action: "approve", ...(isChanged && { arguments: read.value as never }), ...said });
  };
  const deny = () => {
    setIsDenying(true);
    if (reason.trim() === "") document.getElementById(id)?.focus();
    else if (!isStuck) deciding.decide({ action: "deny", reason: reason.trim() });
  };
  // Who has written why not, and presses Enter, must not have approved: from this line a key denies, or does nothing.
  const denyByEnter = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (isDenying) deny();
  };
  return (
    <form
      className="flex flex-col gap-2"
      onKeyDown={sendByKey}
      onSubmit={(event) => {
        event.preventDefault();
        if (isDenying) deny();
        else approve();
      }}
    >
      <ArgumentsEdit
        before={line.arguments}
        text={text}
        onChange={setText}
        error={deciding.error}
        isDisabled={isOver}
      />
      <div className="flex flex-col gap-1">
        <label htmlFor={id} className="font-semibold">
          Reason <span className="font-[450] text-ink-3">required; the agent sees it</span>
        </label>
        <input
          id={id}
          value={reason}
          autoComplete="off"
          readOnly={isOver}
          aria-invalid={needsReason ? true : undefined}
          aria-describedby={`${id}-error`}
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={denyByEnter}
          className="field-box"
        />
        <p id={`${id}-error`} role={needsReason ? "alert" : undefined} className="min-h-4 text-note text-st-failed">
          {needsReason ? "Enter a reason. Without one the agent will try the same again." : ""}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="form"
          icon="check"
          keys={isDenying ? undefined : "mod+enter"}
          aria-disabled={isStuck || "error" in read}
          onClick={approve}
        >
          {isChanged ? "Approve with changes" : "Approve"}
        </Button>
        <Button
          size="form"
          variant="danger"
          icon="x"
          keys={isDenying ? "mod+enter" : undefined}
          aria-disabled={isStuck}
          onClick={deny}
        >
          Deny
        </Button>
      </div>
    </form>
  );
}

export function Fault({ error }: { error: string | null }) {
  return error === null ? null : (
    <p role="alert" className="text-note text-st-failed">
      {error}
    </p>
  );
}

/** Enter alone is a new line. */
function sendByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || !(event.target instanceof HTMLElement)) return;
  event.preventDefault();
  event.stopPropagation();
  event.target.closest("form")?.requestSubmit();
}
