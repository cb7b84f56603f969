import { type EngineName, engineNames, enginePackages } from '#tests/browsers/support/engine-names.ts';
import { listInstalled } from '#tests/browsers/support/installed.ts';

const isEngineName = (word: string): word is EngineName => engineNames.some((name) => name === word);

/**
 * Reads `--engine <name>` or `--engine all` of a command line; undefined without it.
 * @throws with one sentence that says what to do about an engine that is not there
 */
export function takeEngines(words: readonly string[]): { engines: EngineName[] | undefined; words: string[] } {
  const at = words.indexOf('--engine');
  if (at < 0) return { engines: undefined, words: [...words] };
  const name = words[at + 1] ?? '';
  if (name !== 'all' && !isEngineName(name)) throw new Error(`--engine is one of ${engineNames.join(', ')} or all.`);
  const engines = isEngineName(name) ? [name] : [...engineNames];
  const installed = listInstalled();
  const missing = engines.filter((one) => !installed.includes(one));
  if (missing.length > 0) throw new Error(`Not installed: ${missing.map(tellMissing).join('; ')}.`);
  return { engines, words: words.toSpliced(at, 2) };
}

/** Returns which engines beside Chromium this machine has, and what to install for the others. */
export function sortOtherEngines(): { there: EngineName[]; missing: string[] } {
  const installed = listInstalled();
  const others = engineNames.filter((name) => name !== 'chromium');
  return {
    there: others.filter((name) => installed.includes(name)),
    missing: others.filter((name) => !installed.includes(name)).map(tellMissing),
  };
}

const tellMissing = (name: EngineName): string =>
  name === 'chromium' ? name : `${name} (Debian: apt-get install ${enginePackages[name]})`;
