import { expect, test } from 'vitest';
import { type ReportedLengths, settleLengths } from './lengths.ts';

/** Where the packets of the picture end, and those of the sound where there is one. */
const both = [5, 20];
const settle = async (reported: Partial<ReportedLengths>, packets: readonly number[] = both) => {
  const asked: number[] = [];
  const measure = async (stream: number) => {
    asked.push(stream);
    return packets[stream] ?? 0;
  };
  const lengths = { picture: undefined, sound: undefined, file: undefined, ...reported };
  const streams = { videoStream: 0, audioStream: packets.length > 1 ? 1 : undefined };
  const { seconds, tailSeconds } = await settleLengths({ ...streams, lengths }, measure);
  return [seconds, tailSeconds, asked];
};

test('a video lasts until its picture has ended, and its sound', async () => {
  expect(await settle({ picture: 5, sound: 20, file: 20 })).toEqual([20, 15, []]);
  expect(await settle({ picture: 20, sound: 5, file: 20 })).toEqual([20, 0, []]);
  expect(await settle({ picture: 20, file: 30 }, [5]), 'a third track does not count').toEqual([20, 0, []]);
});

test('a sound that outlasts its picture by as much as clocks round has not outlasted it', async () => {
  expect(await settle({ picture: 5, sound: 5.09, file: 5.1 })).toEqual([5, 0, []]);
});

test('whatever does not tell its length is measured, and nothing else', async () => {
  expect(await settle({})).toEqual([20, 15, [0, 1]]);
  expect(await settle({ file: 20 })).toEqual([20, 15, [0, 1]]);
  expect(await settle({}, [5])).toEqual([5, 0, [0]]);
  expect(await settle({ picture: 5 })).toEqual([20, 15, [1]]);
  expect(await settle({ file: 9 }, [5])).toEqual([9, 0, []]);
});

test('a file that is longer than what is found in it goes on promising what it said', async () => {
  expect(await settle({ file: 60, sound: 20 })).toEqual([60, 15, [0]]);
});

test('one picture beside a sound may last no time at all, but not all by itself', async () => {
  expect(await settle({}, [0, 20])).toEqual([20, 20, [0, 1]]);
  await expect(settle({}, [0])).rejects.toMatchObject({ code: 'CORRUPT' });
});
