import * as z from 'zod';
import { boundedText } from '#kit/bounded-text.ts';
import { Email } from '#kit/email-address.ts';
import { promise, setUpPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { CurrentPassword } from '../second-factor/second-factor-contract.ts';

const tags = ['accounts'];
const Nothing = z.object({});
const MailedToken = z.object({
  token: boundedText(43, 'This link is incomplete').regex(/^[A-Za-z0-9]{43}$/, 'This link is incomplete'),
});
const MailSent = z.object({ resendAfterMs: z.int() });

/** Another address for an account: confirmed at the new one, undone from the old one. */
export const emailChangeContract = {
  show: setUpPromise('none')
    .route({ method: 'GET', path: '/email-change', tags })
    .input(Nothing.optional())
    .output(
      z.object({
        /** The address that waits for its code. */
        pendingEmail: z.string().nullable(),
        /** Until when the last change can be undone from the old address; there is no other change before. */
        undoExpiresAt: z.date().nullable(),
      }),
    ),
  /** Mails a code to the new address. Answers alike whether or not somebody has an account with it. */
  begin: setUpPromise('none')
    .route({ method: 'POST', path: '/email-change', tags })
    .errors(refusing('CODE_REQUIRED'))
    .input(z.object({ email: Email, password: CurrentPassword }))
    .output(MailSent),
  /** Another code, to the same address. */
  resend: setUpPromise('none')
    .route({ method: 'POST', path: '/email-change/resend', tags })
    .errors(refusing('GONE'))
    .input(Nothing.optional())
    .output(MailSent),
  confirm: setUpPromise('none')
    .route({ method: 'POST', path: '/email-change/confirm', tags })
    .errors(refusing('GONE'))
    .input(z.object({ code: boundedText(6, 'Enter the 6 digits').regex(/^\d{6}$/, 'Enter the 6 digits') }))
    .output(Nothing),
  /** Confirms, by the link that was mailed to the new address, a change that whoever runs the place has begun. */
  confirmByLink: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'POST', path: '/email-change/confirm-link', tags })
    .errors(refusing('GONE', 'CONFLICT'))
    .input(MailedToken)
    .output(Nothing),
  /** Puts the old address back by the link that was mailed to it; every device is signed out, and a new password is needed. */
  undo: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'POST', path: '/email-change/undo', tags })
    .errors(refusing('GONE'))
    .input(MailedToken)
    .output(Nothing),
};
