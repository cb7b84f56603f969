import { readFile } from 'node:fs/promises';

/** Something that people press, as the sources of the pages draw it. */
export interface Control {
  /** Where it is drawn, what it is and how it is called. */
  id: string;
  kind: string;
  /** `…` stands for what is only known while it runs; ` / ` stands between what it is called in different states. */
  name: string;
  room: string;
  /** Addresses of pages on which it may stand, and `+` how many more. */
  pages: string[];
  who: string;
  /** Nothing follows when it is pressed. */
  isDead: boolean;
  procedures: string[];
  journeys: string[];
}

/** What a browser saw pressed before something went wrong. */
export interface PressedControl {
  kind: string;
  name: string;
}

/** Written by `npm run buttons`, and checked to be current by `npm run check`. */
const register = new URL('controls.tsv', import.meta.url);
let reading: Promise<Control[]> | undefined;

/** Reads everything that people press, once. */
export function readRegister(): Promise<Control[]> {
  reading ??= readFile(register, 'utf8')
    .then(parseRegister)
    .catch((error: unknown) => {
      reading = undefined; // the next one reads again
      throw error;
    });
  return reading;
}

const split = (words = ''): string[] => (words === '' ? [] : words.split(' '));

/** Returns the register's lines as rows. */
export const parseRegister = (text: string): Control[] =>
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

/** Returns whether a control of the register is called so in one of its states. A name that is only known while it runs is no name. */
const isCalled = (control: Control, { kind, name }: PressedControl): boolean =>
  control.kind === kind && name !== '…' && control.name.split(' / ').includes(name);

/** Names a control in the log of errors. */
export const nameControl = ({ kind, name }: PressedControl): string => `${kind} “${name}”`;

/** Names a control that was pressed, if it is one of ours: other words may be of a person, and are not kept. */
export async function nameKnownControl(pressed: PressedControl | undefined): Promise<string | undefined> {
  if (pressed === undefined) return undefined;
  const isKnown = (await readRegister()).some((control) => isCalled(control, pressed));
  return isKnown ? nameControl(pressed) : undefined;
}
