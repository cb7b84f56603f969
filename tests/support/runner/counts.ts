import { z } from 'zod';

/** What one part of the run came to. */
export interface Count {
  passed: number;
  failed: string[];
  skipped: { what: string; why: string }[];
  /** What passed only when repeated. */
  flaky: string[];
  /** What each file took, so that growth is seen. */
  files: { file: string; seconds: number; isGreen: boolean }[];
}

/** Nothing yet. */
export const noCount = (): Count => ({ passed: 0, failed: [], skipped: [], flaky: [], files: [] });

const vitestNote = z.object({
  passed: z.number(),
  failed: z.array(z.string()),
  skipped: z.array(z.object({ what: z.string(), why: z.string() })),
  flaky: z.array(z.string()).default([]),
  files: z.array(z.object({ file: z.string(), seconds: z.number(), isGreen: z.boolean() })),
});

const playwrightSpec = z.object({
  title: z.string(),
  tests: z.array(
    z.object({
      status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
      results: z.array(z.object({ duration: z.number() })),
      annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })),
    }),
  ),
});
const playwrightSuite = z.object({
  title: z.string(),
  specs: z.array(playwrightSpec).default([]),
  get suites(): z.ZodOptional<z.ZodArray<typeof playwrightSuite>> {
    return z.array(playwrightSuite).optional();
  },
});
const playwrightNote = z.object({
  suites: z.array(playwrightSuite),
  errors: z.array(z.object({ message: z.string().optional() })),
});

/** The note of our own reporter. A run that says "failed" without a failed test, or leaves no note, is a failure itself. */
export function countVitest(note: unknown, exitCode: number): Count {
  const count = vitestNote.safeParse(note).data ?? noCount();
  return withExit(count, 'tests', exitCode);
}

/** Of all journeys so many may pass only when repeated: each is named at the end of the run, and more is a failure. */
const mostFlaky = 1;

/** Playwright's JSON report. */
export function countPlaywright(note: unknown, exitCode: number): Count {
  const report = playwrightNote.safeParse(note).data;
  const count = noCount();
  for (const suite of report?.suites ?? []) addSuite(suite, [], count);
  if (count.flaky.length > mostFlaky) count.failed.push(...count.flaky);
  for (const { message } of report?.errors ?? []) count.failed.push(`journeys: ${message?.split('\n')[0] ?? 'error'}`);
  return withExit(count, 'journeys', exitCode);
}

function addSuite(suite: z.infer<typeof playwrightSuite>, above: string[], count: Count): void {
  const here = [...above, suite.title].filter(Boolean);
  for (const { title, tests } of suite.specs)
    for (const { status, annotations, results } of tests) {
      addSeconds(count, here[0] ?? '', results.reduce((sum, { duration }) => sum + duration, 0) / 1000);
      const what = [...here, title].join(' › ');
      const why = annotations.find(({ type }) => type === 'skip' || type === 'fixme')?.description ?? '';
      addOutcome(count, status, { what, why });
    }
  for (const inner of suite.suites ?? []) addSuite(inner, here, count);
}

function addOutcome(
  count: Count,
  status: z.infer<typeof playwrightSpec>['tests'][number]['status'],
  said: { what: string; why: string },
): void {
  if (status === 'expected') count.passed++;
  else if (status === 'skipped') count.skipped.push(said);
  else count[status === 'flaky' ? 'flaky' : 'failed'].push(said.what);
}

function addSeconds({ files }: Count, file: string, seconds: number): void {
  const known = files.find((one) => one.file === file);
  if (known) known.seconds += seconds;
  else files.push({ file, seconds, isGreen: true });
}

function withExit(count: Count, name: string, exitCode: number): Count {
  if (exitCode === 0 || count.failed.length > 0) return count;
  return { ...count, failed: [`${name}: ended with status ${exitCode} although no test failed`] };
}

/** A part that could not run at all. */
export function failedPart(name: string, why: string): Count {
  console.log(why);
  return { ...noCount(), failed: [`${name}: ${why}`] };
}

export function addUp(counts: Count[]): Count {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.flatMap(({ failed }) => failed),
    skipped: counts.flatMap(({ skipped }) => skipped),
    flaky: counts.flatMap(({ flaky }) => flaky),
    files: counts.flatMap(({ files }) => files),
  };
}
