import { ChevronDown } from 'lucide-react';
import { visitGapMs } from '#features/access/rules.ts';
import { minuteMs } from '#kit/time.ts';

/** The words of every figure: what is shown is what is counted. */
const definitions: readonly (readonly [string, string])[] = [
  ['Open', "Someone tapped Open and got in. A link preview in a chat doesn't count."],
  ['Visit', `One viewer on one link, with pauses shorter than ${visitGapMs / minuteMs} minutes.`],
  ['View', 'A visit in which photos or a video were on the screen for 2 seconds. Once per visit.'],
  ['Unique viewer', "A different person's browser. Someone who comes back is still counted once."],
  [
    'Watch time',
    "Counted only while your photos or videos are on a screen that's active and awake, and never for longer than has passed by our clock. It stops after 5 minutes without a touch, but a playing video counts to its end. A paused video counts like a photo.",
  ],
  [
    'Play',
    "At least 3 seconds of a video in one go, or all of a shorter one. “Watched to the end” means nine tenths of it in one go. Skipped parts don't count, and parts watched twice count once.",
  ],
  [
    'How far people came',
    "People by link: someone who comes by two links is counted at each. “Tapped Open” is everyone whose browser asked a link to open, let in or not. A browser is known by the cookie it gets with the first answer, so one that keeps none is counted only once it's let in, and of those who aren't let in at most 1,000 a day are counted for each link. “At the gates” leaves out those for whom the link was over, full or not open. “Let in” and “Viewed” are opens and views of this period. “Paid” are those of them who paid by that link in this period and didn't get everything back. Anonymous payments are left out, so they can't be tied to anyone.",
  ],
  [
    'Earned',
    'What you earned in these days, after our part and refunds: the same figure, from the same books, as on the page of earnings.',
  ],
  [
    'Paid in all',
    "What a viewer has paid you at any time and didn't get back. Anonymous payments and custom work aren't shown with anyone.",
  ],
  [
    'Not counted',
    "Your own visits on any device where you're signed in, bots, and opens with nothing on screen for 2 seconds: each is listed with its reason. A bot that says what it is, like a search engine or a scanner, is refused and listed by link. A browser that says it's automated, by its name or its own signal, gets in like any other and is listed as a bot; one that hides it is counted. A link preview in a chat only loads the neutral page, which doesn't belong to any link.",
  ],
  [
    'Where',
    "The country of the connection. If that isn't known, the phone's time zone, marked “estimated”; otherwise “Unknown”. The address itself isn't kept.",
  ],
];

/** What each figure means, folded away. */
export function HowWeCount() {
  return (
    <details className="group rounded-card border border-line bg-raised">
      <summary className="flex min-h-13 cursor-pointer list-none items-center justify-between gap-3 rounded-card px-5 font-strong [&::-webkit-details-marker]:hidden">
        How we count
        <ChevronDown className="transition group-open:rotate-180" />
      </summary>
      <dl className="grid gap-x-6 gap-y-3 px-5 pb-5 md:grid-cols-[9rem_1fr]">
        {definitions.map(([word, meaning]) => (
          <div key={word} className="md:contents">
            <dt className="font-strong">{word}</dt>
            <dd className="text-quiet">{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
