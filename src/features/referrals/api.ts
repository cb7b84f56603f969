import { implement } from '@orpc/server';
import type * as z from 'zod';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId, newToken } from '#kit/ids.ts';
import { requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse, refuseForNow } from '#wire/refusals.ts';
import { hashVisitor } from './attributing.ts';
import { type Followed as FollowedInput, referralsContract } from './contract.ts';
import {
  chooseFollowed,
  type Followed,
  isPartnerCode,
  nameBrowserFamily,
  partnerCookie,
  readFollowed,
  writeFollowed,
} from './rules.ts';
import { findInviter, findPartner, insertClick, type NewClick, type Partner } from './store.ts';

const answer = implement(referralsContract).$context<Context>();

/** Calls of a network in an hour; clicks of a network and of a partner in a day that are counted. More than that is no reading. */
const most = { calls: 300, networkClicks: 20, partnerClicks: 5000 };
const [hourSeconds, daySeconds] = [3600, 86_400];

export const referralsApi = answer.router({
  follow: answer.follow.handler(({ context, input }) => follow(context, input)),
  invitedBy: answer.invitedBy.use(requireSignIn).handler(async ({ context: { creator, asSystem, now } }) => {
    // What it says of the partner is the name, and whether there is a share; their row is not this account's to read.
    const inviter = await asSystem((tx) => findInviter(tx, creator.userId, now));
    return inviter ?? { name: null, getsShare: false };
  }),
});

type Input = z.output<typeof FollowedInput>;

/** Returns whether this visitor has agreed to be measured; `accounts` reads the same cookie. */
const hasAgreed = ({ caller }: Context) => caller.cookie('pf_consent') === 'yes';

/**
 * Remembers a code in this browser: one of a link once its visitor has agreed to be measured, one that they send themselves always.
 * @throws RATE_LIMITED, and VALIDATION for a typed code that nobody has
 */
async function follow(context: Context, input: Input): Promise<{ name: string | null; isKept: boolean }> {
  await refuseTooMany(context);
  const { code, isTyped } = input;
  const find = (wanted: string) => context.asSystem((tx) => findPartner(tx, wanted));
  const partner = isPartnerCode(code) ? await find(code) : undefined;
  if (partner === undefined && isTyped)
    throw refuse('VALIDATION', { field: 'partnerCode', message: "We don't know this code." });
  if (partner === undefined) return { name: null, isKept: false };
  if (!isTyped && !hasAgreed(context)) {
    await count(context, partner, input);
    return { name: partner.name, isKept: false };
  }
  const known = readFollowed(context.caller.cookie(partnerCookie));
  // A code that no longer works stands in nobody's way.
  const first = known && (await find(known.code));
  const visitor = known?.visitor ?? newToken();
  const next = { code, visitor, source: isTyped ? 'code' : 'link' } as const;
  await remember(context, chooseFollowed(first && known, next));
  if (!isTyped) await count(context, partner, input, visitor);
  return { name: (isTyped ? partner : (first ?? partner)).name, isKept: true };
}

async function remember({ engines, setCookie }: Context, followed: Followed | undefined): Promise<void> {
  if (followed === undefined) return;
  const days = (await settingsOf(engines))['affiliates.attributionDays'];
  setCookie(partnerCookie, writeFollowed(followed), { maxAgeSeconds: days * daySeconds });
}

async function refuseTooMany({ engines, caller, now, asSystem }: Context): Promise<void> {
  const key = hashKey(engines.keys, 'partner_follow', networkOf(caller.address));
  const rate = { key, limit: most.calls, windowSeconds: hourSeconds, now };
  const { isOver, retryAfterSeconds } = await asSystem((tx) => takeRate(tx, rate));
  if (isOver) throw refuseForNow(retryAfterSeconds);
}

/**
 * Counts a click, as far as its network and its partner have not had too many of them: it is an estimate.
 * @param visitor by which the browser counts once; without one its network counts once a day
 */
async function count(
  { engines, caller, now, asSystem }: Context,
  partner: Partner,
  input: Input,
  visitor?: string,
): Promise<void> {
  const network = networkOf(caller.address);
  const limits = [
    ['clicks_from', network, most.networkClicks],
    ['clicks_of', partner.id, most.partnerClicks],
    ...(visitor === undefined ? ([['click_of', `${partner.id} ${network}`, 1]] as const) : []),
  ] as const;
  await asSystem(async (tx) => {
    for (const [what, about, limit] of limits) {
      const rate = { key: hashKey(engines.keys, what, about), limit, windowSeconds: daySeconds, now };
      if ((await takeRate(tx, rate)).isOver) return;
    }
    await insertClick(tx, describeClick(partner, input, { visitor, now, userAgent: caller.userAgent }));
  });
}

interface Clicking {
  visitor: string | undefined;
  now: Date;
  userAgent: string;
}

function describeClick({ id: partnerId }: Partner, input: Input, { visitor, now, userAgent }: Clicking): NewClick {
  const named = Object.entries(input.utm ?? {}).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return {
    id: newId<'click'>(now.getTime()),
    partnerId,
    visitorHash: hashVisitor(visitor ?? newToken()),
    landing: input.landing,
    utm: named.length === 0 ? null : Object.fromEntries(named),
    browser: nameBrowserFamily(userAgent),
    now,
  };
}
