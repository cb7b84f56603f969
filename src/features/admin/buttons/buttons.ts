import { type Control, nameControl, readRegister } from '#features/support/control-register.ts';
import { redactPath } from '#kit/redacted-path.ts';
import { dayMs } from '#kit/time.ts';
import type { Desk } from '../acting.ts';
import type { ControlRow } from '../buttons-contract.ts';
import { type DayFigure, readDayFigures, readFigures } from '../figures-store.ts';
import { countPageErrors, type PageErrors } from './page-errors-store.ts';
import { findPasses, type Pass } from './passes-store.ts';

/** Facts about the procedures of controls, and of the pages on which these stand. */
interface ControlFacts {
  /** Of the last 24 hours. */
  today: ReadonlyMap<string, DayFigure>;
  /** Of the last 30 days. */
  month: ReadonlyMap<string, DayFigure>;
  pageErrors: readonly PageErrors[];
  passes: ReadonlyMap<string, Pass>;
}

/** Shows the register, with how often the procedures of each control are called, what fails behind it, and when a full check last passed it. */
export async function showButtons({ engines, asSystem }: Desk): Promise<ControlRow[]> {
  const now = engines.clock();
  const since = new Date(now - dayMs);
  const controls = await readRegister();
  const facts = await asSystem(
    async (tx): Promise<ControlFacts> => ({
      today: byName((await readFigures(tx, since)).filter(({ kind }) => kind === 'procedure')),
      month: byName(await readDayFigures(tx, new Date(now - 29 * dayMs))),
      pageErrors: await countPageErrors(tx, since),
      passes: new Map((await findPasses(tx)).map((pass) => [pass.procedure, pass])),
    }),
  );
  return controls.map((control) => ({ ...control, ...describeUse(control, facts) }));
}

const byName = (figures: readonly DayFigure[]) => new Map(figures.map((figure) => [figure.name, figure]));

type ControlUsage = Pick<ControlRow, 'calls' | 'failedCalls' | 'errors' | 'passedAt'>;

function describeUse(control: Control, { today, month, pageErrors, passes }: ControlFacts): ControlUsage {
  const sum = (figures: ReadonlyMap<string, DayFigure>, field: 'calls' | 'errors') =>
    control.procedures.reduce((all, name) => all + (figures.get(name)?.[field] ?? 0), 0);
  return {
    calls: sum(month, 'calls'),
    failedCalls: sum(month, 'errors'),
    errors: sum(today, 'errors') + sumPageErrors(control, pageErrors),
    passedAt: whenAllPassed(control.procedures, passes),
  };
}

/** Returns since when all of some procedures have passed; null where one of them never has, or there is none. */
function whenAllPassed(procedures: readonly string[], passes: ReadonlyMap<string, Pass>): Date | null {
  const times = procedures.flatMap((name) => passes.get(name)?.passedAt ?? []);
  if (times.length === 0 || times.length < procedures.length) return null;
  return new Date(Math.min(...times.map((at) => at.getTime())));
}

const sumPageErrors = (control: Control, pageErrors: readonly PageErrors[]): number => {
  const names = control.name.split(' / ').map((name) => nameControl({ kind: control.kind, name }));
  return pageErrors
    .filter(({ component, page }) => names.includes(component) && standsOn(control, page))
    .reduce((all, { errors }) => all + errors, 0);
};

/** The register names only some pages of what stands on many. */
const standsOn = ({ pages }: Control, page: string | null): boolean =>
  page === null || page === '*' || pages.some((one) => one.startsWith('+') || redactPath(one) === page);
