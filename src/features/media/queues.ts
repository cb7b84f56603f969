/** Photos are processed before and apart from videos. */
export const photoQueue = 'photo.process';

/** Finds media whose time to think better of it is over. */
export const destroyQueue = 'media.destroy';
