import { expect, it } from 'vitest';
import { pulseParts } from '#wire/pulse.ts';
import { componentIds, FlowFigures as Figures, type FlowFigures, type PulsePartState } from '../operations-contract.ts';
import { componentWords, lightOf } from './component-words.ts';
import { figureOf, flows } from './flow-words.ts';
import { drawLine, gridPlaces, lines } from './picture-layout.ts';

const pulse = (lights: Partial<Record<PulsePartState['part'], PulsePartState['light']>>): PulsePartState[] =>
  Object.entries(lights).map(([part, light]) => ({
    part: part as PulsePartState['part'],
    light,
    finding: '',
    since: null,
  }));

it('every light of the pulse is of a component', () => {
  const shown = new Set(Object.values(componentWords).flatMap(({ parts }) => parts));
  expect(pulseParts.filter((part) => !shown.has(part))).toEqual([]);
});

it('a component is as its worst part, and what is not set up says nothing about the rest', () => {
  const { web, backup, push } = componentWords;
  expect(lightOf(web, pulse({ machine: 'green', disk: 'red', clock: 'amber' }))).toBe('red');
  expect(lightOf(web, pulse({ machine: 'green', disk: 'off', clock: 'unknown' }))).toBe('unknown');
  expect(lightOf(web, pulse({ machine: 'off', disk: 'green', database: 'red' }))).toBe('green');
  expect(lightOf(web, pulse({ machine: 'green', certificate: 'off' }))).toBe('green');
  expect(lightOf(backup, pulse({ backup: 'off' }))).toBe('off');
  expect(lightOf(push, pulse({ database: 'green' }))).toBeUndefined();
  expect(lightOf(web, [])).toBeUndefined();
});

it('every component is part of a flow, and every line is one of them', () => {
  const ends = new Set(flows.flatMap(({ from, to }) => [from, to]));
  expect(componentIds.filter((id) => !ends.has(id))).toEqual([]);
  const isFlow = ([one, other]: readonly string[]) =>
    flows.some(({ from, to }) => (from === one && to === other) || (from === other && to === one));
  expect(lines.filter(({ ends: both }) => !isFlow(both))).toEqual([]);
  // Back from the mail provider goes the one that no line is drawn for: it would run across the picture.
  const isDrawn = ({ from, to }: (typeof flows)[number]) =>
    lines.some(({ ends: both }) => both.includes(from) && both.includes(to));
  expect(flows.filter((flow) => !isDrawn(flow)).map(({ from, to }) => [from, to])).toEqual([['mail', 'web']]);
});

it('no two components stand in one place, and a line goes from the middle of one to the middle of the other', () => {
  const places = Object.values(gridPlaces).map(({ along, lane }) => `${along} ${lane}`);
  expect(new Set(places).size).toBe(componentIds.length);
  expect(drawLine({ ends: ['browsers', 'web'] }, false)).toBe('M10.0 50.0 C20.0 50.0 20.0 50.0 30.0 50.0');
  expect(drawLine({ ends: ['browsers', 'web'] }, true)).toBe('M50.0 10.0 C50.0 20.0 50.0 20.0 50.0 30.0');
});

it('one of a kind is said as one, and failures only where there are some', () => {
  const all = (count: number) =>
    Figures.parse(Object.fromEntries(Object.keys(Figures.shape).map((name) => [name, count])));
  const say = (figures: FlowFigures) => flows.flatMap(({ describeAmount }) => describeAmount?.(figures) ?? []);
  expect(say(all(0)).filter((words) => /failed/.test(words))).toEqual([]);
  expect(say(all(1)).filter((words) => /\b1 \w+s\b(?<! is| waits| runs| process)/.test(words))).toEqual([]);
  expect(say({ ...all(0), calls: 1204, callErrors: 3 })[0]).toBe(
    '1,204 calls, 0 pages and 0 parts of uploads in the last hour, 3 of them failed',
  );
  expect(figureOf.storage?.({ ...all(0), storedBytes: 4_800_000 })).toBe('4.8 MB');
});
