import { isReferenceGone } from '#engines/database/violations.ts';
import { isAdmissionConflict, isDeviceConflict } from './admissions-store.ts';

/** Returns whether the database says that another call was quicker: a row is there already, or the one it stands on is gone. */
export const isOvertaken = (error: unknown): boolean =>
  isDeviceConflict(error) || isAdmissionConflict(error) || isReferenceGone(error);
