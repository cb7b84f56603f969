import { test } from 'vitest';
import { clearStarts, expectCalmEnd, hasTerminal } from './support/servers/npm-start.ts';

/** The other ways in which people end it are asked by the proof `stopping`. */
clearStarts();

test('Ctrl-C in a terminal leaves no process and nothing damaged, and the next start finds everything', async ({
  skip,
}) => {
  skip(!hasTerminal, 'there is no `script` on this machine to make a terminal with');
  await expectCalmEnd(true, ({ stdin }) => stdin?.write('\u0003'));
});
