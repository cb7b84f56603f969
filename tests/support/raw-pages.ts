/**
 * The pages that the server writes itself, beside those of src/app/routes.ts. That none is left out is tested where the
 * server is; that each has its pictures, in the journeys.
 */
export const rawPages: readonly string[] = [
  '/view/:slug',
  '/@:handle',
  '/unsubscribe/:token',
  '/sandbox/pay/:session',
  '/sandbox/onboard/:account',
  '/sandbox/account/:account',
  '/sandbox/card/:portal',
  '/sandbox/bank/:asked',
  '/dev',
  '/dev/outbox',
  '/dev/mails',
  '/dev/clock',
  '/dev/disputes',
  '/dev/webhooks',
  '/dev/become',
  '/dev/queue',
];
