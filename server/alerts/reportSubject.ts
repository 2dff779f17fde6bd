/** Alerts of issue reports have ids below this one, far from those of `serverOf`. No device has a negative id. */
const unitsBelow = -1_000_000_000_000;
/** Those of reports without a unit have ids below this one. */
const sitesBelow = 2 * unitsBelow;

/** Where issue reports alarm: a unit, or the site for those without one. */
export interface ReportPlace {
  siteId: number;
  unitId: number | null;
}

/** Returns the id under which the alerts of issue reports of a place are kept. */
export const reportsOf = ({ siteId, unitId }: ReportPlace): number =>
  unitId === null ? sitesBelow - siteId : unitsBelow - unitId;

/** Returns whether an alert of this device is about issue reports. */
export const isOfReports = (deviceId: number | null): deviceId is number => deviceId !== null && deviceId <= unitsBelow;

/** Returns the unit of an alert about issue reports; null: it has none, or the alert is about something else. */
export const unitOfReports = (deviceId: number | null): number | null =>
  isOfReports(deviceId) && deviceId > sitesBelow ? unitsBelow - deviceId : null;
