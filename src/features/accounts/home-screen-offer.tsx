import { useState } from 'react';
import { findOwnWayHome } from './home-screen/this-device.tsx';
import { HomeScreenWizard } from './home-screen/wizard.tsx';

/** The way to the home screen, offered on a phone to whoever has not gone it. */
export function HomeScreenOffer({ isDue }: { isDue: boolean }) {
  const [way] = useState(findOwnWayHome);
  const [isClosed, setClosed] = useState(false);
  if (!isDue || way === undefined || isClosed) return null;
  return <HomeScreenWizard way={way} onClose={() => setClosed(true)} />;
}
