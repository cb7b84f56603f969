import type { AuditEntry } from './store.ts';

/** Whoever decides something for the platform: an administrator at the desk, or who has its command line. */
export interface Operator {
  actor: AuditEntry['actor'];
  requestId?: string;
}

/** Whoever calls `pf`: nobody knows them by name. */
export const commandLine: Operator = { actor: { type: 'system' } };

/** The administrator who makes a call. */
export const operatorOf = ({ admin, requestId }: { admin: { userId: string }; requestId: string }): Operator => ({
  actor: { type: 'admin', id: admin.userId },
  requestId,
});

/** What could not be done, and why, ready to be read. */
export interface NotDone {
  kind: 'not_done';
  because: string;
}
export const notDone = (because: string): NotDone => ({ kind: 'not_done', because });
