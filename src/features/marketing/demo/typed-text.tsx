import { cx } from '#ui/cx.ts';
import { cutTyped, type Pace, typedLength, typingMs } from './typing.ts';

/** The cursor blinks on for as long after the last character. */
const restMs = 1500;

type TypedTextProps = Pace & { children: string; sceneMs: number; className?: string };

/**
 * A text that is typed while one looks; it takes its whole place from the first moment, and is read out whole. Where no script
 * runs, or nothing is to move, it stands whole before React has come.
 */
export function TypedText({ children: text, sceneMs, className, ...pace }: TypedTextProps) {
  const { typed, rest } = cutTyped(text, typedLength(text, sceneMs, pace));
  const isTyping = sceneMs >= (pace.delayMs ?? 0) && sceneMs < typingMs(text, pace) + restMs;
  return (
    <span className={cx('block', className)}>
      <span className="sr-only">{text}</span>
      <span aria-hidden="true">
        <span>{typed}</span>
        {isTyping && (
          // Without a width of its own: it must never break a word.
          <span className="relative">
            <span className="absolute bottom-[0.02em] left-[0.06em] h-[0.86em] w-[0.07em] min-w-0.5 animate-blink rounded-full bg-ember" />
          </span>
        )}
        <span className="invisible motion-reduce:visible noscript:visible">{rest}</span>
      </span>
    </span>
  );
}
