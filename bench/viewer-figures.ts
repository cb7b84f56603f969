import { type Bound, type Figure, median } from './support/figures.ts';
import type { Vitals } from './support/phone.ts';
import { type Slowdown, slowdownText } from './support/slow-processor.ts';

/** One visit to our own page; milliseconds, bytes. */
export interface OurVisit extends Vitals {
  tappableMs: number;
  previewMs: number;
  sharpMs: number;
  rowsMs: number;
  fullMs: number;
  doorBytes: number;
  sharpBytes: number;
}

/** One visit to the plain page. */
export interface PlainVisit {
  firstPaintMs: number;
  sharpMs: number;
  fullMs: number;
}

/** One visit to a default link, which asks for the age first; milliseconds. */
export interface AskedVisit {
  tappableMs: number;
  /** From the tap on Open to the question. */
  questionMs: number;
  /** From the tap on Yes to the first sharp photo. */
  sharpMs: number;
}

export interface Measured {
  slow: { ours: OurVisit; asked: AskedVisit; plain: PlainVisit }[];
  near: { ours: OurVisit; plain: PlainVisit }[];
  slowdown: Slowdown;
}

type Runs = Pick<Measured['slow'][number], 'ours' | 'plain'>[];
type OurNumber = keyof OurVisit;

const seconds = (ms: number) => ms / 1000;
const ofOurs = (runs: Runs, name: OurNumber) => median(runs.map(({ ours }) => ours[name]));
const ofPlain = (runs: Runs, name: keyof PlainVisit) => median(runs.map(({ plain }) => plain[name]));

/** The table of P1 to P3 out of all visits. */
export function figuresOfViewer({ slow, near, slowdown }: Measured): Figure[] {
  return [...slowFigures({ slow, slowdown }), nearFigure(near), ...byteFigures(slow), ...vitalFigures(slow)];
}

/** What all figures on a slow line have. */
function slowLine(slowdown: Measured['slowdown']) {
  const line = { part: 'viewer', unit: 's, slow 4G', note: slowdownText(slowdown) };
  // A void figure is printed and holds nothing.
  const sets: Bound['sets'] = slowdown.isSound ? 'exit' : 'print';
  const within = (gate: number, goal: number, of: Bound['of'] = 'value'): { bound: Bound } => ({
    bound: { gate, goal, better: 'less', of, sets },
  });
  return { line, within };
}

function slowFigures({ slow, slowdown }: Pick<Measured, 'slow' | 'slowdown'>): Figure[] {
  const { line, within } = slowLine(slowdown);
  const plain = (name: keyof PlainVisit) => ({ name: 'plain <img> page', value: seconds(ofPlain(slow, name)) });
  const ours = (name: OurNumber) => seconds(ofOurs(slow, name));
  return [
    {
      ...line,
      figure: 'P1',
      what: 'GET to a door that can be tapped',
      ours: ours('tappableMs'),
      comparator: plain('firstPaintMs'),
      ...within(1, 0.75),
    },
    {
      ...line,
      figure: 'P2a',
      what: 'tap to previews',
      ours: ours('previewMs'),
      comparator: { name: 'one round trip', value: 0.5625 },
      ...within(0.8, 0.65),
    },
    {
      ...line,
      figure: 'P2b',
      what: 'tap to first sharp photo of the grid',
      ours: ours('sharpMs'),
      ...within(1.5, 1.1),
    },
    {
      ...line,
      figure: 'P2c',
      what: 'tap on a photo to its first sharp rows',
      ours: ours('rowsMs'),
      ...within(1.4, 0.9),
    },
    {
      ...line,
      figure: 'P2c',
      what: 'tap on a photo to all of it',
      ours: ours('fullMs'),
      comparator: plain('fullMs'),
      ...within(2.8, 2.2),
    },
    ...wholeFigures({ slow, slowdown }),
  ];
}

