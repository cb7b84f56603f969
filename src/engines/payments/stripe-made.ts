import type Stripe from 'stripe';
import { hourMs } from '#kit/time.ts';
import type { MadeBefore, MadeParams } from './made-before.ts';
import type { Ask } from './stripe-ask.ts';
import { feeBorne, givenAgain } from './stripe-disputes.ts';
import { groupOf } from './stripe-reading.ts';

const atOnce = 100;

interface Made {
  id: string;
  metadata: Stripe.Metadata | null;
}
type Paging = { limit: number; starting_after?: string };
type Listed = Pick<Stripe.ApiList<Made>, 'data' | 'has_more'>;

/** Reads a list page by page until one fits. */
async function findIn(
  ask: Ask,
  list: (stripe: Stripe, paging: Paging) => Promise<Listed>,
  fits: (metadata: Stripe.Metadata) => boolean,
): Promise<string | undefined> {
  let after: string | undefined;
  for (;;) {
    const paging = { limit: atOnce, ...(after !== undefined && { starting_after: after }) };
    const { data, has_more } = await ask((stripe) => list(stripe, paging));
    const found = data.find(({ metadata }) => fits(metadata ?? {}));
    after = data.at(-1)?.id;
    if (found !== undefined || !has_more || after === undefined) return found?.id;
  }
}

/** Both clocks tell what time it is. */
const createdSince = (since: Date) => ({ created: { gte: Math.floor((since.getTime() - hourMs) / 1000) } });

function findMade(ask: Ask, params: MadeParams): Promise<string | undefined> {
  switch (params.kind) {
    case 'refund': {
      const about = { payment_intent: params.paymentId };
      const isIt = ({ refund_id }: Stripe.Metadata) => refund_id === params.refundId;
      return findIn(ask, ({ refunds }, paging) => refunds.list({ ...about, ...paging }), isIt);
    }
    case 'release': {
      const about = { transfer_group: groupOf(params.requestId) };
      const isIt = ({ request_id }: Stripe.Metadata) => request_id === params.requestId;
      return findIn(ask, ({ transfers }, paging) => transfers.list({ ...about, ...paging }), isIt);
    }
    case 'reversal': {
      const { transferId, of } = params;
      const isIt = ({ dispute, refund }: Stripe.Metadata) =>
        'disputeId' in of ? dispute === of.disputeId : refund === of.refundId;
      return findIn(ask, ({ transfers }, paging) => transfers.listReversals(transferId, paging), isIt);
    }
    case 'fee': {
      const isIt = ({ kind, dispute }: Stripe.Metadata) => kind === feeBorne && dispute === params.disputeId;
      return findIn(ask, ({ charges }, paging) => charges.list({ ...createdSince(params.since), ...paging }), isIt);
    }
    case 'given_again':
    case 'fee_back': {
      const about = { destination: params.accountId, ...createdSince(params.since) };
      const word = params.kind === 'fee_back' ? feeBorne : givenAgain;
      const isIt = ({ kind, dispute }: Stripe.Metadata) => kind === word && dispute === params.disputeId;
      return findIn(ask, ({ transfers }, paging) => transfers.list({ ...about, ...paging }), isIt);
    }
  }
}

/** Returns what was made before, by the provider's official library. */
export const madeBy = (ask: Ask): MadeBefore => ({ findMade: (params) => findMade(ask, params) });
