import type { FlowFigures } from '../operations-contract.ts';
import type { CallSum } from './installation-store.ts';

/** The figures that calls are counted into. */
export type CallGroups = Pick<
  FlowFigures,
  | 'calls'
  | 'callErrors'
  | 'pages'
  | 'pieces'
  | 'uploads'
  | 'questions'
  | 'providerEvents'
  | 'mailReports'
  | 'jobs'
  | 'jobErrors'
  | 'moneyJobs'
  | 'mediaJobs'
  | 'backupJobs'
  | 'pushJobs'
>;

/** Names of routes, the first that fits; every other route is a page or a file beside one. */
const routeGroups: readonly (readonly [pattern: RegExp, group: keyof CallGroups])[] = [
  [/^GET \/m\//, 'pieces'],
  [/^(?:POST|PATCH) \/files/, 'uploads'],
  [/^POST \/api\/hooks\/mail$/, 'mailReports'],
  [/^POST \/api\/hooks\//, 'providerEvents'],
  [/ \/api\//, 'calls'],
];

const jobGroups: readonly (readonly [pattern: RegExp, group: keyof CallGroups])[] = [
  [/^(?:photo|film)\.process$/, 'mediaJobs'],
  [/^backup\./, 'backupJobs'],
  [/^notices\.push$/, 'pushJobs'],
  [/^money\./, 'moneyJobs'],
];

/** Adds up calls by what flows with them. */
export function groupCalls(sums: readonly CallSum[]): CallGroups {
  const groups: CallGroups = {
    calls: 0,
    callErrors: 0,
    pages: 0,
    pieces: 0,
    uploads: 0,
    questions: 0,
    providerEvents: 0,
    mailReports: 0,
    jobs: 0,
    jobErrors: 0,
    moneyJobs: 0,
    mediaJobs: 0,
    backupJobs: 0,
    pushJobs: 0,
  };
  for (const { kind, name, calls, errors } of sums) {
    if (kind === 'job') {
      groups.jobs += calls;
      groups.jobErrors += errors;
      const group = findGroup(jobGroups, name);
      if (group !== undefined) groups[group] += calls;
      continue;
    }
    groups.callErrors += errors;
    groups[kind === 'procedure' ? 'calls' : (findGroup(routeGroups, name) ?? 'pages')] += calls;
    if (name === 'assistant.chat') groups.questions += calls;
  }
  return groups;
}

const findGroup = (groups: typeof routeGroups, name: string) => groups.find(([pattern]) => pattern.test(name))?.[1];
