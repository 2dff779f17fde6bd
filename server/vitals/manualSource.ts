/** The source of a reading that was typed in, in responses. */
export const manualSource = 'manual';
/** The same if the patient typed it in at home: no one of the staff has seen the device. */
export const patientSource = 'manual (patient)';

/**
 * Returns the number of a user as a source of samples. It is below zero, because devices are above. So each sample
 * keeps the user who typed it in.
 */
export const sourceOfUser = (userId: number): number => -userId;

/** Links have numbers below this one, far from those of users. */
const linksBelow = -1_000_000_000_000;

/** Returns the number of a check-in link as a source of samples: each keeps the link by which it came. */
export const sourceOfLink = (linkId: number): number => linksBelow - linkId;

/** Returns whether a sample was typed in by hand. */
export const isManual = (deviceId: number): boolean => deviceId < 0;

/** Returns whether a sample came by a check-in link. */
export const isByPatient = (deviceId: number): boolean => isManual(deviceId) && userOfSource(deviceId) === null;

/** Returns the user who typed a sample in; null: it came from a device or by a check-in link. */
export const userOfSource = (deviceId: number): number | null =>
  deviceId < 0 && deviceId > linksBelow ? -deviceId : null;
