import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useNeutralLook } from '../home-screen/install-look.tsx';
import { findOwnWayHome, isInstalled } from '../home-screen/this-device.tsx';
import { HomeScreenWizard } from '../home-screen/wizard.tsx';
import { AppLock } from './app-lock.tsx';

export const meta = () => [{ title: 'App · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** PrivateFans as an app of this device: its place on the home screen, its name there, its lock. */
export default function AppPage() {
  return (
    <div className="grid max-w-160 gap-8">
      <OnHomeScreen />
      <section>
        <SectionHeader title="App lock" />
        <AppLock />
      </section>
    </div>
  );
}

function OnHomeScreen() {
  const [way] = useState(findOwnWayHome);
  const [isOpen, setOpen] = useState(false);
  const [isNeutral, choose] = useNeutralLook();
  return (
    <section className="grid gap-3">
      <SectionHeader title="On your home screen" />
      {isOpen && way ? (
        <HomeScreenWizard way={way} onClose={() => setOpen(false)} />
      ) : (
        <Card className="grid justify-items-start gap-3">
          <p className="text-quiet">{describePlace(way !== undefined)}</p>
          {way && (
            <Button variant="outline" onClick={() => setOpen(true)}>
              Show me how
            </Button>
          )}
        </Card>
      )}
      <Card className="grid gap-1">
        <Switch
          label="Neutral name and icon"
          hint="Under “PF”, with a plain icon. Turn it on before you add the app; one that is there already keeps its name until you add it again."
          checked={isNeutral}
          onChange={choose}
        />
      </Card>
      <p className="text-13 text-quiet">
        On Android, the installed app appears in your gallery's Share menu, so photos go straight into an album. An
        iPhone doesn't allow this for web apps: there, use Upload.
      </p>
    </section>
  );
}

function describePlace(hasWay: boolean): string {
  if (isInstalled()) return "You're using the app from your home screen.";
  return hasWay
    ? 'Like an app: full screen, one tap away. Nothing to download from a store.'
    : 'Open PrivateFans on your phone to add it to the home screen there. In Chrome or Edge on a computer, choose Install beside the address.';
}
