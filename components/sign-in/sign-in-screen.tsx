"use client";

// The form before the yard. It is a form without script too: typed and sent before the page is alive, the token must
// never end in an address.
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { signIn, tokenFault, waitFault } from "@/components/trpc/session";
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Logo } from "@/components/ui/logo";
import { TextInput } from "@/components/ui/text-input";
import type { SignInFault } from "@/server/contract/session";

export type SignInScreenProps = {
  /** A path of this server. */
  next: string;
  isSignedIn: boolean;
  /** A SignInFault, if the address says the truth. */
  fault?: string;
};

export function SignInScreen({ next, isSignedIn, fault }: SignInScreenProps) {
  return (
    <main className="sign-in dotted-ground">
      <div className="sign-in-brand">
        <Logo size={26} />
        Switchyard
      </div>
      <div className="sign-in-desk">
        <h1 className="text-display">{isSignedIn ? "You are signed in" : "Sign in"}</h1>
        <p className="sign-in-cause">
          <Aspect status={isSignedIn ? "success" : "suspended"} size={17} label={null} />
          {isSignedIn ? "This browser stays signed in for 30 days." : "This server requires an access token."}
        </p>
        <div className="sign-in-line">
          <span className="sign-in-human" aria-hidden="true">
            <span className="sign-in-person">
              <Icon name="person" size={22} />
            </span>
            <span className="line-label">you</span>
          </span>
          <section className="line-wagon line-stop sign-in-wagon" data-state="next" aria-label="Sign in">
            {isSignedIn ? <Onward next={next} /> : <TokenForm next={next} fault={fault} />}
          </section>
          <span className="line-end sign-in-end" aria-hidden="true">
            <span className="line-label">the yard</span>
          </span>
        </div>
      </div>
    </main>
  );
}

function TokenForm({ next, fault }: { next: string; fault?: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(isFault(fault) ? faults[fault] : null);
  const [isSending, setIsSending] = useState(false);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const token = field.current?.value.trim() ?? "";
    if (isSending) return;
    if (token === "") return refuse(faults.input);
    setIsSending(true);
    const refusal = await signIn(token);
    // A full load: what this browser kept of the time before it was signed in is not to be trusted.
    if (refusal === null) return window.location.replace(next);
    setIsSending(false);
    refuse(refusal);
  }

  function refuse(reason: string) {
    setError(reason);
    field.current?.select();
  }

  return (
    <form method="post" action="/api/session" onSubmit={(event) => void send(event)}>
      <input type="hidden" name="next" value={next} />
      <Field label="Token" className="sign-in-field" error={error} hint={error === null ? <TokenHint /> : undefined}>
        <TextInput
          ref={field}
          isMono
          autoFocus
          type="password"
          name="token"
          autoComplete="current-password"
          autoCapitalize="none"
          maxLength={512}
          onChange={() => setError(null)}
        />
      </Field>
      <Foot next={next}>
        <Button type="submit" variant="primary" size="form" className="sign-in-button" aria-disabled={isSending}>
          {isSending ? "Signing in" : "Sign in"}
        </Button>
      </Foot>
    </form>
  );
}

function TokenHint() {
  return (
    <>
      The value of <span className="mono">SWITCHYARD_TOKEN</span> on the server. Ask the person who runs it.
    </>
  );
}

function Onward({ next }: { next: string }) {
  return (
    <>
      <p className="sign-in-field">You stay signed in until then, or until the token changes.</p>
      <Foot next={next}>
        <Link href={next} className="btn" data-variant="primary" data-size="form">
          Go on
        </Link>
      </Foot>
    </>
  );
}

function Foot({ next, children }: { next: string; children: ReactNode }) {
  return (
    <div className="sign-in-foot">
      {children}
      {next === "/" ? null : (
        <span className="sign-in-next" title={next}>
          <Icon name="right" size={13} />
          <span className="sr-only">then to</span>
          <span className="mono truncate">{next}</span>
        </span>
      )}
    </div>
  );
}

// An address may say anything, "constructor" too.
const isFault = (text: string | undefined): text is SignInFault => text !== undefined && Object.hasOwn(faults, text);

const faults: Record<SignInFault, string> = {
  token: tokenFault,
  wait: waitFault(null),
  away: "The token is correct, but the database that stores sessions does not answer. Try again in a minute.",
  input: "The token is empty or too long. Paste the value of SWITCHYARD_TOKEN.",
};
