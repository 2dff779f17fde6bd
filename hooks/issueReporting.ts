import { createPageValue } from './pageValue';

/** What a new report begins with, from the place where it was asked for. */
export interface ReportStart {
  patientId?: number;
  /** The id of the report of an error, as the page shows it. */
  errorReportId?: string;
}

/** The form is open; null: it is not. The menu, the sidebar, an error or a patient's notes open it. */
const asked = createPageValue<ReportStart | null>(null);
/** How many places are on the page that draw the form. */
const places = createPageValue(0);

/** Opens the form of an issue report, which the shell draws once (`ReportPlace`); null closes it. */
export const askForReport = asked.set;

/** Returns what the open form began with; null: it is not open. */
export const useAskedReport = asked.useValue;

/** Registers a place that draws the form and returns its removal. */
export function addReportPlace(): () => void {
  places.set(places.read() + 1);
  return () => places.set(places.read() - 1);
}

/** Returns whether this page can open the form: an error may have left no shell. */
export function useCanReport(): boolean {
  return places.useValue() > 0;
}
