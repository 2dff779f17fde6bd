/** What a reading typed in by hand says about its source. */
export const manualSource = 'manual';

/**
 * Returns the number of a person as a source of samples: below zero, where no device is. So each sample keeps who typed
 * it in.
 */
export const sourceOfUser = (userId: number): number => -userId;

/** Returns whether a sample was typed in by hand. */
export const isManual = (deviceId: number): boolean => deviceId < 0;
