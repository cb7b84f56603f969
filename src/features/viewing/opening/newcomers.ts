import type { Question } from '#features/access/store.ts';
import type { Passed } from './admissions-store.ts';
import type { Judged } from './gates.ts';

/** Returns whether something was said at a gate that is kept. */
export const hasPassed = ({ age, passwordVersion, agreed }: Passed): boolean =>
  age || passwordVersion !== undefined || agreed !== undefined;

/** Whether this is somebody of whom a row is about to be made: let in, or past a gate. */
export const isNewcomer = (question: Question | undefined, { decision, passed, requestStep }: Judged): boolean =>
  question !== undefined &&
  question.viewer === undefined &&
  (decision.ok || hasPassed(passed) || requestStep === 'request');
