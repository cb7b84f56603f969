import { ArrowLeft, Pause, Play } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { callMarketing } from './browser/call-marketing.ts';
import type { DemoEvent } from './contract.ts';
import { Backdrop, fetchBackdrops } from './demo/backdrop.tsx';
import { DeniedScene, InvitationScene, RevokeScene } from './demo/ending-scenes.tsx';
import { HookScene, LeakScene, PromiseScene } from './demo/opening-scenes.tsx';
import type { SceneProps } from './demo/scene.tsx';
import { sceneCount, sceneSeconds, shareOfScene } from './demo/scenes.ts';
import { type Story, useStory } from './demo/use-story.tsx';
import { EarningScene, UploadScene } from './demo/working-scenes.tsx';

const scenes = [
  HookScene,
  LeakScene,
  PromiseScene,
  UploadScene,
  EarningScene,
  RevokeScene,
  DeniedScene,
  InvitationScene,
] as const;

/** What the story says by the settings in force. */
export type StoryFacts = Omit<SceneProps, 'sceneMs'>;

/** The story of a leak that did not happen, in eight scenes that fill the screen. */
export function DemoStory(facts: StoryFacts) {
  const story = useStory(useCallback((scene: number) => void announceScene(scene), []));
  useEffect(fetchBackdrops, []);
  const Scene = scenes[story.scene - 1] ?? InvitationScene;
  return (
    <div className="dark isolate relative grid min-h-dvh grid-rows-[auto_1fr_auto] bg-paper text-ink">
      <h1 className="sr-only">PrivateFans in eight scenes</h1>
      <Backdrop scene={story.scene} sceneMs={story.sceneMs} />
      <Ways {...story} />
      <main
        id="main"
        tabIndex={-1}
        key={story.scene}
        className="relative grid animate-fade items-center justify-items-center overflow-x-clip px-5 py-5 outline-none md:px-10"
      >
        <Scene sceneMs={story.sceneMs} {...facts} />
      </main>
      <footer className="relative grid min-h-6 justify-items-center px-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] motion-reduce:min-h-20">
        {story.isStill && story.scene < sceneCount && (
          <Button size="large" className="px-10" onClick={story.next}>
            Next
          </Button>
        )}
        <noscript>
          <p className="text-center text-15 text-quiet">
            The story needs JavaScript. <a href="/diagram">How it works</a> tells the same without.
          </p>
        </noscript>
      </footer>
    </div>
  );
}

const way =
  'inline-flex size-11 flex-none items-center justify-center rounded-control text-ink/80 transition hover:bg-ink/10 hover:text-ink';

/** Back, how far it is, a way to hold it, and the way in for somebody who knows all that. */
function Ways({ scene, ms, isStill, isPaused, pauseOrGoOn }: Story) {
  return (
    <header className="relative flex items-center gap-1 px-2 pt-[max(0.75rem,env(safe-area-inset-top))] md:gap-2 md:px-5">
      <a href="/" aria-label="Back" className={way}>
        <ArrowLeft />
      </a>
      <div
        role="progressbar"
        aria-label="Scene"
        aria-valuemin={1}
        aria-valuemax={sceneCount}
        aria-valuenow={scene}
        aria-valuetext={`Scene ${scene} of ${sceneCount}`}
        className="flex flex-1 gap-1.5 px-1"
      >
        {sceneSeconds.map((start, at) => (
          <svg
            key={start}
            viewBox="0 0 100 1"
            preserveAspectRatio="none"
            aria-hidden="true"
            className="h-0.75 w-0 flex-1 rounded-full bg-ink/20"
          >
            <rect
              width={100 * (isStill ? Number(at < scene) : shareOfScene(at + 1, ms))}
              height="1"
              className="fill-ink"
            />
          </svg>
        ))}
      </div>
      {!isStill && scene < sceneCount && (
        <button type="button" aria-label={isPaused ? 'Play' : 'Pause'} className={way} onClick={pauseOrGoOn}>
          {isPaused ? <Play /> : <Pause />}
        </button>
      )}
      <a
        href="/auth"
        className="inline-flex min-h-11 flex-none items-center rounded-control px-3 font-strong transition hover:bg-ink/10"
      >
        Sign In
      </a>
    </header>
  );
}

/** Returns how far people get is counted; that it cannot be counted is nobody's trouble. */
async function announceScene(scene: number): Promise<void> {
  const event: DemoEvent = {
    path: '/demo',
    meta: {
      event_type: scene === 1 ? 'demo_start' : 'scene_transition',
      phase: `scene${scene}`,
      timestamp: new Date().toISOString(),
      user_agent: navigator.userAgent.slice(0, 500),
    },
  };
  try {
    const { ok, status } = await callMarketing('recordDemoEvent', event);
    if (!ok) throw new Error(`${status}`);
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: nobody else needs to know
    console.warn('The scene was not counted.', error);
  }
}
