import {
  Eye,
  Images,
  type LucideIcon,
  MessageCircle,
  Phone,
  Star,
  Undo2,
  UserRound,
  UserRoundCheck,
} from 'lucide-react';
import { Brand } from '#ui/brand.tsx';
import { cx } from '#ui/cx.ts';
import { spreadMs } from './backdrop.tsx';
import { Appearing, DemoClaim, findClaim, type SceneProps, screenType } from './scene.tsx';
import { TypedText } from './typed-text.tsx';

/** Scene 1: what everybody fears, in two sentences. */
export function HookScene({ sceneMs, claims }: SceneProps) {
  return (
    <div className="grid max-w-250 gap-5 self-end text-center">
      <p className="text-15 text-quiet tabular-nums">{sceneMs < spreadMs ? '2:14 AM' : '7:30 AM'}</p>
      <h2 className={screenType}>
        <TypedText sceneMs={sceneMs} delayMs={700} stepMs={80}>
          You sent it to one person.
        </TypedText>
        <TypedText sceneMs={sceneMs} delayMs={spreadMs} stepMs={80} className="text-ember">
          By morning, everyone had it.
        </TypedText>
      </h2>
      <DemoClaim claim={findClaim(claims, 'every 12 minutes')} isThere={sceneMs > 6800} />
    </div>
  );
}

const messages: readonly { icon: LucideIcon; from: string; text: string; at: number }[] = [
  { icon: MessageCircle, from: 'Nina', text: 'Is this you?', at: 500 },
  { icon: Images, from: 'Friday group', text: '47 new photos', at: 1600 },
  { icon: Phone, from: 'Mum', text: '3 missed calls', at: 2500 },
  { icon: UserRound, from: 'Unknown number', text: 'I have all of them.', at: 3200 },
];

/** Scene 2: the photos are out, and the messages come in. */
export function LeakScene({ sceneMs, claims }: SceneProps) {
  return (
    <div className="grid w-full max-w-270 items-center gap-x-16 gap-y-9 low:gap-y-5 sm:short:grid-cols-2 md:grid-cols-[1.15fr_1fr]">
      <div className="grid gap-6 text-center max-md:order-last md:text-left">
        <h2 className={screenType}>
          <TypedText sceneMs={sceneMs} delayMs={4300} stepMs={70}>
            A photo can't be unsent.
          </TypedText>
        </h2>
        <DemoClaim
          claim={findClaim(claims, 'rating')}
          isThere={sceneMs > 6600}
          className="md:justify-start"
          before={
            <span className="inline-flex items-center gap-2">
              <Brand />
              <Star className="fill-ember text-ember" />
            </span>
          }
        />
      </div>
      <ul className="mx-auto grid w-full max-w-110 gap-2.5">
        {messages.map(({ icon: Icon, from, text, at }, nth) => (
          <li
            key={from}
            className={cx(
              'flex items-center gap-3.5 rounded-card border border-line bg-raised/92 px-4 py-3.5 shadow-soft transition duration-300',
              sceneMs < at && 'translate-y-6 scale-95 opacity-0',
              nth === messages.length - 1 && 'border-rust/50',
            )}
          >
            <span
              className={cx(
                'grid size-10 flex-none place-items-center rounded-full',
                nth === messages.length - 1 ? 'bg-rust-wash text-rust' : 'bg-paper text-quiet',
              )}
            >
              <Icon />
            </span>
            <span className="min-w-0 flex-1">
              <span className="flex justify-between gap-3 text-13 text-quiet">
                <span className="truncate">{from}</span>
                <span>now</span>
              </span>
              <strong className="block truncate text-17">{text}</strong>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const promises: readonly { icon: LucideIcon; text: string }[] = [
  { icon: UserRoundCheck, text: 'You decide who opens it.' },
  { icon: Eye, text: 'You see when they look.' },
  { icon: Undo2, text: 'You can take it back.' },
];

/** Scene 3: what this product promises. */
export function PromiseScene({ sceneMs }: SceneProps) {
  return (
    <div className="grid max-w-270 justify-items-center gap-8 text-center md:gap-12">
      <Appearing isThere={sceneMs > 300}>
        <Brand className="text-28" />
      </Appearing>
      <h2 className={screenType}>
        <TypedText sceneMs={sceneMs} delayMs={1200} stepMs={70}>
          What if every link knew who it was for?
        </TypedText>
      </h2>
      <ul className="grid gap-x-12 gap-y-4 text-left lg:grid-cols-3">
        {promises.map(({ icon: Icon, text }, at) => (
          <li key={text}>
            <Appearing isThere={sceneMs > 5200 + 1500 * at} className="flex items-center gap-3 text-17">
              <Icon className="text-plum" />
              <span>{text}</span>
            </Appearing>
          </li>
        ))}
      </ul>
    </div>
  );
}
