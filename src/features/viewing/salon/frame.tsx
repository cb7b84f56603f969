import './salon.css';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Refusal } from '../contract.ts';
import { Gate } from './gate.tsx';
import type { Salon } from './salon.ts';
import type { Visit } from './visit.ts';
import { VisitFrame } from './visit-frame.tsx';

/** What the frame is drawn around: a visit, or what is said instead. */
export type Shown = Visit | { refusal: Refusal };

/** Draws everything that is not a picture. The loader calls it once it knows what there is to show. */
export function showFrame(salon: Salon, first: Shown): void {
  createRoot(salon.root).render(<Frame salon={salon} first={first} />);
}

function Frame({ salon, first }: { salon: Salon; first: Shown }) {
  const [shown, setShown] = useState(first);
  if ('refusal' in shown) return <Gate salon={salon} refusal={shown.refusal} onShown={setShown} />;
  return <VisitFrame salon={salon} visit={shown} onEnded={(refusal) => setShown({ refusal })} />;
}
