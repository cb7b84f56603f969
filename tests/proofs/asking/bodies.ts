import type { RefusalCode } from '#wire/refusals.ts';
import type { Things } from './things.ts';

const proof = { token: 'A'.repeat(43) };
const profile = { displayName: 'Mia', handle: 'a_free_handle', country: 'DE', timeZone: 'Europe/Berlin' };
const consent = { birthDate: '1994-05-01', acceptsTerms: true, acceptsContentPolicy: true };
const nothing = () => ({});

/**
 * A well-formed body of every procedure, around the ids of a cell, so that a refusal comes from the authorization and not
 * from the shape. A procedure without a line here fails the matrix.
 */
const bodies: Record<string, (things: Things) => object> = {
  'notices.settings': nothing,
  'notices.change': () => ({ channels: { storage: 'mail' } }),
  'notices.resumeMail': nothing,
  'notices.subscribe': () => ({
    endpoint: `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`,
    p256dh: 'B'.repeat(87),
    auth: 'A'.repeat(22),
  }),
  'notices.unsubscribe': () => ({ endpoint: 'https://fcm.googleapis.com/fcm/send/nobodys' }),
  'accounts.me': nothing,
  'accounts.captureLead': () => ({ email: 'somebody@example.com', source: 'signup_form' }),
  'accounts.invitation': () => ({ token: 'A'.repeat(22) }),
  'accounts.signUp': () => ({ email: `new-${crypto.randomUUID()}@example.com`, isAdult: true }),
  'accounts.confirm': () => proof,
  'accounts.signIn': () => ({ email: 'nobody@example.com', password: 'three calm rivers' }),
  'accounts.signOut': nothing,
  'accounts.askForPassword': () => ({ email: `nobody-${crypto.randomUUID()}@example.com` }),
  'accounts.setPassword': () => ({ proof, password: 'three calm rivers' }),
  'accounts.checkHandle': () => ({ handle: 'a_free_handle' }),
  'accounts.setUpPassword': () => ({ password: 'three calm rivers' }),
  'accounts.setUpProfile': () => profile,
  'accounts.setUpConsent': () => consent,
  'accounts.finishSetup': nothing,
  'accounts.updateProfile': () => ({
    ...profile,
    handle: `h_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`,
    bio: '',
  }),
  'accounts.setPublicPage': () => ({ isOn: true }),
  'accounts.changePassword': () => ({ currentPassword: 'not the password', newPassword: 'four calm rivers' }),
  'accounts.setAppLock': () => ({ pin: '2580', password: 'not the password' }),
  'accounts.removeAppLock': () => ({ password: 'not the password' }),
  'accounts.leaveApp': nothing,
  'accounts.stayInApp': nothing,
  'accounts.unlock': () => ({ pin: '2580' }),
  'accounts.noteHomeScreen': () => ({ isDone: false }),
  'accounts.listSessions': nothing,
  'accounts.endSession': ({ session }) => ({ sessionId: session }),
  'accounts.signOutEverywhere': nothing,
  'media.byUpload': ({ upload }) => ({ uploadId: upload }),
  'media.findSame': () => ({ sha256: 'ab'.repeat(32) }),
  'media.retry': ({ medium }) => ({ mediaId: medium }),
  'media.remove': ({ medium }) => ({ mediaId: medium }),
  'media.restore': ({ medium }) => ({ mediaId: medium }),
  'albums.list': nothing,
  'albums.create': () => ({ name: 'New' }),
  'albums.one': ({ album }) => ({ albumId: album }),
  'albums.update': ({ album }) => ({ albumId: album, name: 'Changed' }),
  'albums.reorder': ({ album, medium, video }) => ({ albumId: album, mediaIds: [video, medium] }),
  'albums.setCover': ({ album, medium }) => ({ albumId: album, mediaId: medium }),
  'albums.editItem': ({ album, medium }) => ({ albumId: album, mediaId: medium, caption: 'Changed' }),
  'albums.addItems': ({ album, medium }) => ({ albumId: album, mediaIds: [medium] }),
  'albums.removeItems': ({ album, medium }) => ({ albumId: album, mediaIds: [medium] }),
  'albums.moveItems': ({ album, medium, spareAlbum }) => ({
    albumId: album,
    mediaIds: [medium],
    toAlbumId: spareAlbum,
  }),
  'albums.deleteItems': ({ album, medium }) => ({ albumId: album, mediaIds: [medium] }),
  'albums.deletedItems': ({ album }) => ({ albumId: album }),
  'albums.restoreItems': ({ album, medium }) => ({ albumId: album, mediaIds: [medium] }),
  'albums.archive': ({ album }) => ({ albumId: album }),
  'albums.unarchive': ({ album }) => ({ albumId: album }),
  'albums.remove': ({ album }) => ({ albumId: album }),
  'albums.restore': ({ album }) => ({ albumId: album }),
  'albums.openUploads': ({ album }) => ({ albumId: album }),
  'links.list': nothing,
  'links.one': ({ link }) => ({ linkId: link }),
  'links.create': ({ album }) => ({ albumIds: [album], isLaxConfirmed: true }),
  'links.update': ({ link }) => ({ linkId: link, linkName: 'Changed' }),
  'links.markShared': ({ link }) => ({ linkId: link }),
  'links.revoke': ({ link }) => ({ linkIds: [link] }),
  'links.undoRevoke': ({ link }) => ({ linkIds: [link] }),
  'links.revokeAll': ({ album }) => ({ albumId: album }),
  'links.lockEverything': nothing,
  'links.extend': ({ link }) => ({ linkIds: [link], expiry: { kind: 'never' } }),
  'money.earnings': nothing,
  'money.listEarnings': nothing,
  'money.account': nothing,
  'money.connect': nothing,
  'money.checkAccount': nothing,
  'money.refund': ({ order }) => ({ orderId: order }),
  'money.receipt': () => ({ code: 'of nobody' }),
  'billing.checkSubscription': nothing,
  'billing.stripeConfig': nothing,
  'billing.createTrialCheckout': () => ({ email: 'nobody@example.com', mode: 'embedded', trialCode: 'FREE7' }),
  'billing.createPlanCheckout': () => ({ mode: 'embedded' }),
  'billing.arrive': () => ({ sessionId: 'cs_test_nobodys' }),
  'billing.mailAgain': () => ({ sessionId: 'cs_test_nobodys' }),
  'billing.plan': nothing,
  'billing.cancelPlan': nothing,
  'billing.resumePlan': nothing,
  'billing.moneyBack': nothing,
  'billing.changeCard': nothing,
  'viewing.checkoutStatus': () => ({ sessionId: 'of nobody' }),
  'viewing.renew': ({ visit }) => ({ visitId: visit, samples: [], idleMs: 0 }),
  'viewing.videoKeys': ({ visit, video }) => ({
    visitId: visit,
    mediaId: video,
    tracks: [{ track: 'v720', from: 0, count: 1 }],
  }),
  'media.videoKeys': ({ video }) => ({ mediaId: video, tracks: [{ track: 'v720', from: 0, count: 1 }] }),
  'viewing.closeScreen': ({ visit }) => ({ visitId: visit }),
  'tracing.list': nothing,
  'tracing.one': ({ trace }) => ({ traceId: trace }),
  'tracing.byCode': () => ({ code: '0123ABCD' }),
  'tracing.remove': ({ trace }) => ({ traceId: trace }),
  'tracing.blockViewer': ({ viewer }) => ({ viewerId: viewer }),
  'tracing.unblockViewer': ({ viewer }) => ({ viewerId: viewer }),
  'insights.overview': nothing,
  'insights.lookingNow': nothing,
  'insights.viewers': nothing,
  'insights.renameViewer': ({ viewer }) => ({ viewerId: viewer, name: 'Changed' }),
  'insights.visits': nothing,
  'insights.notCounted': nothing,
  'insights.videos': nothing,
  'insights.retention': ({ video }) => ({ mediaId: video }),
  'insights.visitsOfLink': ({ link }) => ({ linkId: link }),
  'assistant.chat': () => ({ message: 'How do I upload an album?', isAuthenticated: false }),
  'assistant.facts': nothing,
  'marketing.recordDemoEvent': () => ({
    path: '/demo',
    meta: { event_type: 'demo_start', phase: 'scene1', timestamp: '2026-11-20T12:00:00.000Z' },
  }),
  'affiliates.apply': () => ({
    name: 'Jo Rivers',
    email: `new-${crypto.randomUUID()}@example.com`,
    audience: 'A newsletter about safety online',
    marksAds: true,
  }),
  'support.send': () => ({
    name: 'Jo Rivers',
    email: `new-${crypto.randomUUID()}@example.com`,
    subject: 'A question',
    message: 'Where do I find my albums?',
  }),
  'support.logError': () => ({ component: 'page', message: 'broke' }),
  'reports.send': () => ({
    kind: 'other',
    target: 'a page',
    details: 'Something that should not be here.',
    onBehalf: 'self',
    name: 'Jo Rivers',
    email: `new-${crypto.randomUUID()}@example.com`,
    isInGoodFaith: true,
  }),
  'marketing.noteVisits': () => ({ visits: [{ path: '/pricing' }] }),
  'marketing.forgetVisits': nothing,
  'marketing.facts': nothing,
  'dashboard.progress': nothing,
};

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
  'accounts.changePassword': ['VALIDATION'],
  'accounts.setAppLock': ['VALIDATION'],
  'accounts.removeAppLock': ['VALIDATION'],
  'accounts.unlock': ['UNAUTHENTICATED'],
  'media.retry': ['CONFLICT'],
  'albums.unarchive': ['CONFLICT'],
  'albums.restore': ['CONFLICT'],
  // No provider takes money here.
  'money.connect': ['CONFLICT'],
  'money.receipt': ['NOT_FOUND'],
  'billing.stripeConfig': ['CONFLICT'],
  'billing.createTrialCheckout': ['CONFLICT'],
  'billing.createPlanCheckout': ['CONFLICT'],
  'billing.mailAgain': ['GONE'],
  'billing.cancelPlan': ['CONFLICT'],
  'billing.resumePlan': ['CONFLICT'],
  'billing.moneyBack': ['CONFLICT'],
  'billing.changeCard': ['CONFLICT'],
  'POST /api/view/:slug/checkout': ['ALREADY_PURCHASED', 'RATE_LIMITED'],
};

/** The body of a procedure. @throws when nobody gave it one */
export function bodyOf(procedure: string, things: Things): object {
  const body = bodies[procedure];
  if (body === undefined) throw new Error(`Give ${procedure} a line in tests/proofs/asking/bodies.ts.`);
  return body(things);
}

/** Bodies with an id at every place that takes one, also where it may be left out. */
const wider: Record<string, (things: Things) => object> = {
  'links.list': ({ album }) => ({ albumId: album }),
  'tracing.list': ({ album }) => ({ albumId: album }),
  'viewing.renew': ({ visit, medium, video, lease }) => ({
    visitId: visit,
    samples: [{ mediaId: medium, visibleMs: 1000 }],
    lookingAt: video,
    idleMs: 0,
    tokensFor: [lease],
  }),
};
export const widestBodyOf = (name: string, things: Things): object => wider[name]?.(things) ?? bodyOf(name, things);
