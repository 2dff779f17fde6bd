import { Segmented } from 'antd';
import { useState, type ComponentProps } from 'react';
import { handoffsInFront } from '../../lib/paths';
import { HandoffsPanel } from '../handoffs/HandoffsPanel';
import { PatientReports } from '../reports/PatientReports';
import { NotesPanel } from './NotesPanel';

const tabs = [
  { value: 'notes', label: 'Notes' },
  { value: 'handoffs', label: 'Handoffs' },
  { value: 'reports', label: 'Issue reports' },
] as const;

/** What clinicians write about one patient. What is typed in one tab stays while another one is shown. */
export function NotesTabs(props: ComponentProps<typeof NotesPanel>) {
  const { patient, user, now } = props;
  const [tab, setTab] = useState<(typeof tabs)[number]['value']>(() =>
    window.location.hash === handoffsInFront ? 'handoffs' : 'notes',
  );
  return (
    <>
      <Segmented aria-label="What is written" size="large" options={[...tabs]} value={tab} onChange={setTab} />
      {tab === 'notes' ? <NotesPanel {...props} /> : null}
      {tab === 'handoffs' ? <HandoffsPanel patient={patient} user={user} now={now} /> : null}
      {tab === 'reports' ? <PatientReports patient={patient} user={user} now={now} /> : null}
    </>
  );
}
