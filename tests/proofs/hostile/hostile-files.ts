/** A damaged or hostile file, and the name that its sender gave it. */
export interface HostileFile {
  what: string;
  name: string;
  bytes: Buffer;
  /** Its end where only one is right: why it is refused, or null where it must be made. */
  code?: string | null;
}

/** Repeatable numbers from 0 to 1. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** Names that a program, a shell, a database, a page or a file system could take for something else. */
export const hostileNames = [
  '../../etc/passwd',
  '..\\..\\video.mp4',
  '/etc/passwd',
  'a\u202Egpj.exe',
  '<img src=x onerror=alert(1)>.jpg',
  `${'n'.repeat(5000)}.jpg`,
  'CON',
  '=cmd|calc.jpg',
  '{{7*7}}.jpg',
  "';drop table media;--.jpg",
  'video\0.mp4',
  'video%00.mp4',
  '-i',
  '-f lavfi -i testsrc',
  'concat:a.mp4|b.mp4',
  'pipe:0',
  'two\nlines.mp4',
  '\ud800.mp4',
  // Cut to the longest name there may be, it ends in the middle of a letter.
  `n${'\u{1f600}'.repeat(200)}`,
  'photo.jpg',
];

/** Files under hostile names, one after another. */
export const named = (files: readonly HostileFile[]): HostileFile[] =>
  files.map((file, n) => ({ ...file, name: hostileNames[n % hostileNames.length] ?? '' }));

/** What may happen to a good file; `random` gives numbers from 0 to 1. */
const accidents: [what: string, change: (bytes: Buffer, random: () => number) => Buffer][] = [
  ['cut short', (bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length))],
  [
    'bit noise',
    (bytes, random) => {
      for (let n = 0; n < 40; n++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      return bytes;
    },
  ],
  [
    'noise in the head',
    (bytes, random) => {
      for (let n = 0; n < Math.min(4096, bytes.length); n++) if (random() < 0.05) bytes[n] = Math.floor(random() * 256);
      return bytes;
    },
  ],
  [
    'a block twice',
    (bytes, random) => {
      const at = Math.floor(random() * bytes.length);
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 5000))]);
    },
  ],
  [
    'lengths of 0xffff',
    (bytes, random) => {
      const at = Math.floor(random() * bytes.length);
      return bytes.fill(0xff, at, Math.min(bytes.length, at + 4));
    },
  ],
  [
    'random bytes behind its type',
    (bytes, random) => {
      const from = Math.min(bytes.length, 12 + Math.floor(random() * 52));
      for (let n = from; n < bytes.length; n++) bytes[n] = Math.floor(random() * 256);
      return bytes;
    },
  ],
];
export const accidentCount = accidents.length;

/** A good file after an accident. @param which by its number; any when left out */
export function damage(
  good: Buffer,
  random: () => number,
  which = Math.floor(random() * accidents.length),
): { what: string; bytes: Buffer } {
  const [what, change] = accidents[which % accidents.length] ?? ['', (bytes: Buffer) => bytes];
  return { what, bytes: change(Buffer.from(good), random) };
}
