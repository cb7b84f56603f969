import { Link, useSearchParams } from 'react-router';
import { refundPromise, renewalTerms } from '#features/notices/refund-promise.ts';
import { describeTerm } from '#features/orders/fan-rules.ts';
import { describeStatement } from '#features/settings/statement-rules.ts';
import { formatPrice, isolate } from '#kit/text.ts';
import { Brand } from '#ui/brand.tsx';
import { drawButton } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import type { CheckoutStatus } from './sale-contract.ts';
import { useBankQuery } from './use-bank-query.ts';
import { viewing } from './viewing-calls.tsx';

/** Returns what a page says of itself to which a payment leads: nothing that anybody else should find or hear of. */
export const metaOfPaid = (title: string) => [
  { title: `${title} · PrivateFans` },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
];

/** Back from paying. Everything on it comes from the server; the address carries a reference and no trust. */
export function Paid() {
  const [search] = useSearchParams();
  const sessionId = search.get('session_id') ?? '';
  const { query, isOver } = useBankQuery(
    viewing.checkoutStatus.queryOptions({ input: { sessionId }, enabled: sessionId !== '' }),
  );
  const unknown: CheckoutStatus = { state: 'unknown', isOwn: false, isSandbox: false, statementDescriptor: '' };
  const known = sessionId === '' ? unknown : query.data;
  const status = known?.state === 'processing' && !isOver ? undefined : known;
  return (
    <div className="mx-auto grid min-h-dvh max-w-290 grid-rows-[auto_1fr] px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-24 md:pb-16">
      <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center justify-self-start">
        <Brand />
      </Link>
      <main id="main" className="grid place-content-center justify-items-center gap-4 text-center">
        {status === undefined && !query.isLoadingError && (
          <>
            <Spinner className="size-6" />
            <p role="status">Checking your payment…</p>
          </>
        )}
        {status === undefined && query.isLoadingError && (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
        )}
        {status && <StatusText status={status} sessionId={sessionId} />}
      </main>
    </div>
  );
}

interface Words {
  title: string;
  text: string;
}

function wordsOf(status: CheckoutStatus): Words {
  const { state, ended, amountCents = 0, currency = 'usd' } = status;
  if (ended !== undefined) return ended;
  const amount = formatPrice(amountCents, currency.toUpperCase());
  switch (state) {
    case 'done':
      return wordsOfDone(status, amount);
    case 'processing':
      return {
        title: 'Your bank is taking longer',
        text: "We'll email you as soon as it's done. You can close this page.",
      };
    case 'failed':
      return { title: "This payment didn't go through", text: 'Nothing was charged.' };
    case 'on_hold':
      return { title: 'Access is on hold', text: `Your payment of ${amount} is disputed with your bank.` };
    case 'returned':
      return { title: 'This payment was returned', text: `${amount} went back to your card, or is on its way.` };
    default:
      return {
        title: 'Check your email',
        text: "We don't know this payment. If you paid, your receipt is in your inbox.",
      };
  }
}

function wordsOfDone(status: CheckoutStatus, amount: string): Words {
  const { kind, months = 1, creatorName = '', email, span } = status;
  const sent = email === undefined ? '' : ` Receipt sent to ${email}.`;
  // A bank's own app comes back in whichever browser it likes.
  const receipt = isPaidElsewhere(status) ? ` It opens in the browser that you started to pay in.${sent}` : sent;
  if (kind === 'tip') return { title: 'Thank you!', text: `${amount} tip sent to ${isolate(creatorName)}.${receipt}` };
  if (kind === 'fan_sub')
    return {
      title: "You're subscribed",
      text: `${describeTerm(amount, months)} to ${isolate(creatorName)}, until you cancel.${receipt}`,
    };
  const time = span === undefined ? 'No time limit.' : `You can view it for ${span} after you first open it.`;
  return { title: "It's yours to view", text: `${time}${receipt}` };
}

