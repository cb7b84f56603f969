import { type Fact, NotTried, type Side } from './side.ts';

/** One thing that is tried on both sides, and what came of it in plain words and whole cents. */
export interface Step {
  name: string;
  run(side: Side): Promise<{ [name: string]: Fact }>;
  /** What has to come of it where the sandbox has no counterpart; it is not tried there. */
  expects?: { [name: string]: Fact };
}

export type Outcome =
  | { kind: 'facts'; facts: { [name: string]: Fact } }
  | { kind: 'not_tried'; why: string }
  | { kind: 'failed'; error: unknown };

/** A difference that is known and why it is none, or not yet. */
export interface Known {
  step: string;
  /** The name of the fact, as it is printed. */
  fact: string;
  because: string;
}

export interface Verdict {
  step: string;
  kind: 'same' | 'known' | 'differs' | 'not_tried' | 'failed';
  lines: string[];
}

export async function tryStep(step: Step, side: Side): Promise<Outcome> {
  try {
    return { kind: 'facts', facts: await step.run(side) };
  } catch (error) {
    return error instanceof NotTried ? { kind: 'not_tried', why: error.message } : { kind: 'failed', error };
  }
}

/** Every fact by its whole name. */
function flatten(fact: Fact, name: string): [string, string][] {
  if (fact === null || typeof fact !== 'object') return [[name, JSON.stringify(fact)]];
  const parts = Object.entries(fact).flatMap(([part, inner]) => flatten(inner, name === '' ? part : `${name}.${part}`));
  return parts.length > 0 || name === '' ? parts : [[name, 'none']];
}

const errorWords = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : `${error}`;

/** Compares what came of a step on the two sides. */
export function judge(step: Step, ours: Outcome, theirs: Outcome, known: readonly Known[]): Verdict {
  const verdict = (kind: Verdict['kind'], lines: string[] = []): Verdict => ({ step: step.name, kind, lines });
  for (const [side, outcome] of [
    ['sandbox', ours],
    ['there', theirs],
  ] as const)
    if (outcome.kind === 'failed') return verdict('failed', [`${side}: ${errorWords(outcome.error)}`]);
  for (const [side, outcome] of [
    ['in the sandbox', ours],
    ['there', theirs],
  ] as const)
    if (outcome.kind === 'not_tried') return verdict('not_tried', [`${side}: ${outcome.why}`]);
  if (ours.kind !== 'facts' || theirs.kind !== 'facts') return verdict('failed');
  const [left, right] = [new Map(flatten(ours.facts, '')), new Map(flatten(theirs.facts, ''))];
  const names = [...new Set([...left.keys(), ...right.keys()])].filter((name) => left.get(name) !== right.get(name));
  if (names.length === 0) return verdict('same');
  const reasonOf = (name: string) => known.find((one) => one.step === step.name && one.fact === name)?.because;
  const lines = names.map((name) => {
    const because = reasonOf(name);
    const sides = `${name}: ${left.get(name) ?? 'nothing'} in the sandbox, ${right.get(name) ?? 'nothing'} there`;
    return because === undefined ? sides : `${sides} – ${because}`;
  });
  return verdict(names.every((name) => reasonOf(name) !== undefined) ? 'known' : 'differs', lines);
}

/** Runs a step on both sides, one after the other. */
export async function compare(
  step: Step,
  sides: { ours: Side; theirs: Side },
  known: readonly Known[],
): Promise<{ verdict: Verdict; ours: Outcome }> {
  const ours: Outcome =
    step.expects === undefined ? await tryStep(step, sides.ours) : { kind: 'facts', facts: step.expects };
  return { ours, verdict: judge(step, ours, await tryStep(step, sides.theirs), known) };
}

const words: Readonly<Record<Verdict['kind'], string>> = {
  same: 'same',
  known: 'same but for what is known',
  differs: 'DIFFERS',
  not_tried: 'not tried',
  failed: 'FAILED',
};

/** What is printed of a step. */
export const printVerdict = ({ step, kind, lines }: Verdict, at: number): string =>
  [`${String(at + 1).padStart(3)}  ${step}: ${words[kind]}`, ...lines.map((line) => `       ${line}`)].join('\n');
