/** The source of a reading that was typed in, in responses. */
export const manualSource = 'manual';

/**
 * Returns the number of a user as a source of samples. It is below zero, because devices are above. So each sample
 * keeps the user who typed it in.
 */
export const sourceOfUser = (userId: number): number => -userId;

/** Returns whether a sample was typed in by hand. */
export const isManual = (deviceId: number): boolean => deviceId < 0;
