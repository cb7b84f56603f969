import { type Control, nameControl, readRegister } from '#features/support/control-register.ts';
import { redactPath } from '#kit/redacted-path.ts';
import { dayMs } from '#kit/time.ts';
import type { AdminContext } from '#wire/context.ts';
import type { ControlRow } from '../buttons-contract.ts';
import { readFigures } from '../figures-store.ts';
import { countPageErrors, type PageErrors } from './page-errors-store.ts';

/** Shows the register, with how the procedures of each control went in the last day, and what went wrong in pages behind it. */
export async function showButtons({ engines, asSystem }: AdminContext): Promise<ControlRow[]> {
  const since = new Date(engines.clock() - dayMs);
  const controls = await readRegister();
  const [figures, pageErrors] = await asSystem(async (tx) => [
    await readFigures(tx, since),
    await countPageErrors(tx, since),
  ]);
  const byName = new Map(figures.flatMap((figure) => (figure.kind === 'procedure' ? [[figure.name, figure]] : [])));
  return controls.map((control) => {
    const its = control.procedures.flatMap((name) => byName.get(name) ?? []);
    const sum = (field: 'calls' | 'errors') => its.reduce((all, figure) => all + figure[field], 0);
    return { ...control, calls: sum('calls'), errors: sum('errors') + sumPageErrors(control, pageErrors) };
  });
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
