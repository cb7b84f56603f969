import type { Things } from './things.ts';

const nothing = () => ({});
/** An account that is nobody's: what is done to somebody's would end the other cells' sessions. */
const userId = '01900000-0000-7000-8000-000000000000';
const number = '12345678';
const reason = 'Because it is so.';

/** Bodies of what only administrators may call. */
export const adminBodies: Record<string, (things: Things) => object> = {
  'adminUsers.find': () => ({ query: 'nobody@example.com' }),
  'adminUsers.show': () => ({ userId }),
  'adminUsers.mailCode': () => ({ userId }),
  'adminUsers.signOut': () => ({ userId }),
  'adminUsers.suspend': () => ({ userId, reason }),
  'adminUsers.unsuspend': () => ({ userId }),
  'adminUsers.removeSecondFactor': () => ({ userId }),
  'adminMails.to': () => ({ address: 'nobody@example.com' }),
  'adminMails.failed': nothing,
  'adminMails.sendAgain': () => ({ emailId: null }),
  'adminMails.markSeen': () => ({ emailId: null }),
  'adminMails.liftSuppression': () => ({ address: 'nobody@example.com' }),
  'adminReports.waiting': nothing,
  'adminReports.show': () => ({ number }),
  'adminReports.hide': () => ({ number }),
  'adminReports.decide': () => ({ number, isRemoved: false, reason }),
  'adminReports.decideAppeal': () => ({ number, outcome: 'kept', reason }),
  'adminReports.release': () => ({ mediaId: userId, reason }),
  'adminSupport.waiting': nothing,
  'adminSupport.show': () => ({ number }),
  'adminSupport.answer': () => ({ number, text: 'An answer.', answersSeen: 0 }),
  'adminSupport.close': () => ({ number }),
  'adminAudit.find': nothing,
  'adminAudit.export': nothing,
  'adminAudit.checks': nothing,
  'adminAudit.check': nothing,
  'adminOperations.today': nothing,
  'adminOperations.pulse': nothing,
  'adminOperations.jobs': nothing,
  'adminOperations.retryJob': () => ({ queue: 'nothing', jobId: userId }),
  'adminOperations.failedMedia': nothing,
  'adminOperations.retryMedium': () => ({ mediaId: userId }),
  'adminOperations.errors': () => ({ days: 1 }),
  'adminOperations.findErrors': () => ({ id: 'nothing' }),
  'fullCheck.show': nothing,
  'fullCheck.start': nothing,
  'fullCheck.cancel': nothing,
};

/** What an administrator is answered about what is nobody's. */
export const adminRefusals = {
  'adminUsers.show': ['NOT_FOUND'],
  'adminUsers.mailCode': ['CONFLICT'],
  'adminUsers.signOut': ['NOT_FOUND'],
  'adminUsers.suspend': ['NOT_FOUND'],
  'adminUsers.unsuspend': ['NOT_FOUND'],
  'adminUsers.removeSecondFactor': ['NOT_FOUND'],
  'adminMails.liftSuppression': ['CONFLICT'],
  'adminReports.show': ['NOT_FOUND'],
  'adminReports.hide': ['NOT_FOUND'],
  'adminReports.decide': ['NOT_FOUND'],
  'adminReports.decideAppeal': ['NOT_FOUND'],
  'adminReports.release': ['NOT_FOUND'],
  'adminSupport.show': ['NOT_FOUND'],
  'adminSupport.answer': ['NOT_FOUND'],
  'adminSupport.close': ['NOT_FOUND'],
  'adminOperations.retryJob': ['NOT_FOUND'],
  'adminOperations.retryMedium': ['CONFLICT'],
} as const;
