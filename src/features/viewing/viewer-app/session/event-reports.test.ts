import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createEventReports, type EventReport, type ReportAnswer } from './event-reports.ts';

let over: AbortController;
const sent: EventReport[] = [];
const said: unknown[] = [];
let answer: () => Promise<ReportAnswer>;

beforeEach(() => {
  vi.useFakeTimers();
  over = new AbortController();
  sent.length = 0;
  said.length = 0;
  answer = async () => ({});
});
afterEach(() => vi.useRealTimers());

const open = () =>
  createEventReports(
    {
      visitId: 'v',
      screen: '390x844',
      send(report) {
        sent.push(report);
        return answer();
      },
      onWarning: (text) => said.push(text),
      onRefused: (refusal) => said.push(refusal.title),
    },
    over.signal,
  );
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('sends what comes together in one call, each kind with its count', async () => {
  const reports = open();
  for (const type of ['copy_attempt', 'focus_change', 'copy_attempt'] as const) reports.note(type);
  expect(sent).toEqual([]);
  await pass(250);
  expect(sent).toEqual([
    {
      visitId: 'v',
      reportId: expect.stringMatching(/^[a-z0-9]{1,20}$/),
      screen: '390x844',
      events: [
        { type: 'copy_attempt', count: 2 },
        { type: 'focus_change', count: 1 },
      ],
    },
  ]);
  await pass(60_000);
  expect(sent).toHaveLength(1);
});

it('sends at once before the page goes away', () => {
  const reports = open();
  reports.note('save_attempt');
  reports.flush();
  expect(sent).toHaveLength(1);
});

it('has one call on its way, and the next one takes all that came meanwhile', async () => {
  let finishFirst: (answer: ReportAnswer) => void = () => undefined;
  const first = new Promise<ReportAnswer>((resolve) => {
    finishFirst = resolve;
  });
  answer = () => first;
  const reports = open();
  reports.note('save_attempt');
  await pass(250);
  for (let n = 0; n < 300; n++) reports.note('focus_change');
  await pass(10_000);
  expect(sent).toHaveLength(1);
  answer = async () => ({});
  finishFirst({});
  await pass(250);
  expect(sent[1]?.events).toEqual([{ type: 'focus_change', count: 100 }]);
});

it('sends what was lost once more as it was, so that it can be known again, and then what came since', async () => {
  answer = async () => 'lost';
  const reports = open();
  reports.note('copy_attempt');
  await pass(250);
  reports.note('save_attempt');
  answer = async () => ({ warning: 'Please do not copy.' });
  await pass(5000);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  await pass(250);
  expect(sent).toHaveLength(3);
  expect(sent[2]?.events).toEqual([{ type: 'save_attempt', count: 1 }]);
  expect(sent[2]?.reportId).not.toBe(sent[0]?.reportId);
  expect(said).toEqual(['Please do not copy.', 'Please do not copy.']);
});

it('tells that the screen was closed, and reports nothing after that', async () => {
  answer = async () => ({ refusal: { code: 'LINK', reason: 'CLOSED', title: 'This view was closed', text: '' } });
  const reports = open();
  reports.note('copy_attempt');
  await pass(250);
  expect(said).toEqual(['This view was closed']);
  over.abort();
  reports.note('copy_attempt');
  await pass(60_000);
  expect(sent).toHaveLength(1);
});
