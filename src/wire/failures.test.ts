import { ORPCError } from '@orpc/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseAway } from '#engines/database/away.ts';
import { StorageAway } from '#engines/storage/storage.ts';
import { refusalOf } from './failures.ts';

describe('what is logged of a failure', () => {
  let warned: string[];
  let failed: string[];
  const log = () => ({
    warn: (_about: object, words = '') => void warned.push(words),
    error: (_about: object, words = '') => void failed.push(words),
  });
  beforeEach(() => {
    [warned, failed] = [[], []];
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => void vi.useRealTimers());

  it('is one line for each outage, however many calls it refuses', () => {
    const one = log();
    const database = new DatabaseAway(new Error('gone'));
    const store = new StorageAway(new Error('gone'));
    for (let n = 0; n < 300; n++) {
      for (const error of [database, store]) expect(refusalOf(error, 'r', one).status).toBe(503);
      vi.advanceTimersByTime(1000);
    }
    expect(warned).toEqual(['the database is away', 'the store is away']);
    vi.advanceTimersByTime(61_000);
    refusalOf(database, 'r', one);
    expect(warned).toEqual(['the database is away', 'the store is away', 'the database is away']);
    expect(failed).toEqual([]);
  });

  it('is no bug where nothing more can be opened: such a call is asked to come again', () => {
    const one = log();
    for (const code of ['EMFILE', 'ENFILE'])
      expect(refusalOf(Object.assign(new Error('open'), { code }), 'r', one).status).toBe(503);
    expect(failed).toEqual([]);
  });

  it('is every bug, and no refusal', () => {
    const one = log();
    for (const error of [new Error('a'), new TypeError('b')]) expect(refusalOf(error, 'r', one).status).toBe(500);
    refusalOf(new ORPCError('NOT_FOUND', { status: 404 }), 'r', one);
    expect([warned, failed]).toEqual([[], ['a bug', 'a bug']]);
  });
});