/** What it opens is another browser's, until this one has proven the address. */
const isPaidElsewhere = ({ state, isOwn, isOnPage, ended }: CheckoutStatus): boolean =>
  state === 'done' && !isOwn && isOnPage !== true && ended === undefined;

function rulesOf({ kind }: CheckoutStatus): string {
  if (kind === 'tip') return '';
  if (kind !== 'fan_sub') return `${refundPromise} `;
  return `${renewalTerms} `;
}

interface Way {
  to: string;
  label: string;
  /** The viewer app and a creator's page are pages of their own: they are gone to, not turned to. */
  isPage?: boolean;
  isQuiet?: boolean;
}

const isOver = ({ state, ended }: CheckoutStatus) => state === 'failed' && ended === undefined;

/** Where it opens, or may be paid in another way. */
function wayToOpen(status: CheckoutStatus): Way | undefined {
  const { state, ended, kind, viewPath } = status;
  if (viewPath === undefined || (state !== 'done' && state !== 'failed' && ended === undefined)) return undefined;
  const label = kind === 'tip' ? 'Open album' : 'Open now';
  return { to: viewPath, label: isOver(status) ? 'Try again' : label, isPage: true };
}

/** The one way on from here; undefined where there is none. */
function wayOn(status: CheckoutStatus, sessionId: string): Way | undefined {
  const { state, ended, kind, pagePath } = status;
  const find = { label: 'Find my purchases', to: '/find-my-purchases' };
  if (state === 'unknown') return { ...find, isQuiet: true };
  if (isPaidElsewhere(status)) return { ...find, to: `${find.to}?session_id=${encodeURIComponent(sessionId)}` };
  const open = wayToOpen(status);
  if (open !== undefined || ended !== undefined) return open;
  // A subscription that was begun at no link opens from the list of what was paid for.
  if (kind === 'fan_sub' && state === 'done') return { to: '/my', label: 'My purchases' };
  if (pagePath === undefined || state === 'processing') return undefined;
  return { to: pagePath, label: isOver(status) ? 'Try again' : 'Back to the page', isPage: true };
}

function WayOn({ to, label, isPage = false, isQuiet = false }: Way) {
  if (isPage)
    return (
      <a href={to} className={drawButton({ size: 'large' }, 'mt-2 min-w-55')}>
        {label}
      </a>
    );
  const look = isQuiet
    ? ({ variant: 'outline', className: 'mt-2' } as const)
    : ({ size: 'large', className: 'mt-2 min-w-55' } as const);
  return (
    <ButtonLink to={to} {...look}>
      {label}
    </ButtonLink>
  );
}

function StatusText({ status, sessionId }: { status: CheckoutStatus; sessionId: string }) {
  const { title, text } = wordsOf(status);
  const { state, ended, viewPath, pagePath, receiptPath, thanks, isSandbox, statementDescriptor } = status;
  const way = wayOn(status, sessionId);
  const isDone = state === 'done' && ended === undefined;
  return (
    <>
      <h1 className="text-38 text-balance">{title}</h1>
      <p className="max-w-96 text-balance wrap-anywhere text-quiet" role="status">
        {text}
      </p>
      {thanks !== undefined && <p className="max-w-96 text-balance wrap-anywhere">{`“${isolate(thanks)}”`}</p>}
      {way && <WayOn {...way} />}
      {receiptPath !== undefined && (
        <ButtonLink to={receiptPath} variant="bare">
          Show receipt
        </ButtonLink>
      )}
      {isDone && (viewPath !== undefined || pagePath !== undefined) && (
        <ButtonLink to="/my" variant="bare">
          My purchases
        </ButtonLink>
      )}
      {isDone && (
        <p className="max-w-96 text-13 text-balance text-quiet">
          {`${rulesOf(status)}${isSandbox ? 'Test payments, no real money.' : describeStatement(statementDescriptor)}`}
        </p>
      )}
    </>
  );
}
