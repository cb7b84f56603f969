import { useEffect, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { takeConsentBack } from '../browser/consent.ts';

/** Taking an answer back is as easy as giving it. The script of the public pages wakes it where there is no React. */
export function TakeBack() {
  const [isAwake, setAwake] = useState(false);
  useEffect(() => setAwake(true), []);
  return (
    <p className="mt-4">
      <Button data-take-back="" variant="outline" hidden={!isAwake} onClick={takeConsentBack}>
        Take back my answer about counting visits
      </Button>
    </p>
  );
}
