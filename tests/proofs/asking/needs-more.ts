import type { RefusalCode } from '#wire/refusals.ts';
import { adminRefusals } from './admin-bodies.ts';
import { consentRefusals } from './consent-bodies.ts';
import { requestRefusals } from './request-bodies.ts';

/**
 * Allowed callers, wrong moment: these need a secret or a state that a cell does not have, and refuse for that with one of these
 * codes. Every other refusal is a false denial, as everywhere.
 */
export const needsMore: Readonly<Record<string, readonly RefusalCode[]>> = {
  'accounts.invitation': ['GONE'],
  'accounts.confirm': ['GONE'],
  'accounts.signIn': ['UNAUTHENTICATED', 'RATE_LIMITED'],
  'accounts.setPassword': ['GONE'],
  'accounts.setUpPassword': ['CONFLICT'],
  'accounts.setUpProfile': ['CONFLICT'],
  'accounts.setUpConsent': ['CONFLICT'],
  'accounts.finishSetup': ['CONFLICT'],
  'accounts.changePassword': ['VALIDATION', 'RATE_LIMITED'],
  'accounts.setAppLock': ['VALIDATION'],
  'accounts.removeAppLock': ['VALIDATION', 'RATE_LIMITED'],
  // Wrong passwords, and wrong codes, of one account are counted together, whatever they are entered for.
  'secondFactor.begin': ['VALIDATION', 'RATE_LIMITED'],
  'secondFactor.turnOn': ['CONFLICT', 'VALIDATION', 'RATE_LIMITED'],
  'secondFactor.renewBackupCodes': ['VALIDATION', 'RATE_LIMITED'],
  'secondFactor.remove': ['VALIDATION', 'RATE_LIMITED'],
  'secondFactor.enter': ['CONFLICT', 'VALIDATION', 'RATE_LIMITED'],
  'secondFactor.signIn': ['GONE'],
  'cases.show': ['GONE'],
  'cases.reply': ['GONE'],
  'reports.state': ['GONE'],
  'emailChange.begin': ['VALIDATION', 'RATE_LIMITED'],
  'emailChange.resend': ['GONE'],
  'emailChange.confirm': ['GONE'],
  'emailChange.confirmByLink': ['GONE'],
  'emailChange.undo': ['GONE'],
  // A number that is nobody's.
  'reports.respond': ['NOT_FOUND'],
  'privacy.deleteAccount': ['VALIDATION', 'RATE_LIMITED'],
  // Nothing is known of this browser, its code is another one or none, or it was taken along today.
  'privacy.mailDataCode': ['NOT_FOUND', 'RATE_LIMITED'],
  'privacy.exportMine': ['NOT_FOUND', 'GONE', 'VALIDATION', 'RATE_LIMITED'],
  'privacy.eraseMine': ['NOT_FOUND', 'GONE', 'VALIDATION', 'CONFLICT'],
  'privacy.keepMine': ['NOT_FOUND', 'GONE', 'VALIDATION', 'CONFLICT'],
  // There is one, and a day has not passed.
  'privacy.requestExport': ['CONFLICT'],
  'privacy.openExport': ['VALIDATION', 'RATE_LIMITED'],
  // Only in the session in which the password was entered.
  'GET /api/account/data/export/:exportId': ['NOT_FOUND'],
  // Nobody has approved an application with their address.
  'affiliates.claim': ['CONFLICT'],
  'passkeys.begin': ['VALIDATION', 'RATE_LIMITED'],
  'passkeys.add': ['GONE'],
  // In the long form an administrator has taken the second factor away before, and the passkeys with it.
  'passkeys.remove': ['VALIDATION', 'RATE_LIMITED', 'NOT_FOUND'],
  'passkeys.beginEnter': ['CONFLICT'],
  'passkeys.enter': ['GONE'],
  'passkeys.signIn': ['GONE'],
  'accounts.unlock': ['UNAUTHENTICATED'],
  'accounts.resetPin': ['UNAUTHENTICATED', 'CONFLICT'],
  'media.retry': ['CONFLICT'],
  'albums.unarchive': ['CONFLICT'],
  'albums.restore': ['CONFLICT'],
  // No provider takes money here.
  'money.connect': ['CONFLICT'],
  'money.receipt': ['NOT_FOUND'],
  // What still waits for the creator's yes opens nothing.
  'viewing.openAccess': ['NOT_FOUND'],
  'GET /api/money/receipts/:code/receipt.pdf': ['NOT_FOUND'],
  'fans.createTier': ['PAYOUTS_NOT_READY'],
  'viewing.creatorTiers': ['NOT_FOUND'],
  'viewing.subscribe': ['NOT_FOUND'],
  ...consentRefusals,
  ...requestRefusals,
  ...adminRefusals,
  // A free pass is paid by nobody.
  'viewing.cancelSubscription': ['CONFLICT'],
  'viewing.resumeSubscription': ['CONFLICT'],
  'viewing.agreeToPrice': ['CONFLICT'],
  'viewing.subscriptionCard': ['CONFLICT'],
  'payouts.setSchedule': ['PAYOUTS_NOT_READY'],
  'payouts.payNow': ['PAYOUTS_NOT_READY'],
  'payouts.appeal': ['CONFLICT'],
  'refunds.ask': ['NOT_FOUND'],
  'refunds.answer': ['CONFLICT'],
  'billing.stripeConfig': ['CONFLICT'],
  'billing.createTrialCheckout': ['CONFLICT'],
  'billing.createPlanCheckout': ['CONFLICT'],
  'billing.mailAgain': ['GONE'],
  'credits.buy': ['CONFLICT'],
  // The unused part of a pack is had back once.
  'credits.askBack': ['CONFLICT'],
  'credits.addStorage': ['CREDITS_NEEDED'],
  'credits.giveWord': ['CREDITS_NEEDED', 'CONFLICT'],
  'credits.moveToFront': ['CREDITS_NEEDED', 'CONFLICT'],
  'credits.addAnswers': ['CREDITS_NEEDED'],
  'credits.addVideoTime': ['CREDITS_NEEDED'],
  'billing.cancelPlan': ['CONFLICT'],
  'billing.resumePlan': ['CONFLICT'],
  'billing.pausePlan': ['CONFLICT'],
  'billing.endPause': ['CONFLICT'],
  'billing.moneyBack': ['CONFLICT'],
  'billing.changeCard': ['CONFLICT'],
  'money.sendReceipt': ['RATE_LIMITED'],
  'viewing.claimPurchases': ['GONE'],
  'viewing.pass': ['GONE'],
  'viewing.askForPass': ['GONE'],
  'viewing.takePass': ['GONE'],
  // Nobody's page is open.
  'viewing.tipOnPage': ['CONFLICT', 'NOT_FOUND', 'RATE_LIMITED'],
  'POST /api/view/:slug/checkout': ['ALREADY_PURCHASED', 'RATE_LIMITED'],
};

/** The same where the sandbox takes the money: it goes on where no provider ends the call, and knows no payment of the proof's own. */
const needsMoreInSandbox: Readonly<Record<string, readonly RefusalCode[]>> = {
  'money.refund': ['CONFLICT'],
  'credits.askBack': ['NOT_FOUND'],
  'billing.createTrialCheckout': ['RATE_LIMITED'],
  'billing.createPlanCheckout': ['ALREADY_PURCHASED'],
  'payouts.setSchedule': ['VALIDATION', 'RATE_LIMITED'],
  'payouts.payNow': ['CONFLICT'],
};

/** Returns the codes with which an allowed call may be refused. */
export const findExcuses = (name: string, hasSandbox: boolean): readonly RefusalCode[] => [
  ...(needsMore[name] ?? []),
  ...(hasSandbox ? (needsMoreInSandbox[name] ?? []) : []),
];
