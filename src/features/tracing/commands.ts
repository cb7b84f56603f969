import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Engines } from '#engines/engines.ts';
import { findUserIdByEmail } from '#features/accounts/store.ts';
import { openQuestions, verifyEvidence } from './evidence/verify-evidence.ts';
import { describeTiles } from './page-texts.ts';
import { findTrace, listPhotographers } from './store.ts';
import { takeCopy } from './take-copy.ts';
import { showDetail } from './to-api.ts';
import { describeChance, disclosedWords, otherGoneWords } from './verdict-texts.ts';
import { findKnown } from './work/load-trace-details.ts';
import { openTraceWork } from './work/trace-work.ts';

const system = { kind: 'system' } as const;

/**
 * Traces a leaked copy at the installation's own command line, under the same rules and in the same log as on the page.
 * @param email whose photos; may be left out where only one creator has any
 * @returns the answer in words @throws a sentence that says what to do
 */
export async function traceFile(engines: Engines, file: string, email: string | undefined): Promise<string> {
  const { size } = await stat(file).catch(() => Promise.reject(new Error(`There is no file ${file}.`)));
  const creatorId = await findCreator(engines, email);
  const copy = { creatorId, bytes: createReadStream(file), sizeBytes: size };
  const traceId = await takeCopy(engines, copy, 'command');
  const work = openTraceWork(engines, { arePhotosFirst: false, turnMs: Number.POSITIVE_INFINITY, isRetried: false });
  try {
    await work.run(traceId, new AbortController().signal);
  } finally {
    await work.close();
  }
  return describeAnswer(engines, creatorId, traceId);
}

async function findCreator({ database }: Engines, email: string | undefined): Promise<string> {
  if (email !== undefined) {
    const userId = await database.work(system, (tx) => findUserIdByEmail(tx, email.toLowerCase()));
    if (userId === undefined) throw new Error(`No account has the address "${email}".`);
    return userId;
  }
  const [only, ...others] = await database.work(system, listPhotographers);
  if (only === undefined) throw new Error('There are no photos or videos here that it could be a copy of.');
  if (others.length > 0) throw new Error('Say whose photos and videos to compare it with: --creator EMAIL.');
  return only;
}

async function describeAnswer({ database }: Engines, creatorId: string, traceId: string): Promise<string> {
  const shown = await database.work({ kind: 'user', userId: creatorId }, async (tx) => {
    const row = await findTrace(tx, traceId);
    if (row === undefined) throw new Error('This trace was deleted in the meantime.');
    return showDetail(row, await findKnown(tx, row));
  });
  if (shown.failText !== null) return `It couldn't be read: ${shown.failText}`;
  const lines = [
    `trace ${shown.id}`,
    `SHA-256 of the copy ${shown.sha256}`,
    ...shown.items.map((item) => `${item.kind} ${item.mediaId}: ${describeTiles(item)}`),
    ...(shown.isOtherGone ? [otherGoneWords] : []),
    ...(shown.wasDisclosed ? [disclosedWords] : []),
    ...shown.links.flatMap(({ linkId, linkName, word, chancePower, people, morePeople }) => [
      `${word}: link "${linkName}" ${linkId}, chance of a coincidence below ${describeChance(chancePower)}`,
      ...people.map(
        ({ viewerId, name, certainty }) =>
          `  ${name} (viewer ${viewerId})${certainty ? `, by their own half below ${describeChance(certainty.chancePower)}` : ''}`,
      ),
      ...(morePeople > 0 ? [`  and ${morePeople} more`] : []),
    ]),
    ...shown.shownTo.map(
      ({ name, viewerId, linkName }) => `shown to ${name} (viewer ${viewerId}) through "${linkName}"`,
    ),
    ...(shown.moreShown > 0 ? [`and to ${shown.moreShown} more`] : []),
    `earlier traces of the same items that count: ${shown.earlierTraces}`,
  ];
  return `${shown.sentence}\n${lines.map((line) => `· ${line}`).join('\n')}`;
}

const signs = { right: '✓', wrong: '✗', against: '!', open: '?' } as const;

/**
 * Checks an evidence file by itself; it needs no installation.
 * @param leaks the copies, when they are at hand @param key by which the installation is known
 * @returns what was checked @throws the same when something is wrong
 */
export async function verifyEvidenceFile(
  file: string,
  { leaks, key }: { leaks: readonly string[]; key: string | undefined },
): Promise<string> {
  const copies = await Promise.all(leaks.map((leak) => readFile(leak)));
  const checks = verifyEvidence(await readFile(file, 'utf8'), { leaks: copies, key });
  const wrong = checks.filter(({ is }) => is === 'wrong').length;
  const isClear = checks.every(({ is }) => is !== 'against');
  const lines = [
    ...checks.map(({ what, is }) => `${signs[is]} ${what}`),
    'What no program can tell from this file:',
    ...openQuestions.map((words) => `? ${words}`),
    ...(isClear ? [] : ['Lines marked ! are true and speak against the result.']),
    wrong === 0 ? 'No check failed.' : `${wrong} of ${checks.length} checks FAILED: do not rely on this file.`,
  ];
  const text = lines.join('\n');
  if (wrong > 0) throw new Error(text);
  return text;
}
