import type { PulseLight, PulsePart } from '#wire/pulse.ts';
import type { ComponentId, PulsePartState } from '../operations-contract.ts';

export interface ComponentWords {
  name: string;
  lies: string;
  never: string;
  /** The parts of the pulse that say how it is; none where nobody looks. */
  parts: readonly PulsePart[];
}

/** Every component: its name, what lies there, and what never does. */
export const componentWords: Readonly<Record<ComponentId, ComponentWords>> = {
  browsers: {
    name: 'Browsers',
    lies: "Pages for creators, and the viewer app. A viewer's browser is given encrypted pieces, and keys to its own pattern of them that last for seconds.",
    never: 'A key that outlives its lease, or, with a viewer, an original.',
    parts: [],
  },
  web: {
    name: 'Web process',
    lies: 'It answers pages, calls and pieces, and decides who is given keys. Uploads wait in its data folder until they are taken over.',
    never:
      "Anything that the other parts don't have, once an upload is taken over: it may be stopped at any time. Addresses of callers are neither kept nor logged.",
    parts: ['machine', 'disk', 'clock', 'certificate'],
  },
  queue: {
    name: 'Queue',
    lies: 'Jobs that wait, run or were laid aside, with ids alone.',
    never: 'Names, addresses, texts or files: a job reads again what it needs.',
    parts: ['queue'],
  },
  workers: {
    name: 'Workers',
    lies: 'They make photos and videos ready, send emails and pushes, renew subscriptions and pay out. Files of strangers are decoded in walled child processes.',
    never: 'Anything that lasts: a job that was cut off runs again, in whichever process.',
    parts: ['queue'],
  },
  database: {
    name: 'Database',
    lies: 'Accounts, links, orders, the books, emails that wait, the audit log. The keys of photos and videos too, each wrapped by a master key.',
    never:
      'Photos and videos of albums, master keys, card numbers. Of passwords, session tokens and resume codes it has hashes alone.',
    parts: ['database'],
  },
  storage: {
    name: 'Storage',
    lies: 'Encrypted pieces of photos and videos, encrypted originals, exports and copies that are traced; pictures that creators show of themselves.',
    never: 'A photo or video of an album in the clear, or a key to one: keys are in the database.',
    parts: ['storage'],
  },
  keys: {
    name: 'Master keys',
    lies: 'The keys that wrap all others. Each process reads them when it starts.',
    never: 'In the database, in the storage, in a backup or in the log: keep a copy of them apart.',
    parts: ['keys'],
  },
  backup: {
    name: 'Backup',
    lies: 'Copies of the embedded database, its log as it is written, and every stored file, as encrypted as it was. A database of your own is backed up where it runs.',
    never: 'Master keys: without them a backup opens nothing.',
    parts: ['backup'],
  },
  mail: {
    name: 'Email',
    lies: 'Codes, receipts and notices on their way. Each waits in the outbox, a table of the database, until it was taken.',
    never: 'Photos and videos, or pictures that tell who has opened an email.',
    parts: ['mail'],
  },
  provider: {
    name: 'Payments',
    lies: 'Cards, charges and payouts. It tells what has happened by signed events, and is asked for those that never came.',
    never: 'Photos and videos. Card numbers stay with it.',
    parts: ['provider'],
  },
  push: {
    name: 'Push services',
    lies: "Notifications on their way to creators' browsers, encrypted for the browser that asked for them.",
    never: 'The words of a notification in the clear.',
    parts: [],
  },
  assistant: {
    name: 'Assistant',
    lies: 'Questions to Sofia, and the help texts from which they are answered. Of the creator who asks, it is told counts: so many albums, so many links.',
    never: 'Photos and videos, or anything about somebody else.',
    parts: [],
  },
};

/** From the one that matters most; what is not set up says nothing about the rest. */
const byWeight: readonly PulseLight[] = ['red', 'amber', 'unknown', 'green', 'off'];

/** Returns how a component is: as its worst part; nothing where nobody looks, or has looked yet. */
export function lightOf({ parts }: ComponentWords, pulse: readonly PulsePartState[]): PulseLight | undefined {
  const lights = pulse.filter(({ part }) => parts.includes(part)).map(({ light }) => light);
  return byWeight.find((light) => lights.includes(light));
}
