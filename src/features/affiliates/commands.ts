import type { Engines } from '#engines/engines.ts';
import { listApplications } from './store.ts';

const shown = 200;

/** `pf applications`: who wants to recommend the place, newest first. @returns what to print */
export async function describeApplications({ database }: Pick<Engines, 'database'>): Promise<string> {
  const applications = await database.work({ kind: 'system' }, (tx) => listApplications(tx, shown));
  if (applications.length === 0) return 'Nobody has applied.';
  return applications
    .map(({ name, email, audience, state, createdAt }) =>
      [
        `  ${createdAt.toISOString().slice(0, 10)}  ${inOneLine(name)} <${email}>, ${state}`,
        `    ${inOneLine(audience)}`,
      ].join('\n'),
    )
    .join('\n');
}

/** Returns what a stranger wrote, without what would move a terminal's cursor. */
const inOneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
