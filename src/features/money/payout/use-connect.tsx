import { ORPCError } from '@orpc/client';
import { useRef, useState } from 'react';
import type { PayoutCountry } from '#kit/payout-countries.ts';
import { toast } from '#ui/feedback/toast.ts';
import { FormError } from '#ui/forms/use-form.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { money } from '../money-calls.tsx';

/** What the account itself lacks has its own words; everything else is said like this. */
const ownWords = ['EMAIL_UNCONFIRMED', 'CONFLICT'];
const connectFailed = 'Failed to connect to Stripe. Please try again.';

/**
 * A new tab, opened by the click itself: a browser blocks what is opened after an answer has come. None on a phone, and none where
 * it is blocked all the same.
 */
function openTab(): Window | null {
  if (window.matchMedia('(pointer: coarse)').matches) return null;
  const tab = window.open('about:blank', '_blank');
  if (tab !== null) tab.opener = null;
  return tab;
}

/** Returns what a form says of a call that failed: what its fields and the account lack has words of its own. */
export function toastFailure(error: unknown): unknown {
  const code = error instanceof ORPCError ? String(error.code) : '';
  return code === 'VALIDATION' || ownWords.includes(code) ? error : new FormError(connectFailed);
}

/**
 * Leads to the payout account as `useConnect` does, with what its form asks for.
 * @param before what is sent first, once the tab is open
 * @throws what was refused
 */
export async function openConnected(
  input: { password: string } | { country: PayoutCountry },
  before?: () => Promise<void>,
): Promise<void> {
  const tab = openTab();
  try {
    await before?.();
    const { url } = await money.connect.call(input);
    if (tab === null || tab.closed) window.location.assign(url);
    else tab.location.replace(url);
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/**
 * The way to the payout account: in a new tab on a computer, else in this one.
 * @param onPassword it has been complete by now, and asks for the password
 */
export function useConnect(onPassword: () => void): { go: () => Promise<void>; isBusy: boolean } {
  const isGoing = useRef(false);
  const [isLeaving, setLeaving] = useState(false);
  const connect = useWrite(
    money.connect.mutationOptions({
      onError: ({ message, ...error }) => {
        const code = 'code' in error ? String(error.code) : '';
        if (code === 'VALIDATION') return onPassword();
        toast.error({ title: 'Error', message: ownWords.includes(code) ? message : connectFailed });
      },
    }),
  );
  const go = async () => {
    if (isGoing.current) return;
    isGoing.current = true;
    const tab = openTab();
    try {
      const { url } = await connect.mutateAsync({});
      if (tab !== null && !tab.closed) return tab.location.replace(url);
      setLeaving(true);
      window.location.assign(url);
    } catch {
      // It was told.
      tab?.close();
    } finally {
      isGoing.current = false;
    }
  };
  return { go, isBusy: connect.isPending || isLeaving };
}
