import * as z from 'zod';
import { longestAppeal, payoutIntervals } from '#features/payouts/rules.ts';
import { proseText, secretText } from '#kit/bounded-text.ts';
import { signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

const tags = ['payouts'];

/** What a creator does about being paid out. */
export const payoutsContract = {
  /** When they are paid out. It asks for the password, and is told by email. */
  setSchedule: signedInPromise('none')
    .route({ method: 'POST', path: '/payout-schedule', tags })
    .errors(refusing('PAYOUTS_NOT_READY'))
    .input(z.object({ interval: z.enum(payoutIntervals), password: secretText(1000).min(1, 'Enter your password') }))
    .output(z.object({})),
  /** Pays out all that is available, for whoever is paid out by hand. */
  payNow: signedInPromise('none')
    .route({ method: 'POST', path: '/pay-out', tags })
    .errors(refusing('PAYOUTS_NOT_READY', 'CONFLICT', 'PROVIDER_DOWN'))
    .input(z.object({}))
    .output(z.object({ state: z.enum(['started', 'held']) })),
  /** Says why payouts should not be held; one at a time, answered by email. */
  appeal: signedInPromise('none')
    .route({ method: 'POST', path: '/payout-appeal', tags })
    .errors(refusing('CONFLICT'))
    .input(
      z.object({
        text: proseText(longestAppeal, `Use at most ${longestAppeal} characters`).min(1, 'Tell us why'),
      }),
    )
    .output(z.object({})),
};
