import * as z from 'zod';
import { Email } from '#features/accounts/contract.ts';
import { boundedText, nameText, proseText } from '#kit/bounded-text.ts';
import { promise, type Who } from '#wire/promise.ts';

const everybody: readonly Who[] = ['visitor', 'viewer', 'creator', 'admin'];
const tags = ['support'];

/** What the form holds. */
export const SupportRequest = z.object({
  name: nameText(80, 'Use at most 80 characters', 1, 'Enter your name'),
  email: Email,
  subject: nameText(120, 'Use at most 120 characters', 1, 'Enter a subject'),
  message: proseText(4000, 'Use at most 4000 characters').min(10, 'Use at least 10 characters'),
});

const errorSeverities = ['warning', 'error', 'critical'] as const;

/** Under these names the server keeps what it has met itself. */
const serverParts: readonly string[] = ['server', 'data leak'];

/** An error as a page met it; it is cut and cleaned of addresses before it is kept. */
const ErrorReport = z.object({
  /** Not a part of the server, nor a control: what a browser sends is not taken for what the server has met or knows. */
  component: boundedText(200).refine(
    (name) => !serverParts.includes(name) && !name.includes('“'),
    'Name a part of the page',
  ),
  message: proseText(4000),
  stack: proseText(20_000).optional(),
  /** Where it happened; only what kind of page that is, is kept. */
  url: boundedText(2000).optional(),
  severity: z.enum(errorSeverities).default('error'),
  /** What was pressed just before; kept if it is a control of ours by name. */
  pressed: z.object({ kind: z.enum(['button', 'link', 'menu item', 'switch']), name: boundedText(80) }).optional(),
  /** Of the answer that it was about. */
  requestId: boundedText(100)
    .regex(/^[\w-]+$/)
    .optional(),
});

export const supportContract = {
  /** Writes to whoever runs this installation; the number is mailed as well, once an hour at most. */
  send: promise({ who: everybody, subject: 'none' })
    .route({ method: 'POST', path: '/support-requests', tags })
    .input(SupportRequest)
    .output(z.object({ number: z.string() })),
  /** Keeps an error for the operator; of a network that has many, no more are kept in that hour. */
  logError: promise({ who: everybody, subject: 'none' })
    .route({ method: 'POST', path: '/error-logs', tags })
    .input(ErrorReport)
    .output(
      z.object({
        /** False where a network has told too much in an hour. */
        isKept: z.boolean(),
      }),
    ),
};
