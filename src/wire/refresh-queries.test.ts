import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { PageQueries } from './query-client.ts';
import { refreshQueries, showAnswer } from './refresh-queries.ts';

it('what was asked for before a change and is still on its way is asked for again', async () => {
  const queries = new PageQueries({ defaultOptions: { queries: { retry: false } } });
  let kept = 'old';
  let answerFirst = () => {};
  let asked = 0;
  const queryFn = async () => {
    const read = kept;
    asked += 1;
    if (asked === 1) await new Promise<void>((answer) => (answerFirst = answer));
    return read;
  };
  const observer = new QueryObserver(queries, { queryKey: ['account'], queryFn });
  const leave = observer.subscribe(() => undefined);
  kept = 'new';
  const refreshed = refreshQueries(queries, [['account']]);
  answerFirst();
  await refreshed;
  expect(observer.getCurrentResult()).toMatchObject({ data: 'new', isError: false });
  kept = 'newer';
  await refreshQueries(queries, [['account']]);
  expect([observer.getCurrentResult().data, asked]).toEqual(['newer', 3]);
  leave();
});

it('whatever says that something has changed, what was asked for before is never painted', async () => {
  const queries = new PageQueries({ defaultOptions: { queries: { retry: false } } });
  const asked: string[] = [];
  let isChanged = false;
  const observe = (name: string) => {
    const shown: unknown[] = [];
    let answer = () => {};
    const queryFn = async () => {
      asked.push(name);
      const read = isChanged ? 'new' : 'old';
      if (!isChanged) await new Promise<void>((done) => (answer = done));
      return read;
    };
    const observer = new QueryObserver(queries, { queryKey: [name, 'list'], queryFn });
    const leave = observer.subscribe(({ data }) => shown.push(data));
    return { shown, leave, answer: () => answer() };
  };
  const [albums, links] = [observe('albums'), observe('links')];
  isChanged = true;
  const reported = queries.invalidateQueries({ queryKey: ['albums'] });
  albums.answer();
  links.answer();
  await reported;
  await vi.waitFor(() => expect(links.shown).toContain('old'));
  expect(albums.shown).toContain('new');
  expect(albums.shown).not.toContain('old');
  // Of the links nothing has changed, so their first answer is good.
  expect(asked).toEqual(['albums', 'links', 'albums']);
  albums.leave();
  links.leave();
});

it('who asks that only some are read again has the others left alone', async () => {
  const queries = new PageQueries({ defaultOptions: { queries: { retry: false } } });
  const asked: string[] = [];
  let answer = () => {};
  const queryFn = async () => {
    asked.push('one');
    await new Promise<void>((done) => (answer = done));
    return 'first';
  };
  const observer = new QueryObserver(queries, { queryKey: ['albums', 'one'], queryFn });
  const leave = observer.subscribe(() => undefined);
  await queries.invalidateQueries({ queryKey: ['albums'], predicate: ({ queryKey }) => queryKey[1] !== 'one' });
  answer();
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('first'));
  expect(asked).toEqual(['one']);
  leave();
});

it('every page that asks the server has such queries', () => {
  const root = path.resolve(import.meta.dirname, '..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  );
  const making = files.filter((file) => readFileSync(path.join(root, file), 'utf8').includes('new QueryClient('));
  // Pages that are rendered once, ahead of any browser, have nothing that changes.
  expect(making).toEqual(['app/pages/render-pages.tsx']);
});

it('what was asked for before a change is not shown over its answer', async () => {
  const queries = new PageQueries({ defaultOptions: { queries: { retry: false } } });
  const queryKey = ['link'];
  let kept = 'old';
  let answer = () => {};
  const queryFn = async () => {
    const read = kept;
    if (kept === 'old' && queries.getQueryData(queryKey) !== undefined)
      await new Promise<void>((done) => (answer = done));
    return read;
  };
  const observer = new QueryObserver(queries, { queryKey, queryFn });
  const shown: unknown[] = [];
  const leave = observer.subscribe(({ data }) => shown.push(data));
  await queries.refetchQueries({ queryKey });
  const asked = observer.refetch();
  kept = 'new';
  const showing = showAnswer(queries, queryKey, 'new');
  answer();
  await Promise.all([asked, showing]);
  expect(shown.slice(shown.indexOf('new'))).not.toContain('old');
  expect(observer.getCurrentResult().data).toBe('new');
  leave();
});
