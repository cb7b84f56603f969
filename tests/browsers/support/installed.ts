import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { type EngineName, engineNames } from './engine-names.ts';

/** What drives WebKitGTK. */
export interface WebkitPrograms {
  driver: string;
  browser: string;
  xvfb: string;
}

/** Returns the Firefox of this machine: FIREFOX_PATH, else the one in PATH. */
export const findFirefox = (): string | undefined =>
  process.env.FIREFOX_PATH ?? findInPath('firefox-esr') ?? findInPath('firefox');

/** Returns WebKitGTK's programs, if all are there. */
export function findWebkit(): WebkitPrograms | undefined {
  const [driver, xvfb] = [findInPath('WebKitWebDriver'), findInPath('Xvfb')];
  const [browser] = globSync(['/usr/lib/*/webkit2gtk-4.1/MiniBrowser', '/usr/lib*/webkit2gtk-4.1/MiniBrowser']);
  if (!driver || !xvfb || !browser) return undefined;
  return { driver, xvfb, browser };
}

/** Returns which engines this machine has. Chromium comes from npm. */
export const listInstalled = (): EngineName[] =>
  engineNames.filter(
    (name) => name === 'chromium' || (name === 'firefox' ? findFirefox() : findWebkit()) !== undefined,
  );

function findInPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}
