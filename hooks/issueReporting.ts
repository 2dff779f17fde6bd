import { useSyncExternalStore } from 'react';

/** What a new report begins with, from the place where it was asked for. */
export interface ReportStart {
  patientId?: number;
  /** The id of the report of an error, as the page shows it. */
  errorReportId?: string;
}

/** The form is open; null: it is not. The menu, the sidebar, an error or a patient's notes open it. */
let asked: ReportStart | null = null;
/** How many places are on the page that draw the form. */
let places = 0;
const listeners = new Set<() => void>();

/** Opens the form of an issue report, which the shell draws once (`ReportPlace`); null closes it. */
export function askForReport(start: ReportStart | null): void {
  asked = start;
  notify();
}

/** Returns what the open form began with; null: it is not open. */
export function useAskedReport(): ReportStart | null {
  return useSyncExternalStore(
    subscribe,
    () => asked,
    () => null,
  );
}

/** Registers a place that draws the form and returns its removal. */
export function addReportPlace(): () => void {
  places += 1;
  notify();
  return () => {
    places -= 1;
    notify();
  };
}

/** Returns whether this page can open the form: an error may have left no shell. */
export function useCanReport(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => places > 0,
    () => false,
  );
}

function notify(): void {
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
