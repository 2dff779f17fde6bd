import { paths } from '../paths';
import { can } from '../session/can';
import type { Permission } from '../session/permissions';

/** One card of the walkthrough. */
export interface TourStep {
  /** The element that it points at: `data-tour`, or the whole page. */
  target: string;
  /** The page on which the target is. */
  page: string;
  /** Where the card's button leads, if not to the next target of the same page. */
  next?: 'patients' | 'details' | 'start';
  title: string;
  content: string;
  placement: 'center' | 'bottom' | 'right' | 'left';
}

const at = (name: string): string => `[data-tour="${name}"]`;
const detailsPage = '/patient_details';

const doneLeads = 'Done leads back to your patients, Finish to your start page.';

/**
 * Returns the ten steps of the walkthrough (product specification, section 2). For users who may do nothing about
 * alerts, patients or notes the texts name no acts.
 */
export function tourSteps(user: { permissions: readonly Permission[] }): readonly TourStep[] {
  const acts = can(user, 'acknowledgeAlerts');
  const adds = can(user, 'writePatients');
  const writes = can(user, 'writeNotes');
  const charts = can(user, 'readChart');
  return [
    {
      target: 'body',
      page: paths.dashboard,
      title: 'Welcome to Wardlight',
      content:
        'Ten short steps show where everything is. It takes about two minutes. Real alerts stay in sight all the time.',
      placement: 'center',
    },
    {
      target: at('sidebar'),
      page: paths.dashboard,
      title: 'The sections',
      content: 'Switch between the sections here. The button at its top shows or hides their names.',
      placement: 'right',
    },
    {
      target: at('alerts'),
      page: paths.dashboard,
      next: 'patients',
      title: 'Alerts and newest values',
      content: `Open alerts come first, then the most recent SpO2, heart rate and symptoms of your patients.${
        acts ? ' “I’m on it” says that you go; “Acknowledge” silences.' : ''
      }`,
      placement: 'bottom',
    },
    {
      target: at('patients-table'),
      page: paths.patients,
      title: 'Your patients',
      content: adds
        ? 'View your patients here, each number with its age, and add a patient with “Add patient”.'
        : 'View your patients here, each number with its age.',
      placement: 'bottom',
    },
    {
      target: at('patient-row'),
      page: paths.patients,
      title: 'Select patients',
      content: 'A click on a row selects the patient. This one is now selected; several can be compared side by side.',
      placement: 'bottom',
    },
    {
      target: at('check-patient'),
      page: paths.patients,
      next: 'details',
      title: 'Check a patient',
      content: 'This button opens the details of the selected patients. Next opens the patient who is now selected.',
      placement: 'bottom',
    },
    {
      target: at('charts'),
      page: detailsPage,
      title: 'Charts',
      content: 'SpO2, heart rate and symptoms over the same time. Point at a line to read its values.',
      placement: 'bottom',
    },
    {
      target: at('notes'),
      page: detailsPage,
      title: writes ? 'Notes, handoffs, issues' : 'Notes and handoffs',
      content: writes
        ? 'Add notes here, hand patients over to a colleague, and report an issue when something went wrong.'
        : 'Clinicians keep notes, handoffs and issue reports about a patient beside these values.',
      placement: 'left',
    },
    {
      target: at('patient-chart'),
      page: detailsPage,
      title: 'Patient chart',
      content: charts
        ? 'The chart holds what does not change every second: problems, allergies, medication, history.'
        : 'The patient’s name and second identifier. Clinicians open the patient’s chart beside them.',
      placement: 'bottom',
    },
    {
      target: at('done'),
      page: detailsPage,
      next: 'start',
      title: 'Done',
      content: `${doneLeads} You can begin this walkthrough again from the menu with your name.`,
      placement: 'bottom',
    },
  ];
}

/** The walkthrough has ten steps (product specification, section 9). */
export const tourSize = 10;

/** Returns "4 of 10" for the step with an index. */
export function progressText(index: number): string {
  return `${index + 1} of ${tourSize}`;
}

/** Returns the address of a step's page. The details are those of a patient, if one is known. */
export function pageAddress({ page }: Pick<TourStep, 'page'>, patientId: number | null): string {
  return page === detailsPage && patientId !== null ? paths.patientDetails([patientId]) : page;
}

/** Returns the address that a step's button leads to; null: it stays on the page. */
export function nextAddress({ next }: TourStep, patientId: number | null): string | null {
  switch (next) {
    case undefined:
      return null;
    case 'patients':
      return paths.patients;
    case 'details':
      return pageAddress({ page: detailsPage }, patientId);
    case 'start':
      return paths.start;
  }
}
