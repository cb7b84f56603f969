import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import type { Count } from './counts.ts';

/** Leaves the counts of a Vitest run in COUNT_FILE, with what Vitest's own JSON report does not tell: why a test was skipped, and what each file took. */
// biome-ignore lint/style/noDefaultExport: Vitest takes a reporter from the default export.
export default function countReporter(): Reporter {
  return {
    onTestRunEnd: (modules, errors) =>
      writeFileSync(process.env.COUNT_FILE ?? '', JSON.stringify(count(modules, errors))),
  };
}

function count(modules: readonly TestModule[], errors: readonly SerializedError[]): Count {
  const found: Count = { passed: 0, failed: [], skipped: [], flaky: [], files: [] };
  for (const module of modules) addModule(module, found);
  for (const { message } of errors) found.failed.push(`outside of any test: ${message}`);
  return found;
}

/** A file that breaks before its tests, or around them, has failed although none of them did. */
function addModule(module: TestModule, found: Count): void {
  const [failedBefore, passedBefore] = [found.failed.length, found.passed];
  for (const test of module.children.allTests()) {
    const what = `${module.relativeModuleId} › ${test.fullName}`;
    const result = test.result();
    if (result.state === 'passed') found.passed++;
    else if (result.state === 'failed') found.failed.push(withReason(what, result.errors));
    else found.skipped.push({ what, why: (result.state === 'skipped' && result.note) || '' });
  }
  if (!module.ok() && found.failed.length === failedBefore) found.failed.push(module.relativeModuleId);
  const { collectDuration, duration, setupDuration } = module.diagnostic();
  found.files.push({
    file: module.relativeModuleId,
    seconds: (collectDuration + duration + setupDuration) / 1000,
    // What was skipped whole, for want of a program or a server, has shown nothing.
    isGreen: module.ok() && found.passed > passedBefore,
  });
}

/** With the first line of what went wrong: the end of a log is what is read first, and often what is kept. */
function withReason(what: string, errors: readonly { message: string }[]): string {
  const [line = ''] = stripVTControlCharacters(errors[0]?.message ?? '').split('\n');
  return line ? `${what} – ${line}` : what;
}
