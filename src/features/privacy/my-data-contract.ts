import * as z from 'zod';
import { SoldKind } from '#features/orders/contract.ts';
import { boundedText } from '#kit/bounded-text.ts';
import { promise, type Who } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

/** What comes of erasing somebody without an account, in numbers and names. */
export const MyEffects = z.object({
  /** Purchases that open something and will not any more, and the newest of them. */
  purchases: z.int(),
  losing: z.array(z.object({ kind: SoldKind, creatorName: z.string() })),
  /** To whom they are subscribed. */
  subscriptions: z.array(z.string()),
  passes: z.int(),
  accesses: z.int(),
  /** Custom work that is not finished. */
  requests: z.int(),
  /** Payments of which a bank has not decided yet. */
  disputes: z.int(),
  visits: z.int(),
  /** Payments of which the record is kept. */
  payments: z.int(),
  /** A creator's account has the same address; it stays. */
  isAccount: z.boolean(),
});
export type MyEffects = z.infer<typeof MyEffects>;

/** What a mailed code is for. */
export const DataAct = z.enum(['export', 'erase', 'keep']);
export type DataAct = z.infer<typeof DataAct>;

/** What is kept of whoever uses this browser, in short. */
export const MyData = z.object({
  /** Something is. */
  isKnown: z.boolean(),
  /** Where a code goes, masked; null where no address leads to them, and none is asked for. */
  address: z.string().nullable(),
  effects: MyEffects,
  /** It has been asked for: when everything goes. */
  eraseAt: z.date().nullable(),
  /** It has begun and cannot be called off. */
  isErasing: z.boolean(),
});
export type MyData = z.infer<typeof MyData>;

const everybody: readonly Who[] = ['visitor', 'viewer', 'creator', 'admin'];
const tags = ['account'];
const ofNobody = promise({ who: everybody, subject: 'none' });
/** The six digits that were mailed; left out where no address is known. */
export const Coded = z.object({
  code: boundedText(20)
    .transform((typed) => typed.normalize('NFKC').replaceAll(/\D/g, ''))
    .optional(),
});

export const myDataContract = {
  showMine: ofNobody.route({ method: 'GET', path: '/my-data', tags }).input(z.object({}).optional()).output(MyData),
  /** Mails a code to the address that is known of this browser's owner. */
  mailDataCode: ofNobody
    .errors(refusing('NOT_FOUND'))
    .route({ method: 'POST', path: '/my-data/code', successStatus: 202, tags })
    .input(z.object({ act: DataAct }))
    .output(z.object({ resendAfterMs: z.int() })),
  /** Everything that is kept, as a JSON file; once a day. */
  exportMine: ofNobody
    .errors(refusing('NOT_FOUND', 'GONE'))
    .route({ method: 'POST', path: '/my-data/export', tags })
    .input(Coded)
    .output(z.object({ fileName: z.string(), text: z.string() })),
  /** Has everything erased after some days; until then it can be called off. */
  eraseMine: ofNobody
    .errors(refusing('NOT_FOUND', 'GONE', 'CONFLICT'))
    .route({ method: 'POST', path: '/my-data/erase', tags })
    .input(Coded)
    .output(z.object({ eraseAt: z.date() })),
  keepMine: ofNobody
    .errors(refusing('NOT_FOUND', 'GONE', 'CONFLICT'))
    .route({ method: 'POST', path: '/my-data/keep', tags })
    .input(Coded)
    .output(z.object({})),
};
