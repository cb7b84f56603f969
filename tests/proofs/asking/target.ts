import type { ProcedureMeta, Subject } from '#wire/promise.ts';
import type { Procedure } from './procedures.ts';

/** Our own pages call procedures by RPC, everybody else by the address of their contract; a raw route has one door. */
export type Door = 'rpc' | 'rest' | 'raw';

/** A procedure or a raw route, with the words beside it that say who may call it. */
export interface Target {
  /** `links.create`, `GET /api/me` */
  name: string;
  meta: Omit<ProcedureMeta, 'who' | 'subject'> & { who: readonly string[]; subject: Subject | undefined };
  doors: readonly [Door, ...Door[]];
  /** None of a raw route. */
  procedure?: Procedure;
}

export const targetOf = (procedure: Procedure): Target => {
  const { name, meta } = procedure;
  return { name, meta, doors: ['rpc', 'rest'], procedure };
};
export const isRaw = ({ procedure }: Target): boolean => procedure === undefined;
