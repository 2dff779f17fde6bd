import { isOfReports } from './reportSubject';

/** Returns the id under which a site's alerts about the server are kept. No device has a negative one. */
export const serverOf = (siteId: number): number => -siteId;

/** Returns whether an alert of this device is about the server. */
export const isServer = (deviceId: number): boolean => deviceId < 0 && !isOfReports(deviceId);
