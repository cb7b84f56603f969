import * as z from 'zod';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise } from '#wire/promise.ts';

const tags = ['admin'];
const Nothing = z.object({});

/** `left_out`: a step before it that it needs has failed; `not_run`: it cannot be made in this installation. */
export const StepState = z.enum(['waiting', 'running', 'passed', 'failed', 'left_out', 'not_run']);
export type StepState = z.infer<typeof StepState>;

/** One step of a run, and what it said. */
export const CheckStep = z.object({
  key: z.string(),
  title: z.string(),
  state: StepState,
  /** Null until it has ended. */
  ms: z.int().nullable(),
  /** What it found, or why it failed; empty for nothing. */
  said: z.string(),
});
export type CheckStep = z.infer<typeof CheckStep>;

/** `died`: its process ended before it did. */
export const CheckResult = z.enum(['green', 'red', 'cancelled', 'died']);
export type CheckResult = z.infer<typeof CheckResult>;

/** What a run is of that is not of the whole: its steps, and those that they need. */
export const CheckPart = z.enum(['payment']);
export type CheckPart = z.infer<typeof CheckPart>;

/** A run of the full check. */
export const FullCheck = z.object({
  id: Uuid,
  /** Null for the whole check. */
  part: CheckPart.nullable(),
  startedAt: z.date(),
  endedAt: z.date().nullable(),
  /** Null while it runs. */
  result: CheckResult.nullable(),
  /** It was asked to end. */
  isEnding: z.boolean(),
  /** An administrator began it here; else it is the one of the night, or from the command line. */
  isByHand: z.boolean(),
  steps: z.array(CheckStep),
});
export type FullCheck = z.infer<typeof FullCheck>;

/** The product, end to end, on accounts that are made for it and erased again. */
export const fullCheckContract = {
  /** The newest run with its steps, and those before it: of one part, or of the whole. */
  show: adminPromise('owner')
    .route({ method: 'GET', path: '/admin/full-check', tags })
    .input(z.object({ part: CheckPart.optional() }).optional())
    .output(z.object({ runs: z.array(FullCheck), isNightly: z.boolean() })),
  /** Begins a run; while one of the same is under way, answers with that one. @throws CONFLICT while another one is */
  start: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/full-check/start', tags })
    .input(z.object({ part: CheckPart.optional() }))
    .output(z.object({ id: Uuid, isNew: z.boolean() })),
  /** Ends the run that is under way after its present step; what it has made is erased. */
  cancel: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/full-check/cancel', tags })
    .input(Nothing)
    .output(Nothing),
};
