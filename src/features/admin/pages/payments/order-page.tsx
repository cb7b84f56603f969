import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useMe } from '#features/accounts/guard.tsx';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { adminPayments } from '../../admin-calls.tsx';
import { describeStep, orderWords, stepWords, titleOrder, writeCents } from '../../payment-words.ts';
import type { OrderCard, OrderEntry, OrderStep } from '../../payments-contract.ts';
import { type Fact, FactsList } from '../facts-list.tsx';
import { GlassLook } from '../glass-look.tsx';
import { OrderActions } from './order-actions.tsx';

export const meta = () => [{ title: 'Payment · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** One payment: what was paid, what became of it, what it moved, and what can be decided. */
export default function OrderPage() {
  const { orderId = '' } = useParams();
  const query = useQuery(adminPayments.showOrder.queryOptions({ input: { orderId } }));
  return (
    <Loaded query={query} label="Loading the payment">
      {(order) => <Order key={order.id} order={order} />}
    </Loaded>
  );
}

function Order({ order }: { order: OrderCard }) {
  const { word, tone } = orderWords[order.state];
  const { me } = useMe();
  const scopes = me?.adminScopes ?? [];
  const mayLook = scopes.some((scope) => scope === 'owner' || scope === 'moderation');
  return (
    <>
      <PageHeader
        title={titleOrder(order)}
        back={{ to: '/admin/payments', label: 'Payments' }}
        facts={order.id}
        actions={<Chip tone={tone}>{word}</Chip>}
      />
      <div className="grid max-w-190 gap-8">
        <FactsList facts={listFacts(order)} />
        <OrderActions order={order} />
        {mayLook && order.canBeLookedAt && (
          <GlassLook about={{ orderId: order.id }} scopes={scopes} isOwn={order.creatorId === me?.user?.id} />
        )}
        {order.disputeId !== null && (
          <div>
            <ButtonLink to={`/admin/payments/disputes/${order.disputeId}`} variant="outline">
              Look at the dispute
            </ButtonLink>
          </div>
        )}
        <Timeline steps={order.steps} currency={order.currency} />
        <Entries entries={order.entries} />
      </div>
    </>
  );
}

function listFacts(order: OrderCard): Fact[] {
  const { amountCents, feeCents, refundedCents, currency, creatorName, creatorHandle, buyerEmail, receiptNumber } =
    order;
  return [
    ['Paid', writeCents(amountCents, currency)],
    ['Our share', writeCents(feeCents, currency)],
    ['Refunded', writeCents(refundedCents, currency)],
    ['Creator', `${isolate(creatorName)}${creatorHandle === null ? '' : ` · @${creatorHandle}`}`],
    ['Buyer', buyerEmail === null ? 'Not known yet' : isolate(buyerEmail)],
    ...(receiptNumber === null ? [] : ([['Receipt', String(receiptNumber)]] as const)),
    ['Money', order.livemode ? 'Real' : 'A test, no real money'],
    ...(order.providerIds.length === 0 ? [] : ([['At the provider', order.providerIds.join(', ')]] as const)),
  ];
}

function Timeline({ steps, currency }: { steps: readonly OrderStep[]; currency: string }) {
  const now = useNow();
  return (
    <section>
      <SectionHeader title="What happened" />
      <List label="What happened">
        {steps.map((step) => (
          <li key={`${step.what} ${step.at.getTime()}`}>
            <Row
              title={stepWords[step.what]}
              quiet={[formatMoment(step.at, now), describeStep(step)].filter(Boolean).join(' · ')}
              story={step.note === '' ? undefined : isolate(step.note)}
              end={step.amountCents === null ? undefined : writeCents(step.amountCents, currency)}
            />
          </li>
        ))}
      </List>
    </section>
  );
}

function Entries({ entries }: { entries: readonly OrderEntry[] }) {
  const now = useNow();
  return (
    <section>
      <SectionHeader title="In the books" />
      {entries.length === 0 ? (
        <p className="text-quiet">Nothing yet.</p>
      ) : (
        <List label="In the books">
          {entries.map(({ at, kind, account, amountCents, currency }) => (
            <li key={`${kind} ${account} ${at.getTime()} ${amountCents}`}>
              <Row
                title={account}
                quiet={`${kind.replaceAll('_', ' ')} · ${formatMoment(at, now)}`}
                end={writeCents(amountCents, currency)}
              />
            </li>
          ))}
        </List>
      )}
    </section>
  );
}
