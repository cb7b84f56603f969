import { ChevronDown } from 'lucide-react';

/** The words of every figure: what is shown is what is counted. */
const definitions: readonly (readonly [string, string])[] = [
  ['Open', "Someone tapped Open and got in. A link preview in a chat doesn't count."],
  ['Visit', 'One viewer on one link, with pauses shorter than 10 minutes.'],
  ['View', 'A visit in which photos or a video were on the screen for 2 seconds. Once per visit.'],
  ['Unique viewer', "A different person's browser. Someone who comes back still counts once."],
  [
    'Watch time',
    'Only while your photos or videos are on a screen that is in front and awake, and never more than has passed by our clock. It stops after 5 minutes without a touch, but a video that plays counts to its end, untouched. One that is paused counts as a photo does.',
  ],
  [
    'Play',
    'At least 3 seconds of a video in one look, of a shorter one all of it. To the end: nine tenths of it were seen in one look. What was jumped over is not seen, and what was seen twice counts once.',
  ],
  [
    'Not counted',
    'Your own looks on any device where you are signed in, programs, and opens in which nothing was seen for 2 seconds: each is listed with its reason. A program that says what it is – a search robot, a scanner – is refused and listed by link. A browser that says a program drives it, by its name or by its own sign for that, gets in like anybody and is listed as a program; one that hides it is counted. A preview in a chat only asks for the neutral page, which belongs to no link.',
  ],
  [
    'Where',
    "The country of the connection. When it does not tell, the phone's time zone, marked “estimated”. Else “Unknown”. The address itself is not kept.",
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
