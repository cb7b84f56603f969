import { type ReactNode, useEffect, useRef } from 'react';

/** What is to be done now. It has the focus when it appears: the button that led here is gone. */
export function StepTitle({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <h3 ref={ref} tabIndex={-1} className="text-17 outline-none">
      {children}
    </h3>
  );
}
