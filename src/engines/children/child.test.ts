import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { standBack } from './child.ts';

/** The user "nobody", on every system that has autogroups. */
const nobody = 65534;

it.runIf(process.getuid?.() === 0 && existsSync('/proc/self/autogroup'))(
  'several sessions of a user without privileges stand back at once, though Linux hears one of them in a tenth of a second',
  async () => {
    const [program = '', ...rest] = [...standBack(3), 'cat', '/proc/self/autogroup'];
    const asSession = () =>
      promisify(execFile)('setsid', ['--wait', program, ...rest], { uid: nobody, gid: nobody, cwd: '/' });
    const all = await Promise.all([asSession(), asSession(), asSession()]);
    for (const { stdout } of all) expect(stdout).toMatch(/ nice 3\n$/);
  },
);
