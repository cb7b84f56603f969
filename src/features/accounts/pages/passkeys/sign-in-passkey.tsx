import { KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { passkeys } from '../../guard.tsx';
import { canOfferPasskeys, hasPasskeys, requestPasskey } from '../../passkeys/in-browser.tsx';
import { needCookies } from '../cookies.tsx';

type OnDone = (signedIn: { isAccountKept?: boolean | undefined }) => Promise<void>;

interface SignInPasskeyProps {
  onDone: OnDone;
  /** The browser offers passkeys in the field of the address too. */
  isOffered?: boolean;
}

/** Signs in by a passkey: by a button and, where the browser can, out of the field of the address. */
export function SignInPasskey({ onDone, isOffered = false }: SignInPasskeyProps) {
  const [isBusy, setBusy] = useState(false);
  const offer = useRef<AbortController>(undefined);
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    if (!isOffered) return;
    const stop = new AbortController();
    offer.current = stop;
    void offerPasskey(stop.signal, (signedIn) => done.current(signedIn));
    return () => stop.abort();
  }, [isOffered]);
  if (!hasPasskeys()) return null;
  const signIn = async () => {
    // A browser asks for one passkey at a time.
    offer.current?.abort();
    setBusy(true);
    await signInBy(await passkeys.beginSignIn.call({}).catch(sayFault), {}, (signedIn) => done.current(signedIn));
    setBusy(false);
  };
  return (
    <Button variant="outline" size="large" icon={KeyRound} busy={isBusy} onClick={() => signIn()}>
      Sign in with a passkey
    </Button>
  );
}

async function offerPasskey(signal: AbortSignal, onDone: OnDone): Promise<void> {
  if (!(await canOfferPasskeys()) || signal.aborted) return;
  // Nobody has asked for it: what fails here is not told.
  const asked = await passkeys.beginSignIn.call({}).catch(() => undefined);
  if (!signal.aborted) await signInBy(asked, { isOffered: true, signal }, onDone);
}

async function signInBy(
  asked: { challenge: string; rpId: string } | undefined,
  way: { isOffered?: boolean; signal?: AbortSignal },
  onDone: OnDone,
): Promise<void> {
  if (asked === undefined) return;
  const credential = await requestPasskey(asked, way);
  if (credential === undefined) return;
  try {
    needCookies();
    await onDone(await passkeys.signIn.call({ credential }));
  } catch (error) {
    sayFault(error);
  }
}

function sayFault(error: unknown): undefined {
  toast.error({ title: "Couldn't sign in", message: Object.values(faultsOf(error))[0] });
}
