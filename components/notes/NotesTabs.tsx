import { Segmented } from 'antd';
import { useState, type ComponentProps } from 'react';
import { useSingleKeysChoice } from '../../hooks/useSingleKeysChoice';
import { handoffsInFront } from '../../lib/paths';
import { HandoffsPanel } from '../handoffs/HandoffsPanel';
import { PatientReports } from '../reports/PatientReports';
import { useSingleKeys } from '../ui/useSingleKeys';
import { NotesPanel } from './NotesPanel';

const tabs = [
  { value: 'notes', label: 'Notes' },
  { value: 'handoffs', label: 'Handoffs' },
  { value: 'reports', label: 'Issue reports' },
] as const;

interface NotesTabsProps extends Omit<ComponentProps<typeof NotesPanel>, 'asked'> {
  /** The area was opened by a press: the keyboard goes to its text. */
  isOpened: boolean;
}

/**
 * What clinicians write about one patient. What is typed in one tab stays while another one is shown. N goes to the
 * text of a new note, H to the handoffs.
 */
export function NotesTabs({ patient, user, now, isOpened }: NotesTabsProps) {
  const [tab, setTab] = useState<(typeof tabs)[number]['value']>(() =>
    window.location.hash === handoffsInFront ? 'handoffs' : 'notes',
  );
  const [asked, setAsked] = useState(Number(isOpened));
  const [areKeysOn] = useSingleKeysChoice(user.id);
  useSingleKeys(areKeysOn, ['n', 'h'], (key) => () => {
    setTab(key === 'n' ? 'notes' : 'handoffs');
    setAsked((times) => times + 1);
  });
  const shared = { patient, user, now };
  return (
    <>
      <Segmented
        aria-label="What is written"
        size="large"
        options={[...tabs]}
        value={tab}
        onChange={(chosen) => {
          setTab(chosen);
          // The keyboard stays with the tabs.
          setAsked(0);
        }}
      />
      {tab === 'notes' ? <NotesPanel {...shared} asked={asked} /> : null}
      {tab === 'handoffs' ? <HandoffsPanel {...shared} asked={asked} /> : null}
      {tab === 'reports' ? <PatientReports {...shared} /> : null}
    </>
  );
}
