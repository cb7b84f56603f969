import type { ListedPartner, PartnerCard, RunLine } from '#features/affiliates/desk-contract.ts';
import { writeLine } from '#kit/csv.ts';

type Tone = 'moss' | 'rust' | 'ember' | 'plain' | 'plum';

/** How a partner stands, in a word. */
export const partnerWords: Readonly<Record<ListedPartner['state'], { word: string; tone: Tone }>> = {
  applied: { word: 'Applied', tone: 'ember' },
  approved: { word: 'Approved', tone: 'moss' },
  paused: { word: 'Paused', tone: 'plum' },
  rejected: { word: 'Rejected', tone: 'plain' },
  closed: { word: 'Closed', tone: 'plain' },
};

const lineWords: Readonly<Record<RunLine['state'], { word: string; tone: Tone }>> = {
  open: { word: 'To pay', tone: 'ember' },
  paid: { word: 'Paid', tone: 'moss' },
  canceled: { word: 'Not paid', tone: 'plain' },
};

/** How a line stands, in a word. */
export const describeLine = ({ state, leftAt }: Pick<RunLine, 'state' | 'leftAt'>): { word: string; tone: Tone } =>
  state === 'canceled' && leftAt !== null ? { word: 'Nothing left to pay', tone: 'plain' } : lineWords[state];

/** Why a referral is void, in words. */
export const voidWords: Readonly<Record<NonNullable<PartnerCard['referrals'][number]['voidReason']>, string>> = {
  same_person: 'The partner themselves',
  same_card: "Paid by the partner's own card",
  spam: 'Spam',
  brand_ads: 'Search ads on our name',
  other: 'Something else',
};

const amount = (cents: number) => (cents / 100).toFixed(2);

/** Returns partners as a table that spreadsheets read. */
export const writePartners = (partners: readonly ListedPartner[]): string =>
  [
    [
      'name',
      'email',
      'state',
      'code',
      'share_percent',
      'clicks',
      'sign_ups',
      'paying',
      'void',
      'earned',
      'pending',
      'payable',
      'paid',
    ],
    ...partners.map((one) => [
      ...[one.name, one.email, one.state, one.code ?? '', one.sharePercent ?? '', one.clicks, one.signUps, one.active],
      ...[
        one.voided,
        amount(one.earnedCents),
        amount(one.pendingCents),
        amount(one.payableCents),
        amount(one.paidCents),
      ],
    ]),
  ]
    .map(writeLine)
    .join('');

/** Returns the lines of a run as a table, by which whoever pays them works. */
export const writeLines = (lines: readonly RunLine[]): string =>
  [
    ['line', 'name', 'email', 'code', 'amount', 'currency', 'state'],
    ...lines.map(({ id, name, email, code, amountCents, currency, state, leftAt }) => [
      ...[
        id,
        name,
        email ?? '',
        code ?? '',
        amount(amountCents),
        currency.toUpperCase(),
        describeLine({ state, leftAt }).word,
      ],
    ]),
  ]
    .map(writeLine)
    .join('');
