import { implement } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import { decide } from '#features/access/rules.ts';
import { findFactsBySlug } from '#features/access/store.ts';
import { caseLinkOf } from '#features/audit/case-reference.ts';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { aliveSinceOf } from '#features/links/alive-since.ts';
import { queueEmail } from '#features/notices/store.ts';
import { reportEmail, reportNumberEmail } from '#features/notices/support-emails.ts';
import { placeOf, readViewerCookie } from '#features/viewing/viewer-cookie.ts';
import { dayMs, formatMomentIn } from '#kit/time.ts';
import { requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuseForNow } from '#wire/refusals.ts';
import { type Report, reportsContract } from './contract.ts';
import { hide } from './hiding.ts';
import { respond, showOwnReports } from './responding.ts';
import {
  decideBy,
  falseReportDays,
  falseReports,
  hidesAtOnce,
  hidesPerDay,
  mayHideLink,
  reportsPerHour,
  slugIn,
} from './rules.ts';
import { showReportState } from './showing-state.ts';
import { countRejected, insertReport } from './store.ts';

export { adminReportsApi } from './desk/desk-api.ts';
export { adminGlassApi } from './glass/glass-api.ts';

const answer = implement(reportsContract).$context<Context>();

/** What anybody may report, without an account, and what its creator says about it. */
export const reportsApi = {
  mine: answer.mine
    .use(requireSignIn)
    .handler(async ({ context }) => ({ reports: await showOwnReports(context, context.creator.userId) })),
  respond: answer.respond
    .use(requireSignIn)
    .handler(async ({ context, input }) => ({ report: await respond(context, context.creator.userId, input) })),
  state: answer.state.handler(({ context, input }) => showReportState(context, input)),
  send: answer.send.handler(async ({ context, input }) => {
    const network = hashKey(context.engines.keys, 'report', networkOf(context.caller.address));
    const turn = { key: network, limit: reportsPerHour, windowSeconds: 3600, now: context.now };
    const { isOver, retryAfterSeconds } = await context.asSystem((tx) => takeRate(tx, turn));
    if (isOver) throw refuseForNow(retryAfterSeconds);
    const found = await findReported(context, input.target);
    const number = await context.asSystem((tx) => keepReport(tx, context, { report: input, found, network }));
    return { number: String(number) };
  }),
};

interface Reported {
  linkId: string;
  creatorId: string;
  /** Whoever reports it may have it hidden. */
  isHideable: boolean;
}

/** The link that is reported, if it is one, and whether this browser may have it hidden. */
async function findReported(context: Context, target: string): Promise<Reported | undefined> {
  const slug = slugIn(target);
  if (slug === undefined) return undefined;
  const { engines, caller } = context;
  const secretHash = readViewerCookie(context);
  const question = await findFactsBySlug(engines.database, slug, {
    now: new Date(engines.linkClock()),
    realm: engines.payments.realm,
    aliveSince: await aliveSinceOf(context),
    deviceSecretHash: secretHash,
    country: placeOf(engines, caller, undefined).country,
    keepsCookie: secretHash !== undefined,
    // What is wrong is seen on a computer as well.
    isDesktop: false,
  });
  if (question === undefined) return undefined;
  const { linkId, creatorId, link, facts } = question;
  return { linkId, creatorId, isHideable: mayHideLink(decide(link, facts)) };
}

interface Sent {
  report: Report;
  found: Reported | undefined;
  network: string;
}

/** Keeps a report, hides what it is about if that cannot wait, and tells everybody whom it concerns. */
async function keepReport(tx: Tx, { engines, now }: Context, { report, found, network }: Sent): Promise<number> {
  const { isInGoodFaith: _, ...said } = report;
  const isHidden = found?.isHideable === true && hidesAtOnce(report.kind) && (await mayHide(tx, network, now));
  const due = decideBy(report.kind, now);
  const { id, number, isToBeMailed } = await insertReport(tx, {
    ...said,
    linkId: found?.linkId,
    creatorId: found?.creatorId,
    isHidden,
    network,
    decideBy: due,
    now,
  });
  if (isHidden) {
    const hidden = { reportId: id, number, kind: report.kind, linkId: found.linkId, decideBy: due, now };
    await hide(tx, engines, { ...hidden, isByHand: false });
  }
  const { operatorEmail, publicUrl } = engines.installation;
  const desk = `${publicUrl}/admin/moderation/${number}`;
  const described = { number, decideBy: formatMomentIn(due, 'UTC') };
  const toReporter = { ...described, page: caseLinkOf(engines, 'report', number) };
  if (isToBeMailed) await queueEmail(tx, engines.jobs, { to: report.email, now, ...reportNumberEmail(toReporter) });
  if (operatorEmail !== undefined)
    await queueEmail(tx, engines.jobs, {
      to: operatorEmail,
      now,
      ...reportEmail({ ...said, ...described, isHidden, desk }),
    });
  return number;
}

/** Returns whether a report of this network still hides something by itself. */
async function mayHide(tx: Tx, network: string, now: Date): Promise<boolean> {
  if ((await countRejected(tx, network, new Date(now.getTime() - falseReportDays * dayMs))) >= falseReports)
    return false;
  const turn = { key: `hide_${network}`, limit: hidesPerDay, windowSeconds: dayMs / 1000, now };
  return !(await takeRate(tx, turn)).isOver;
}
