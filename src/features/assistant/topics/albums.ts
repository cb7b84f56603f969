import { undoHours } from '#features/media/rules.ts';
import { formatBytes, formatCount } from '#kit/text.ts';
import type { OwnState, Topic } from './topic.ts';

const albums = { group: 'albums', page: '/albums' } as const;

const describeAlbums = ({ albums: count, itemsReady }: OwnState): string | undefined =>
  count === 0
    ? undefined
    : `You have **${formatCount(count, 'album')}** with ${formatCount(itemsReady, 'photo or video', 'photos and videos')} ready to be shown.`;

function describeProcessing({ itemsWorking, itemsFailed }: OwnState): string | undefined {
  const text = [
    ...(itemsWorking > 0 ? [`**${formatCount(itemsWorking, 'of yours is', 'of yours are')}** being made ready.`] : []),
    ...(itemsFailed > 0 ? [`**${formatCount(itemsFailed, 'of yours has', 'of yours have')}** failed.`] : []),
  ];
  return text.length === 0 ? 'Nothing of yours is waiting at the moment.' : text.join(' ');
}

const describeStorage = ({ storageUsedBytes }: OwnState) => `You're using **${formatBytes(storageUsedBytes)}** now.`;

/** Albums, what is put into them, and what is taken out again. */
export const albumTopics: readonly Topic[] = [
  {
    ...albums,
    id: 'upload-album',
    title: 'How do I upload an album?',
    asks: [
      'How can I post my first photos?',
      'Post photos and videos',
      'Adding many videos and photos, bulk upload, several files at once',
      'Put new content online, publish pictures',
      'How do I put my pictures on here?',
      'Where do I add new photos or videos? Load up, get my files onto the site',
      'Send pictures from my phone to the album',
      'How to post something, how to fill an album',
      'How can I add photos, put pictures or videos in, import my images?',
      'Where is the upload button? Post content from my camera roll or gallery',
      'Take a photo with the camera, drag and drop files',
    ],
    text: ({ filesPerBatch }) =>
      `Open **Albums**, tap **New Album**, give it a name, and choose photos and videos. You can select up to ${formatCount(filesPerBatch, 'file')} at once and keep adding later. Location, device and time are removed from every one.`,
    own: describeAlbums,
  },
  {
    ...albums,
    id: 'create-album',
    title: 'How do I create an album?',
    asks: [
      'Open or start a new album for a shoot, a set or a trip',
      'Can I change the name of an album? Set up an album',
      'Where do I make an album? Another gallery',
      'Change the title of an album',
      'Make a new album, new gallery, new folder, start a collection',
      'Rename an album, change its name or description',
      'A second album',
    ],
    text: () =>
      'Tap **New Album** under **Albums** and give it a name. Name and description are only for you, and you can change both under the album’s **Settings**. Nobody sees an album until you send a link to it.',
    own: describeAlbums,
  },
  {
    ...albums,
    id: 'file-types',
    title: 'Which file types can I upload?',
    asks: [
      'Are iPhone Live Photos okay?',
      'Which formats do you accept? Convert my files, PDF, audio, documents, panorama, slow motion',
      'Does it take, read or support HEIC, live photos, DNG or AVI?',
      'Can I upload a mp4 or a zip? Which formats are allowed?',
      'Formats: JPEG, JPG, PNG, HEIC, WebP, GIF, RAW, MOV, MP4, MKV, PDF',
      'Are videos from my iPhone supported? Unsupported file, this file type is refused, not accepted',
    ],
    text: () =>
      "Photos as your phone takes them – JPEG, HEIC, PNG, WebP, AVIF, GIF – and videos such as MOV, MP4, WebM and MKV. You don't have to convert anything first.",
  },
  {
    ...albums,
    id: 'file-size',
    title: 'How big may a photo or video be?',
    asks: [
      'Limit for a clip or photo, how heavy may it be? Hours of video, long videos',
      'Too big to upload, file too large',
      'Biggest, largest or maximum picture I may upload',
      'My film is very big, too many GB, is that too much?',
      'Longest video, heaviest file, upload limit per file',
      'Maximum file size, megabytes, gigabytes, too large, too big, too long',
      'How long can a video be? Minutes, length, duration, resolution, 4K',
    ],
    text: ({ photoBytes, videoBytes, videoMinutes, videoHours }) =>
      `Photos up to **${formatBytes(photoBytes)}**; videos up to **${formatBytes(videoBytes)}** and ${formatCount(videoMinutes, 'minute')}. Your plan includes ${formatCount(videoHours, 'hour')} of new video a month; more hours cost credits.`,
  },
  {
    ...albums,
    id: 'upload-stuck',
    title: 'My upload stopped. What now?',
    asks: [
      'Upload is very slow, takes too long, stays at zero, lost connection, wifi',
      'Why can I not upload? It stops again and again',
      'My internet died in the middle of sending',
      'The progress bar hangs, it takes forever to upload, upload error',
      'Uploading does not work, upload was cut off, cannot upload',
      'Upload is stuck, frozen, slow, hanging, interrupted, failed, paused or does not finish',
      'Lost the connection, phone locked, closed the tab while sending, resume, continue, try again',
      'Stays at 99 percent, nothing happens when I add pictures',
    ],
    text: ({ uploadLifeHours }) =>
      `Nothing is lost: open the album again and choose the same files, and the upload **continues where it stopped**, for ${formatCount(uploadLifeHours, 'hour')}. Keep the page open and the screen on while it sends. One file that fails doesn't hold up the others; tap it to try again.`,
    own: ({ itemsFailed }) =>
      itemsFailed > 0 ? `**${formatCount(itemsFailed, 'file')}** of yours could not be made ready.` : undefined,
  },
  {
    ...albums,
    id: 'processing',
    title: 'Why does a photo or video say “Processing…”?',
    asks: [
      'Photos are still loading after an hour, not finished',
      'The video says failed, error while processing, could not be read',
      'Why are my pictures not ready yet? It takes ages',
      'Grey tile, spinner, loading all the time, it failed',
      'Still processing, how long does it take until my pictures are ready?',
      'Media not showing after upload, waiting, preparing, encoding, converting',
    ],
    text: () =>
      'After the upload each one is encrypted and made in the marked versions that viewers get. A photo takes seconds, a video about as long as it plays or more. If something fails, the tile says why and has a button to try again.',
    own: describeProcessing,
  },
  {
    ...albums,
    id: 'storage',
    title: 'How much storage do I have?',
    asks: [
      'I need more gigabytes, GB left',
      'How full is my storage? How much have I used? Used space, remaining space',
      'I ran out of space',
      'How many GB do I get? My storage is full, memory, no room left',
      'Is the space unlimited? How much can I store?',
      'Space, quota, capacity, gigabytes, disk, storage is full or almost full',
      'How do I free up room or get more space?',
    ],
    text: ({ storageBytes, trialStorageBytes }) =>
      `${formatBytes(storageBytes)} with the plan and ${formatBytes(trialStorageBytes)} during the trial, counted on your original files. A photo in two albums counts once. Delete what you no longer need to get space back.`,
    own: describeStorage,
  },
  {
    ...albums,
    id: 'metadata',
    title: 'Is the location removed from my photos?',
    asks: [
      'Do viewers see where and when the picture was taken? Camera data',
      'Does the picture tell where I live? Can they find my address from a photo?',
      'Do you remove, strip or clean location data and hidden details?',
      'Is there information inside the file?',
      'GPS, EXIF, metadata, geotag, hidden data, camera model, serial number, timestamp',
      'Can somebody find out where I live or where a picture was taken?',
      'Strip private information from my files',
    ],
    text: () =>
      'Yes. **Location, device and time** are removed from everything viewers can get. Tap a photo in your album to see what was removed from it. Look at the picture itself too: a street sign or a view from a window can still tell where it was taken.',
  },
  {
    ...albums,
    id: 'arrange',
    title: 'How do I change the order or the cover?',
    asks: [
      'Change which photo comes first, second or last',
      'Move a photo up or down within an album',
      'Change the sequence, put a photo first, drag pictures',
      'Choose another cover picture or thumbnail for the album',
      'Sort, rearrange, reorder, drag, move pictures around, first picture',
      'Set the cover, thumbnail, title image of an album',
    ],
    text: () =>
      'Press and hold a photo in the album, then drag it to its place. For the cover, open a photo and tap **Use as cover**.',
  },
  {
    ...albums,
    id: 'move-copy',
    title: 'Can a photo be in more than one album?',
    asks: [
      'Put a picture into another album, copy from album to album',
      'Put one picture into another album as well',
      'Move pictures from one album to another',
      'Move or copy items to another album, same picture in two albums, duplicate, transfer',
      'Select several at once',
    ],
    text: () =>
      'Yes. Select photos, then **Move** or **Copy to another album**. A copy takes no extra space. Links to the other album will show it too.',
  },
  {
    ...albums,
    id: 'hide-item',
    title: 'Can I hide a photo without deleting it?',
    asks: [
      'Keep a draft photo unseen, not visible, not yet ready to show',
      'Add a description or caption to a picture',
      'I want to keep a picture but they must not see it',
      'Leave one photo out, do not show it, make it private, only for me',
      'Write a text below a photo',
      'Keep a picture invisible for viewers, unlist, private item, exclude one photo from the link',
      'Caption, describe a photo',
    ],
    text: () =>
      'Yes. Open the photo and turn on **Hide from viewers**. It stays in your album, and no link shows it until you turn that off. You can write a caption in the same place.',
  },
  {
    ...albums,
    id: 'delete-item',
    title: 'How do I delete a photo or video?',
    asks: [
      'How long are deleted photos kept?',
      'Remove several pictures at once, clean up an album, delete a clip',
      'Throw a picture away, take a photo out of the album',
      'Remove, erase, trash, bin or get rid of a picture',
      'Delete several photos from an album',
    ],
    text: () =>
      `Open it, or select several, and choose **Delete**. Links stop showing it at once. For ${undoHours} hours you can bring it back under **Deleted items**; after that its keys are destroyed.`,
  },
  {
    ...albums,
    id: 'delete-album',
    title: 'How do I delete an album?',
    asks: [
      'Close an album, take an album down, archive',
      'I do not need this album any more, remove the complete album',
      'Remove a whole gallery, erase a folder, close an album for good',
      'Archive an album, put it away',
    ],
    text: () =>
      `Open the album’s **Settings** and choose **Delete album**; every link to it stops working at once, and you can undo it for ${undoHours} hours. **Archive** keeps it for you and closes it for everyone else.`,
  },
  {
    ...albums,
    id: 'restore',
    title: 'How do I get back what I deleted?',
    asks: [
      'Bring back the album that I deleted, trash can, recycle bin',
      'I lost a picture, is it gone forever? Deleted items',
      'Get a deleted photo, video or album back',
      'Undo, recover, restore, undelete, bring back a lost photo or album',
      'I deleted it by accident, mistake',
    ],
    text: () =>
      `For **${undoHours} hours**: photos and videos under **Deleted items** in their album, a deleted album from its own page. After that nobody can, because the keys are destroyed.`,
  },
  {
    ...albums,
    id: 'originals',
    title: 'Can I download my own originals?',
    asks: [
      'Download everything I uploaded, get my raw files, originals in full size',
      'Download my own uploads, original quality, uncompressed',
      'I lost my phone, can I get my own pictures from here?',
      'Get my files back, save my own photos, backup, export my pictures in full quality',
      'Do you keep the original file?',
    ],
    text: () =>
      'Yes. Open a photo or video in your album and tap **Original**: you get the very file you uploaded. Only you can. Keep copies elsewhere too; this is a place to show pictures, not your only archive.',
  },
  {
    ...albums,
    id: 'album-limits',
    title: 'How many albums and photos can I have?',
    asks: [
      'How many albums am I allowed? How many pictures fit into an album?',
      'Limit of albums, number of pictures per album, unlimited, maximum items',
    ],
    text: ({ albums: most, itemsPerAlbum }) =>
      `Up to **${formatCount(most, 'album')}**, each with up to **${formatCount(itemsPerAlbum, 'photo or video', 'photos and videos')}**.`,
    own: describeAlbums,
  },
];
