import type { ComponentProps, ReactNode } from 'react';

/** A rule that reads like speech, in the large face: "For Bob, opens once paid $10." */
export function Sentence({ children }: { children: ReactNode }) {
  return <p className="font-display text-28 leading-[1.35] font-title tracking-tight">{children}</p>;
}

/** A word of the sentence that can be tapped and changed; give it to `Menu` or `Popover` as the trigger. */
export function SentenceWord({ children, ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...rest}
      className="touch-44 inline max-w-full text-left wrap-anywhere text-plum underline decoration-dotted decoration-[1.5px] underline-offset-5 transition hover:decoration-solid"
    >
      {children}
    </button>
  );
}
