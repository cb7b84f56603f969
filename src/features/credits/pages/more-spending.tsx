import { useState } from 'react';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Row } from '#ui/layout/list.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { CreditUses } from '../contract.ts';
import { credits } from './credits-calls.tsx';
import { useSpent } from './use-spent.tsx';

interface Spender {
  balance: number;
  hasAccess: boolean;
}

/** What is said of their credits before some are spent. */
const describeAfter = (balance: number, price: number) =>
  `You have ${formatCount(balance, 'credit')}, and ${balance - price} afterwards.`;

type Priority = CreditUses['priority'];

/** Videos that wait to be made, each of which can go to the front. */
export function VideosFirst({ priority, balance, hasAccess }: Spender & { priority: Priority }) {
  const { credits: price, videos } = priority;
  return (
    <>
      <li>
        <Row
          title="Move a video to the front"
          quiet={`${formatCount(price, 'credit')} · A waiting video is prepared before everyone else's.`}
          story={
            videos.length === 0 ? 'None of your videos is waiting.' : `${formatCount(videos.length, 'video')} waiting`
          }
        />
      </li>
      {videos.map((video) => (
        <li key={video.id}>
          <Row
            title={video.name}
            quiet="Waiting"
            end={hasAccess && <MoveToFront video={video} price={price} balance={balance} />}
          />
        </li>
      ))}
    </>
  );
}

type MoveProps = Pick<Spender, 'balance'> & { video: Priority['videos'][number]; price: number };

function MoveToFront({ video, price, balance }: MoveProps) {
  const [isAsked, setAsked] = useState(false);
  const done = useSpent('Moved to the front', () => setAsked(false));
  const move = useWrite(credits.moveToFront.mutationOptions(done));
  const canPay = balance >= price;
  return (
    <>
      <Button variant="outline" disabled={!canPay} onClick={() => setAsked(true)}>
        {canPay ? 'Move to the front' : `Needs ${formatCount(price, 'credit')}`}
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title="Move this video to the front?"
        description={describeAfter(balance, price)}
        confirm={`Use ${formatCount(price, 'credit')}`}
        busy={move.isPending}
        onConfirm={() => move.mutate({ mediaId: video.id, credits: price })}
      />
    </>
  );
}

type VideoTime = CreditUses['videoTime'];
const hours = (seconds: number) => formatCount(Math.round(seconds / 360) / 10, 'hour');

/** Hours of video beyond those of a month. */
export function MoreVideoTime({ videoTime, balance, hasAccess }: Spender & { videoTime: VideoTime }) {
  const [isAsked, setAsked] = useState(false);
  const done = useSpent('An hour added', () => setAsked(false));
  const add = useWrite(credits.addVideoTime.mutationOptions(done));
  const { credits: price, freeSeconds, usedSeconds, extraSeconds, waiting } = videoTime;
  const canPay = balance >= price;
  const left = Math.max(0, freeSeconds - usedSeconds);
  return (
    <li>
      <Row
        title="More video time"
        quiet={`${hours(freeSeconds)} of video a month are free; after that, each hour costs ${formatCount(price, 'credit')}.`}
        story={[
          `${hours(left)} left this month${extraSeconds > 0 ? `, and ${hours(extraSeconds)} more` : ''}.`,
          ...(waiting > 0 ? [`${formatCount(waiting, 'video')} waiting for more time.`] : []),
        ].join(' ')}
        end={
          hasAccess && (
            <Button variant="outline" disabled={!canPay} onClick={() => setAsked(true)}>
              {canPay ? 'Add an hour' : `Needs ${formatCount(price, 'credit')}`}
            </Button>
          )
        }
      />
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Add an hour for ${formatCount(price, 'credit')}?`}
        description={`It stays until you use it. ${describeAfter(balance, price)}`}
        confirm={`Use ${formatCount(price, 'credit')}`}
        busy={add.isPending}
        onConfirm={() => add.mutate({ credits: price })}
      />
    </li>
  );
}

type Answers = NonNullable<CreditUses['answers']>;

/** Answers that a model writes, beyond those of a month. */
export function MoreAnswers({ answers, balance, hasAccess }: Spender & { answers: Answers }) {
  const [isAsked, setAsked] = useState(false);
  const done = useSpent('Answers added', () => setAsked(false));
  const add = useWrite(credits.addAnswers.mutationOptions(done));
  const { credits: price, each, free, used, extra } = answers;
  const canPay = balance >= price;
  const left = Math.max(0, free - used);
  return (
    <li>
      <Row
        title="More answers from Sofia"
        quiet={`${formatCount(free, 'written answer')} a month are free, ${each} more cost ${formatCount(price, 'credit')}. Without them, Sofia answers from the help texts.`}
        story={`${left} of ${free} left this month${extra > 0 ? `, and ${extra} more` : ''}.`}
        end={
          hasAccess && (
            <Button variant="outline" disabled={!canPay} onClick={() => setAsked(true)}>
              {canPay ? `Add ${each}` : `Needs ${formatCount(price, 'credit')}`}
            </Button>
          )
        }
      />
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Add ${each} answers for ${formatCount(price, 'credit')}?`}
        description={`They stay until you use them. ${describeAfter(balance, price)}`}
        confirm={`Use ${formatCount(price, 'credit')}`}
        busy={add.isPending}
        onConfirm={() => add.mutate({ credits: price })}
      />
    </li>
  );
}
