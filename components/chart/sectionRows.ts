import type { Chart } from '../../lib/chart/schema';
import type { CareAction } from '../care/careActions';

interface SectionRow {
  section: keyof Chart['sections'];
  title: string;
  /** What is said if there is no current entry. It never says that all is well. */
  empty: string;
  /** Where it is changed, if not in the chart itself. */
  actions?: readonly CareAction[];
}

/** What decides in an emergency comes first, then what explains the values, then people, numbers and equipment. */
export const sectionRows: readonly SectionRow[] = [
  { section: 'codeStatus', title: 'Code status', empty: 'Not recorded' },
  { section: 'allergies', title: 'Allergies', empty: 'Not asked' },
  { section: 'spo2', title: 'SpO2 scale and target', empty: 'Not recorded', actions: ['target'] },
  { section: 'news2', title: 'NEWS2', empty: 'NEWS2 applies', actions: ['news2'] },
  { section: 'oxygen', title: 'Oxygen ordered', empty: 'Not recorded' },
  { section: 'conditions', title: 'Conditions and cautions', empty: 'Not recorded' },
  { section: 'medications', title: 'Medications', empty: 'Not recorded' },
  { section: 'contacts', title: 'Contacts', empty: 'Not recorded' },
  { section: 'team', title: 'Responsible clinician and team', empty: 'Not recorded' },
  { section: 'identifiers', title: 'Other identifiers', empty: 'Not recorded' },
  { section: 'stays', title: 'Place and stays', empty: 'Not recorded', actions: ['move', 'discharge'] },
  { section: 'devices', title: 'Devices', empty: 'No device is assigned', actions: ['device'] },
  { section: 'limits', title: 'Alert limits', empty: 'Site defaults', actions: ['limits'] },
  { section: 'standbys', title: 'Standby and comfort care', empty: 'None now', actions: ['standby', 'comfortCare'] },
];
