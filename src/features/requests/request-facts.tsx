import type { ReactNode } from 'react';
import { formatMoney, isolate } from '#kit/text.ts';
import { Card } from '#ui/layout/card.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { FollowedRequest, OwnRequest } from './contract.ts';
import { describeDays, eventNames } from './moves/request-words.ts';
import { formatDay } from './pages/request-texts.ts';

const kinds = { photo: 'photos', video: 'videos', both: 'photos and videos' } as const;
const oneOf = { photo: 'photo', video: 'video', both: 'photo or video' } as const;

/** What was asked for and agreed, as far as it is shown here. */
type AskedFor = Pick<
  OwnRequest,
  | 'brief'
  | 'kind'
  | 'quantity'
  | 'lengthMinutes'
  | 'wantedBy'
  | 'offeredCents'
  | 'agreedCents'
  | 'currency'
  | 'dueAt'
  | 'dueDays'
>;

/** What was asked for and agreed. */
export function RequestFacts({ request }: { request: AskedFor }) {
  const { brief, kind, quantity, lengthMinutes, wantedBy, offeredCents, agreedCents, currency, dueAt, dueDays } =
    request;
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const length = lengthMinutes === null ? '' : `, ${lengthMinutes} min of video`;
  return (
    <Card className="grid gap-3">
      <p className="whitespace-pre-line wrap-break-word">{isolate(brief)}</p>
      <dl className="grid gap-1.5">
        <Line label="What">{`${quantity} ${quantity === 1 ? oneOf[kind] : kinds[kind]}${length}`}</Line>
        <Line label="Offered">{format(offeredCents)}</Line>
        {agreedCents !== null && <Line label="Agreed">{format(agreedCents)}</Line>}
        {wantedBy !== null && <Line label="Wanted by">{formatDay(new Date(`${wantedBy}T12:00:00`))}</Line>}
        {dueAt !== null && <Line label="Due">{formatDay(dueAt)}</Line>}
        {dueAt === null && dueDays !== null && <Line label="Due">{`${describeDays(dueDays)} after the payment`}</Line>}
      </dl>
    </Card>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-quiet">{label}</dt>
      <dd className="font-medium tabular-nums">{children}</dd>
    </div>
  );
}

interface HistoryProps {
  events: FollowedRequest['events'];
  currency: string;
  /** What both are called to whoever reads it. */
  buyer: string;
  creator: string;
}

/** What was done and said, the newest last. */
export function History({ events, currency, buyer, creator }: HistoryProps) {
  const names = { buyer, creator, staff: 'PrivateFans', system: '' };
  return (
    <section aria-label="History" className="grid gap-3">
      <h2 className="text-21">History</h2>
      <ol className="grid gap-3">
        {events.map(({ who, what, text, amountCents, at }) => (
          <li key={`${what}${at.getTime()}`} className="grid gap-0.5 border-l-2 border-line pl-3.5">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="min-w-0 font-medium wrap-break-word">
                {[
                  names[who],
                  eventNames[what] ?? what,
                  amountCents === null ? '' : formatMoney(amountCents, currency.toUpperCase()),
                ]
                  .filter((part) => part !== '')
                  .join(' · ')}
              </span>
              <span className="text-13 text-quiet">
                <RelativeTime at={at} />
              </span>
            </p>
            {text !== '' && <p className="whitespace-pre-line wrap-break-word text-quiet">{isolate(text)}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
