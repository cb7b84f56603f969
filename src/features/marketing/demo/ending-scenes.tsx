import { Ban, CircleSlash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, drawButton } from '#ui/buttons/button.tsx';
import { cx } from '#ui/cx.ts';
import { Card } from '#ui/layout/card.tsx';
import { LiveDot } from '#ui/live-dot.tsx';
import { sampleNote } from '../claims/claims.ts';
import lamp from '../pictures/lamp.webp?no-inline';
import { ViewerHandset } from './handset.tsx';
import { Appearing, findClaim, type SceneProps, screenType, titleType } from './scene.tsx';
import { TypedText } from './typed-text.tsx';

/** Nobody has to tap: the story goes on by itself. */
const revokedAtMs = 6500;

/** Scene 6: a screen is open, and one tap closes it. The button works. */
export function RevokeScene({ sceneMs }: SceneProps) {
  const [isTapped, setTapped] = useState(false);
  // Where nothing moves by itself, it waits for the tap.
  const isRevoked = isTapped || (sceneMs > revokedAtMs && Number.isFinite(sceneMs));
  return (
    <div className="grid w-full max-w-250 items-center justify-items-center gap-x-16 gap-y-6 md:grid-cols-[1.3fr_1fr]">
      <div className="grid w-full max-w-130 gap-6">
        <h2 className={cx(titleType, 'max-md:text-center')}>
          <TypedText sceneMs={sceneMs} delayMs={200} stepMs={60}>
            Something feels wrong? Take it back.
          </TypedText>
        </h2>
        <Card className="light grid gap-4 text-ink shadow-soft">
          <p className="flex items-center gap-3.5">
            <img src={lamp} alt="" width="360" height="360" className="size-16 rounded-photo object-cover" />
            <span className="grid min-w-0 flex-1 gap-0.5">
              <strong className="text-17">{isRevoked ? "Bob's screen is closed" : 'Bob is looking now'}</strong>
              <span className="flex items-center gap-2.5 text-13 text-quiet">
                {isRevoked ? <CircleSlash2 className="text-rust" /> : <LiveDot />}
                <span className="truncate">Golden hour · 1 min 46 s</span>
              </span>
            </span>
          </p>
          {isRevoked ? (
            <p
              role="status"
              className="grid min-h-13 place-items-center rounded-control bg-rust-wash px-4 text-center text-17 font-strong text-rust"
            >
              Link REVOKED Forever
            </p>
          ) : (
            <Button
              variant="danger"
              size="large"
              icon={Ban}
              className={cx('tracking-wide', sceneMs > revokedAtMs - 400 && Number.isFinite(sceneMs) && 'scale-96')}
              onClick={() => setTapped(true)}
            >
              REVOKE
            </Button>
          )}
        </Card>
        <Appearing
          isThere={isRevoked && (isTapped || sceneMs > 8300)}
          className="text-17 text-quiet max-md:text-center short:hidden"
        >
          No more keys are given out, and the open screen goes dark.
        </Appearing>
      </div>
      <figure className="grid justify-items-center gap-3 max-md:order-first" aria-hidden="true">
        <ViewerHandset
          isClosed={isRevoked}
          className="h-[min(17rem,30dvh)] w-44 max-md:low:h-[22dvh] md:h-118 md:w-60 short:hidden"
        />
        <figcaption className="text-13 text-quiet max-md:hidden">Bob's phone</figcaption>
      </figure>
    </div>
  );
}

/** Scene 7: what whoever has the link sees from then on. */
export function DeniedScene({ sceneMs }: SceneProps) {
  return (
    <div className="grid max-w-270 justify-items-center gap-7 text-center">
      <Appearing isThere={sceneMs > 500} className="text-15 text-quiet">
        Bob taps the link again
      </Appearing>
      <h2
        className={cx(
          'font-display text-[clamp(3rem,min(19vw,20vh),8rem)] leading-none font-title tracking-tight text-rust transition duration-300',
          sceneMs < 1400 && 'scale-110 opacity-0 motion-reduce:scale-100',
        )}
      >
        ACCESS DENIED
      </h2>
      <p className="text-21 text-balance">
        <TypedText sceneMs={sceneMs} delayMs={2200} stepMs={55}>
          This link was closed by its owner.
        </TypedText>
      </p>
      <Appearing isThere={sceneMs > 4800} className="text-17 text-balance text-quiet">
        It can't be opened again, and it can't be bought again.
      </Appearing>
    </div>
  );
}

/** Scene 8: the way in. It stays. */
export function InvitationScene({ sceneMs, claims, keptPercent, terms }: SceneProps) {
  const claimed = [findClaim(claims, 'private'), findClaim(claims, 'protected')].filter((claim) => claim !== undefined);
  const stats = [{ figure: `${keptPercent}%`, text: 'earnings kept' }, ...claimed];
  return (
    <div className="grid max-w-250 justify-items-center gap-9 text-center short:gap-5">
      <h2 className={screenType}>
        <TypedText sceneMs={sceneMs} delayMs={300} stepMs={60}>
          Your photos.
        </TypedText>
        <TypedText sceneMs={sceneMs} delayMs={1300} stepMs={60}>
          Your rules.
        </TypedText>
        <TypedText sceneMs={sceneMs} delayMs={2200} stepMs={60}>
          Your off switch.
        </TypedText>
      </h2>
      <Appearing isThere={sceneMs > 3400} className="grid justify-items-center gap-3">
        <a href="/auth?action=signup" className={drawButton({ size: 'large' }, 'px-9')}>
          Start Free Trial
        </a>
        <span className="text-13 text-balance">{terms}</span>
      </Appearing>
      <Appearing isThere={sceneMs > 4200} className="grid justify-items-center gap-2">
        <dl className="grid auto-cols-fr grid-flow-col">
          {stats.map(({ figure, text }) => (
            <div key={text} className="grid content-start border-ink/25 px-4 not-first:border-l max-sm:px-2.5 md:px-9">
              <dt className="order-last text-13">{text}</dt>
              <dd className="font-display text-28 font-title md:text-38">{figure}</dd>
            </div>
          ))}
        </dl>
        {claimed.some(({ isSample }) => isSample) && <p className="text-13">{sampleNote}</p>}
      </Appearing>
    </div>
  );
}
