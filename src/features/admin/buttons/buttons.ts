import { readFile } from 'node:fs/promises';
import { dayMs } from '#kit/time.ts';
import type { AdminContext } from '#wire/context.ts';
import type { ControlRow } from '../buttons-contract.ts';
import { readFigures } from '../figures-store.ts';

/** Written by `npm run buttons`, and checked to be current by `npm run check`. */
const register = new URL('controls.tsv', import.meta.url);
let reading: Promise<Omit<ControlRow, 'calls' | 'errors'>[]> | undefined;

/** Shows the register, with how the procedures of each control went in the last day. */
export async function showButtons({ engines, asSystem }: AdminContext): Promise<ControlRow[]> {
  reading ??= readFile(register, 'utf8').then(parseRegister);
  const [controls, figures] = await Promise.all([
    reading,
    asSystem((tx) => readFigures(tx, new Date(engines.clock() - dayMs))),
  ]);
  const byName = new Map(figures.flatMap((figure) => (figure.kind === 'procedure' ? [[figure.name, figure]] : [])));
  return controls.map((control) => {
    const its = control.procedures.flatMap((name) => byName.get(name) ?? []);
    const sum = (field: 'calls' | 'errors') => its.reduce((all, figure) => all + figure[field], 0);
    return { ...control, calls: sum('calls'), errors: sum('errors') };
  });
}

const split = (words = ''): string[] => (words === '' ? [] : words.split(' '));

/** Returns the register's lines as rows. */
export const parseRegister = (text: string): Omit<ControlRow, 'calls' | 'errors'>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', kind = '', name = '', pages, who = '', outcome, procedures, journeys] = line.split('\t');
      return {
        id,
        kind,
        name,
        room: id.split('/')[0] ?? '',
        pages: split(pages),
        who,
        isDead: outcome === 'dead',
        procedures: split(procedures),
        journeys: split(journeys),
      };
    });
