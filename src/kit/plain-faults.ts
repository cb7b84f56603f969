import * as z from 'zod';

/** What is wrong with a value, as the library knows it. */
type Issue = Parameters<NonNullable<NonNullable<Parameters<typeof z.config>[0]>['localeError']>>[0];

const isMoney = (path: Issue['path']): boolean => /cents$/i.test(String(path?.at(-1) ?? ''));
const describeNumber = (bound: unknown, path: Issue['path']): string =>
  isMoney(path) ? `$${(Number(bound) / 100).toFixed(2)}` : String(bound);

function describeBound(
  origin: string,
  bound: unknown,
  { isLeast, path }: { isLeast: boolean; path: Issue['path'] },
): string {
  const more = isLeast ? 'more' : 'less';
  if (origin === 'string')
    return isLeast && Number(bound) === 1 ? 'Fill this in' : `Use ${bound} characters or ${more}`;
  if (origin === 'array' || origin === 'set') return `Choose ${bound} or ${more}`;
  if (origin === 'date') return isLeast ? 'Choose a later day' : 'Choose an earlier day';
  return `Enter ${describeNumber(bound, path)} or ${more}`;
}

const formats: Readonly<Record<string, string>> = {
  email: 'Enter an email address',
  url: 'Enter an address that begins with https://',
  date: 'Choose a day',
  datetime: 'Choose a day and a time',
};

/** Says in a person's words what is wrong with what was typed; a schema's own sentence comes before it. */
function describeIssue(issue: Issue): string {
  const { path } = issue;
  if (issue.code === 'too_small') return describeBound(issue.origin, issue.minimum, { isLeast: true, path });
  if (issue.code === 'too_big') return describeBound(issue.origin, issue.maximum, { isLeast: false, path });
  if (issue.code === 'invalid_format') return formats[issue.format] ?? 'Check how this is written';
  if (issue.code === 'invalid_value') return 'Choose one of what is offered';
  if (issue.code !== 'invalid_type') return 'Check this';
  if (issue.input === undefined || issue.input === null) return 'Fill this in';
  if (issue.expected === 'number' || issue.expected === 'int')
    return isMoney(path) ? 'Enter an amount' : 'Enter a number';
  return 'Check this';
}

/** Lets every schema of this process say what is wrong in plain words. */
export const speakPlainly = (): void => void z.config({ localeError: describeIssue });
