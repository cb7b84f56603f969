import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { refreshQueries, showAnswer } from './refresh-queries.ts';

it('what was asked for before a change and is still on its way is asked for again', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
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

it('what was asked for before a change is not shown over its answer', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
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
