import './salon.css';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Gate } from './gate.tsx';
import type { Salon, Shown } from './salon.ts';
import { VisitFrame } from './visit-frame.tsx';

/** A gate is nearly all headline: it waits this long for the display face, which is asked for with the frame. */
const faceMs = 400;

/** Draws everything that is not a picture. The loader calls it once it knows what there is to show. */
export async function showFrame(salon: Salon, first: Shown): Promise<void> {
  const face = document.fonts.load('1em Fraunces').catch(() => undefined); // another face stands in for it
  if ('refusal' in first) await Promise.race([face, new Promise((go) => setTimeout(go, faceMs))]);
  createRoot(salon.root).render(<Frame salon={salon} first={first} />);
}

function Frame({ salon, first }: { salon: Salon; first: Shown }) {
  const [shown, setShown] = useState(first);
  if ('refusal' in shown) return <Gate salon={salon} refusal={shown.refusal} onShown={setShown} />;
  return <VisitFrame salon={salon} visit={shown} onEnded={(refusal) => setShown({ refusal })} />;
}
