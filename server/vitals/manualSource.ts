/** What a reading typed in by hand says about its source. */
export const manualSource = 'manual';

/**
 * The number that stands for a person as a source of samples: below zero, where no device is. So each keeps who typed
 * it in.
 */
export const sourceOfUser = (userId: number): number => -userId;

/** Whether a sample was typed in by hand. */
export const isManual = (deviceId: number): boolean => deviceId < 0;
