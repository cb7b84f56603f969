import { ago, type Look, type Person, person, photos } from './demo-people.ts';

/** What the creator sells in their week. */
export const [albumCents, tierCents] = [2500, 999];

/** A payment of the week: at which link, and when. */
export interface PlannedPayment {
  who: Person;
  email: string;
  link: 'Sea week' | 'Thank you' | 'Inner circle';
  /** Before the week's end. */
  agoMs: number;
  amountCents: number;
  message?: string;
  isAnonymous?: boolean;
  /** It is given back so long before the week's end. */
  returnedAgoMs?: number;
  /** The bank asks for it back so long before the week's end. */
  disputedAgoMs?: number;
  looks: readonly Look[];
}

const fan = (name: string, ...from: [place: Parameters<typeof person>[1], browser: Parameters<typeof person>[2]]) => ({
  who: person(name, ...from),
  email: `${name.toLowerCase()}@example.com`,
});

const sale = { link: 'Sea week', amountCents: albumCents } as const;
const tip = (dollars: number) => ({ link: 'Thank you', amountCents: dollars * 100 }) as const;
const month = { link: 'Inner circle', amountCents: tierCents } as const;

/** Who paid, oldest first. */
export const payments: readonly PlannedPayment[] = [
  {
    ...fan('Emil', 'AT', 'android'),
    ...tip(80),
    agoMs: ago(7, 9),
    message: 'The dunes at dusk!',
    looks: photos(9, 14),
  },
  { ...fan('Nora', 'NL', 'safari'), ...sale, agoMs: ago(6, 20), looks: photos(12, 8, 17, 6) },
  { ...fan('Marco', 'IT', 'windows'), ...month, agoMs: ago(6, 1), looks: photos(7, 5, 21) },
  { ...fan('Ruth', 'GB', 'mac'), ...sale, agoMs: ago(4, 6), disputedAgoMs: ago(0, 22), looks: photos(15, 9, 7) },
  { ...fan('Otis', 'US', 'safari'), ...tip(10), agoMs: ago(3, 11), isAnonymous: true, looks: photos(6) },
  { ...fan('Ines', 'PT', 'samsung'), ...sale, agoMs: ago(2, 22), returnedAgoMs: ago(2, 3), looks: photos(3) },
  { ...fan('Yuki', 'JP', 'safari'), ...month, agoMs: ago(1, 16), looks: photos(11, 6) },
  {
    ...fan('Kurt', 'DE', 'edge'),
    ...tip(50),
    agoMs: ago(0, 19),
    message: 'More of the sea, please.',
    looks: photos(8, 4),
  },
];
