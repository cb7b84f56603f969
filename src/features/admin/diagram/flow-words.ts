import { formatBytes, formatCount } from '#kit/text.ts';
import type { ComponentId, FlowFigures } from '../operations-contract.ts';

export interface Flow {
  from: ComponentId;
  to: ComponentId;
  what: string;
  /** How much of it there is; nothing where nobody counts. */
  describeAmount?(figures: FlowFigures): string;
}

const hour = 'in the last hour';
const failed = (count: number) => (count === 0 ? '' : `, ${count.toLocaleString('en')} of them failed`);

/** Everything that goes from one component to another. */
export const flows: readonly Flow[] = [
  {
    from: 'browsers',
    to: 'web',
    what: 'Calls, pages and uploads',
    describeAmount: ({ calls, callErrors, pages, uploads }) =>
      `${formatCount(calls, 'call')}, ${formatCount(pages, 'page')} and ${formatCount(uploads, 'part of an upload', 'parts of uploads')} ${hour}${failed(callErrors)}`,
  },
  {
    from: 'web',
    to: 'browsers',
    what: 'Encrypted pieces, and keys that last for seconds',
    describeAmount: ({ pieces }) => `${formatCount(pieces, 'piece')} ${hour}`,
  },
  {
    from: 'web',
    to: 'database',
    what: 'Reads and writes, under the rights of whoever asks',
    describeAmount: ({ statements }) =>
      `${formatCount(statements, 'statement')} by the process that answered, since its start`,
  },
  {
    from: 'web',
    to: 'storage',
    what: 'Encrypted originals go in, encrypted pieces come out',
    describeAmount: ({ storedBytes }) => `${formatBytes(storedBytes)} of creators' files`,
  },
  {
    from: 'web',
    to: 'queue',
    what: 'Jobs to be done, by their ids',
    describeAmount: ({ jobsWaiting }) => `${formatCount(jobsWaiting, 'job waits', 'jobs wait')}`,
  },
  {
    from: 'queue',
    to: 'workers',
    what: 'Jobs whose turn it is',
    describeAmount: ({ jobs, jobErrors, jobsRunning, workers }) =>
      `${formatCount(jobs, 'job')} ${hour}${failed(jobErrors)}; ${formatCount(jobsRunning, 'runs', 'run')} now, in ${formatCount(workers, 'process', 'processes')}`,
  },
  { from: 'workers', to: 'database', what: 'What a job reads again, and what became of it' },
  {
    from: 'workers',
    to: 'storage',
    what: 'Originals become encrypted pieces',
    describeAmount: ({ mediaJobs }) => `${formatCount(mediaJobs, 'photo or video', 'photos and videos')} ${hour}`,
  },
  {
    from: 'workers',
    to: 'mail',
    what: 'Emails from the outbox',
    describeAmount: ({ emailsSent, emailsWaiting }) =>
      `${formatCount(emailsSent, 'email')} sent ${hour}, ${formatCount(emailsWaiting, 'waits', 'wait')}`,
  },
  {
    from: 'mail',
    to: 'web',
    what: 'Reports of emails that came back, where the provider signs them',
    describeAmount: ({ mailReports }) => `${formatCount(mailReports, 'report')} ${hour}`,
  },
  { from: 'web', to: 'provider', what: 'Checkouts and refunds that somebody asks for' },
  {
    from: 'provider',
    to: 'web',
    what: 'Signed events: what was paid, disputed or paid out',
    describeAmount: ({ providerEvents, providerEventsWaiting }) =>
      `${formatCount(providerEvents, 'event')} ${hour}, ${formatCount(providerEventsWaiting, 'waits', 'wait')}`,
  },
  {
    from: 'workers',
    to: 'provider',
    what: 'Renewals, payouts, and the comparison of the books',
    describeAmount: ({ moneyJobs }) => `${formatCount(moneyJobs, 'job')} about money ${hour}`,
  },
  {
    from: 'workers',
    to: 'push',
    what: 'Notifications, encrypted for one browser each',
    describeAmount: ({ pushJobs, pushBrowsers }) =>
      `${formatCount(pushJobs, 'push', 'pushes')} ${hour}, for ${formatCount(pushBrowsers, 'browser')} in all`,
  },
  {
    from: 'web',
    to: 'assistant',
    what: 'Questions, with the texts that may answer them',
    describeAmount: ({ questions }) => `${formatCount(questions, 'question')} ${hour}`,
  },
  { from: 'database', to: 'backup', what: 'Its log as it is written' },
  {
    from: 'storage',
    to: 'backup',
    what: 'Files that are new, as encrypted as they are',
    describeAmount: ({ backupJobs }) => `${formatCount(backupJobs, 'round')} ${hour}`,
  },
  {
    from: 'keys',
    to: 'web',
    what: 'What wraps and opens the keys in the database',
    describeAmount: ({ masterKeys }) => formatCount(masterKeys, 'master key'),
  },
  { from: 'keys', to: 'workers', what: 'What wraps and opens the keys in the database' },
];

/** Returns the figure that stands in the picture beside a component's name. */
export const figureOf: Readonly<Partial<Record<ComponentId, (figures: FlowFigures) => string>>> = {
  browsers: ({ pages }) => `${formatCount(pages, 'page')}/h`,
  web: ({ calls }) => `${formatCount(calls, 'call')}/h`,
  queue: ({ jobsWaiting }) => formatCount(jobsWaiting, 'waits', 'wait'),
  workers: ({ jobs }) => `${formatCount(jobs, 'job')}/h`,
  database: ({ replicas }) => (replicas === 0 ? 'no replica' : formatCount(replicas, 'replica')),
  storage: ({ storedBytes }) => formatBytes(storedBytes),
  keys: ({ masterKeys }) => formatCount(masterKeys, 'key'),
  mail: ({ emailsSent }) => `${emailsSent.toLocaleString('en')} sent/h`,
  provider: ({ providerEvents }) => `${formatCount(providerEvents, 'event')}/h`,
  push: ({ pushJobs }) => `${pushJobs.toLocaleString('en')} sent/h`,
  assistant: ({ questions }) => `${questions.toLocaleString('en')} asked/h`,
};