/** The whole way from the link to a photo. */
function wholeFigures({ slow, slowdown }: Pick<Measured, 'slow' | 'slowdown'>): Figure[] {
  const { line, within } = slowLine(slowdown);
  const comparator = { name: 'plain <img> page', value: seconds(ofPlain(slow, 'sharpMs')) };
  const inAll = median(slow.map((run) => seconds(run.ours.tappableMs + run.ours.sharpMs)));
  return [
    {
      ...line,
      figure: 'P2d',
      what: 'GET, tapped at once, to first sharp photo',
      ours: inAll,
      comparator,
      ...within(2.2, 1.7),
    },
    {
      ...line,
      figure: 'P2d',
      what: 'the same beside the plain page',
      ours: inAll,
      comparator,
      ...within(1, 1, 'ratio'),
    },
    ...askedFigures(slow, { ...line, comparator }),
  ];
}

function nearFigure(near: Runs): Figure {
  return {
    part: 'viewer',
    figure: 'P2e',
    what: 'tap to first sharp photo, loopback, full speed',
    unit: 'ms',
    ours: ofOurs(near, 'sharpMs'),
    comparator: { name: 'plain <img> page, from GET', value: ofPlain(near, 'sharpMs') },
    bound: { gate: 600, goal: 400, better: 'less', of: 'value', sets: 'print' },
  };
}

/** The same way where the link asks for the age, as one does by default: printed beside, a question more has no target. */
function askedFigures(
  slow: Measured['slow'],
  { comparator, ...line }: Pick<Figure, 'part' | 'unit' | 'note'> & Required<Pick<Figure, 'comparator'>>,
): Figure[] {
  const of = (read: (asked: AskedVisit) => number) => seconds(median(slow.map(({ asked }) => read(asked))));
  return [
    {
      ...line,
      figure: 'P2a',
      what: 'default link: tap to the age question',
      ours: of(({ questionMs }) => questionMs),
      comparator: { name: 'one round trip', value: 0.5625 },
    },
    {
      ...line,
      figure: 'P2b',
      what: 'default link: Yes to first sharp photo of the grid',
      ours: of(({ sharpMs }) => sharpMs),
    },
    {
      ...line,
      figure: 'P2d',
      what: 'default link: GET, door and age question tapped at once, to first sharp photo',
      ours: of(({ tappableMs, questionMs, sharpMs }) => tappableMs + questionMs + sharpMs),
      comparator,
    },
  ];
}

function byteFigures(slow: Runs): Figure[] {
  const common = { part: 'viewer', unit: 'KB' };
  const within = (gate: number, goal: number): { bound: Bound } => ({
    bound: { gate, goal, better: 'less', of: 'value', sets: 'exit' },
  });
  return [
    {
      ...common,
      figure: 'P3a',
      what: 'bytes that the door needs',
      ours: ofOurs(slow, 'doorBytes') / 1000,
      ...within(40, 15),
    },
    {
      ...common,
      figure: 'P3b',
      what: 'bytes until the first sharp photo, tapped at once',
      ours: ofOurs(slow, 'sharpBytes') / 1000,
      ...within(130, 80),
    },
  ];
}

function vitalFigures(slow: Runs): Figure[] {
  const common = { part: 'viewer', figure: 'P3c' };
  const printed = { better: 'less', of: 'value', sets: 'print' } as const;
  return [
    {
      ...common,
      what: 'CLS, from the link to a full photo',
      unit: '–',
      ours: ofOurs(slow, 'cls'),
      bound: { gate: 0.05, goal: 0.02, better: 'less', of: 'value', sets: 'exit' },
    },
    {
      ...common,
      what: 'TBT, from the link to a full photo',
      unit: 'ms',
      ours: ofOurs(slow, 'tbtMs'),
      bound: { ...printed, gate: 300, goal: 200 },
    },
    { ...common, what: 'INP', unit: 'ms', ours: ofOurs(slow, 'inpMs'), bound: { ...printed, gate: 200, goal: 100 } },
  ];
}
