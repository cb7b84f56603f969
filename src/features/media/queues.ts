/** Photos are processed before and apart from videos: neither waits for the other. */
export const photoQueue = 'photo.process';
export const filmQueue = 'film.process';

/** Finds media whose time to think better of it is over. */
export const destroyQueue = 'media.destroy';
