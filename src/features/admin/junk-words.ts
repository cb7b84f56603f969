import type { JunkKind, JunkPlan } from './junk-contract.ts';

/** Each kind: its name, and from when on it is of no use. */
export const junkWords: Readonly<Record<JunkKind, { name: string; about: string }>> = {
  uploads: {
    name: 'Expired uploads',
    about: 'Nobody went on with them in time. One that is whole becomes a medium by itself.',
  },
  staged_files: {
    name: 'Parts of uploads that have ended',
    about: 'Files in staging, an hour after their upload was over.',
  },
  lost_files: { name: 'Stored files that nothing names', about: 'A process ended between a file and its row.' },
  missing_files: {
    name: 'Rows whose file is gone',
    about: 'Only shown: a file may come back with its disk or from a backup, and restoring one settles them.',
  },
  dead_jobs: { name: 'Dead jobs', about: 'They failed as often as they may, more than two weeks ago.' },
  unconfirmed_accounts: { name: 'Accounts never confirmed', about: 'Made more than a week ago.' },
  codes: { name: 'Codes and links in emails', about: 'Run out more than two weeks ago.' },
  sessions: { name: 'Sessions', about: 'Run out more than two weeks ago.' },
  purchase_links: { name: 'Links to purchases', about: 'Run out more than two weeks ago.' },
  closed_support: {
    name: 'Closed messages to support',
    about: 'Closed without an answer, as spam is, and more than a week old.',
  },
  robot_visits: { name: 'Visits of robots', about: 'After 13 months, as those of people.' },
  held_back_emails: { name: 'Emails held back', about: 'Never sent, and more than a week old.' },
  quarantined_media: {
    name: 'Media held back for review',
    about: 'Only shown, after three months: somebody decides about each of them under Reports.',
  },
  test_people: { name: 'People of the full check', about: 'What runs that have ended could not remove yet.' },
};

type Tone = 'moss' | 'rust' | 'ember' | 'plain';

/** How far a look or a cleaning is, in a word. */
export const planStates: Readonly<Record<JunkPlan['state'], { word: string; tone: Tone }>> = {
  looking: { word: 'Looking', tone: 'ember' },
  found: { word: 'Looked at', tone: 'plain' },
  cleaning: { word: 'Cleaning', tone: 'ember' },
  cleaned: { word: 'Cleaned', tone: 'moss' },
  cancelled: { word: 'Ended early', tone: 'plain' },
  failed: { word: 'Failed', tone: 'rust' },
};
