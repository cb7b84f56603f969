import type { PulseLight, PulsePart } from '#wire/pulse.ts';

type Tone = 'moss' | 'rust' | 'ember' | 'plain';

/** A light as a word: colour alone tells nothing to whoever does not see it. */
export const lightWords: Readonly<Record<PulseLight, { word: string; tone: Tone }>> = {
  green: { word: 'Well', tone: 'moss' },
  amber: { word: 'Look at it', tone: 'ember' },
  red: { word: 'Down', tone: 'rust' },
  unknown: { word: 'Not known', tone: 'plain' },
  off: { word: 'Not set up', tone: 'plain' },
};

/** Every part: its name, and what to do while its light is amber or red. */
export const partWords: Readonly<Record<PulsePart, { name: string; whatToDo: string }>> = {
  database: {
    name: 'Database',
    whatToDo:
      'Nothing works without it. The embedded one starts again by itself; look at the log if it does not within a minute. For your own server, see that it runs and that DATABASE_URL reaches it from here.',
  },
  backup: {
    name: 'Continuous backup',
    whatToDo:
      'See that BACKUP_DIR is mounted, can be written and is not full. If a base is missing or the log has a gap, make a new base: npm run pf -- backup.',
  },
  storage: {
    name: 'Photo and video store',
    whatToDo:
      'Nothing can be shown or uploaded until it is back. See that the disk or bucket is there, can be written, and that its keys are still valid.',
  },
  disk: {
    name: 'Disk',
    whatToDo:
      'Free some room or enlarge the disk before uploads are refused. Old backups are usually the largest: npm run pf -- backup --keep 2.',
  },
  queue: {
    name: 'Jobs and workers',
    whatToDo:
      'Start a process that runs jobs: PF_ROLE=all or PF_ROLE=worker. If one runs and jobs wait for long, look under "Functions" for what holds them up, or start another worker. What is paused there waits until somebody resumes it.',
  },
  mail: {
    name: 'Email',
    whatToDo:
      'Codes and receipts wait and are sent as soon as the server takes them. See that SMTP_URL is right and its password valid; "Emails" shows what the server said.',
  },
  provider: {
    name: 'Payments',
    whatToDo:
      "Nobody can pay until it answers; nothing that was paid is lost. See the provider's own status page, and that the keys were not changed.",
  },
  clock: {
    name: 'Clock',
    whatToDo: 'Links end by the clock. Let both machines set theirs from the network (NTP), then look again.',
  },
  keys: {
    name: 'Keys',
    whatToDo: 'Put the missing key back into PF_KEYS or keys.json, and restart: what it wrapped opens with no other.',
  },
  certificate: {
    name: 'Certificate',
    whatToDo: 'See why the proxy in front has not renewed it. Browsers refuse the site once it has ended.',
  },
  machine: {
    name: 'This machine',
    whatToDo: 'See "Errors" for what fails, and what else runs on this machine.',
  },
};
