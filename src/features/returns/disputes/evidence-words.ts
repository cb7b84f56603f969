import type { DisputeEvidence } from '#engines/payments/disputes.ts';
import { nameCountry } from '#kit/country-names.ts';
import { formatCount, formatDevice, formatMoney } from '#kit/text.ts';
import { formatUtc, hourMs, minuteMs, secondMs } from '#kit/time.ts';
import type { EvidenceFacts } from './evidence-facts.ts';

/** Every bank reads so many lines of a log at most. */
const mostVisits = 100;

const products: Readonly<Record<EvidenceFacts['kind'], string>> = {
  tip: 'A tip to a creator, which opened a private album of photos and videos to view online at once.',
  album: 'A private album of photos and videos to view online, opened at once after payment. Nothing is shipped.',
  bundle: 'Private albums of photos and videos to view online, opened at once after payment. Nothing is shipped.',
  fan_sub: 'A subscription to private albums of a creator, to view online. Nothing is shipped.',
  request:
    'Photos or videos made to order by a creator, delivered as a private album to view online. The payment was held until delivery. Nothing is shipped.',
};

const pageTip = {
  product: 'A tip to a creator, sent on their public page as a gift. It opened nothing, and nothing was to be shipped.',
  log: 'A tip on a creator’s page opens nothing, so there is nothing to log.',
};

const describeCountry = (code: string | null): string => (code === null ? 'country unknown' : nameCountry(code, 'en'));

export const describeVisit = (visit: EvidenceFacts['visits'][number]): string =>
  [
    formatUtc(visit.startedAt),
    `${Math.round(visit.watchMs / secondMs)} s`,
    `${formatCount(visit.itemsSeen, 'item')} seen`,
    describeCountry(visit.country),
    formatDevice(visit),
  ].join(' · ');

function describeLimits({ policy, policyVersion }: EvidenceFacts): string[] {
  if (policyVersion === null) return [];
  const { openForMs, viewBudgetMs, maxVisits } = policy ?? {};
  const limits = [
    ...(openForMs === undefined ? [] : [`open for ${Math.round(openForMs / hourMs)} h from the first view`]),
    ...(viewBudgetMs === undefined ? [] : [`${Math.round(viewBudgetMs / minuteMs)} min of viewing`]),
    ...(maxVisits === undefined ? [] : [formatCount(maxVisits, 'visit')]),
  ];
  const said = limits.length === 0 ? 'no limit of time or visits' : limits.join(', ');
  return [`Rules shown before payment (version ${policyVersion}): ${said}.`];
}

function describeDelivery({ delivery }: EvidenceFacts): string[] {
  if (delivery === null) return [];
  const { deliveredAt, acceptedAt, countedAt } = delivery;
  if (deliveredAt === null) return ['It had not been delivered when the payment was disputed.'];
  return [
    `Delivered on ${formatUtc(deliveredAt)}.`,
    ...(acceptedAt === null ? [] : [`The buyer accepted the delivery on ${formatUtc(acceptedAt)}.`]),
    ...(countedAt === null
      ? []
      : [`The buyer did not object in time, so the delivery counted as accepted on ${formatUtc(countedAt)}.`]),
  ];
}

function describeItems({ isOnPage, items: { photos, videos, firstAt, lastAt } }: EvidenceFacts): string[] {
  if (isOnPage) return [];
  if (firstAt === null || lastAt === null) return ['Nothing was delivered to the buyer’s browser.'];
  const what = [
    ...(photos > 0 ? [formatCount(photos, 'photo')] : []),
    ...(videos > 0 ? [formatCount(videos, 'video')] : []),
  ];
  return [
    `Delivered to the buyer’s browser: ${what.join(' and ')}, from ${formatUtc(firstAt)} to ${formatUtc(lastAt)}.`,
  ];
}

/** Returns whether what was paid for was ever looked at. */
export const wasOpened = ({ visits }: EvidenceFacts): boolean => visits.length > 0;

function describeLog({ isOnPage, visits }: EvidenceFacts): string {
  if (isOnPage) return pageTip.log;
  if (visits.length === 0) return 'The buyer has not opened what was paid for.';
  const left = visits.length - mostVisits;
  const lines = visits.slice(0, mostVisits).map(describeVisit);
  return [...lines, ...(left > 0 ? [`… and ${formatCount(left, 'more visit')}.`] : [])].join('\n');
}

/** Nothing is said of terms where it was not kept which ones were shown. */
const describeTerms = ({ orderedAt, termsShown, isRenewal }: EvidenceFacts): string | undefined =>
  orderedAt === null || termsShown === null
    ? undefined
    : `Shown ${isRenewal ? 'when the subscription began' : 'with the order'}, on ${formatUtc(orderedAt)}, beside the button that pays: “${termsShown}”`;

function describePayment({ amountCents, currency, orderedAt, paidAt, isRenewal }: EvidenceFacts): string {
  const amount = formatMoney(amountCents, currency.toUpperCase());
  const ordered = orderedAt === null ? '' : ` was ordered on ${formatUtc(orderedAt)} and`;
  if (isRenewal) return `The subscription${ordered} renewed on ${formatUtc(paidAt)}, for ${amount}.`;
  return `${amount}${ordered || ' was'} paid on ${formatUtc(paidAt)}.`;
}

/** What the bank is told, in the provider's fields. */
export function writeEvidence(facts: EvidenceFacts): DisputeEvidence {
  const { kind, isOnPage, paidAt, receiptNumber, email, devices, emails } = facts;
  const disclosed = describeTerms(facts);
  const cancelling = kind === 'fan_sub' ? disclosed : 'One payment, which does not renew: there is nothing to cancel.';
  return {
    product_description: isOnPage ? pageTip.product : products[kind],
    ...(email !== null && { customer_email_address: email }),
    service_date: paidAt.slice(0, 10),
    access_activity_log: describeLog(facts),
    ...(disclosed !== undefined && { refund_policy_disclosure: disclosed }),
    ...(cancelling !== undefined && { cancellation_policy_disclosure: cancelling }),
    uncategorized_text: [
      describePayment(facts),
      ...(receiptNumber === null ? [] : [`Receipt number ${receiptNumber}.`]),
      ...describeLimits(facts),
      ...describeDelivery(facts),
      ...describeItems(facts),
      ...devices.map(
        (device) =>
          `Browser: ${formatDevice(device)}, ${describeCountry(device.country)}, known since ${formatUtc(device.since)}.`,
      ),
      ...emails.map(({ subject, state, at }) => `Email to the buyer on ${formatUtc(at)}: “${subject}” (${state}).`),
    ].join('\n'),
  };
}
