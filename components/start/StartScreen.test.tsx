import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useAlertStrip, type ShownStrip } from '../../hooks/AlertStripProvider';
import { useFollowed, type Followed } from '../../hooks/useFollowed';
import { useNow } from '../../hooks/useNow';
import { useOwnNotes, type OwnNotes } from '../../hooks/useOwnNotes';
import { usePatients } from '../../hooks/usePatients';
import { useServerLost } from '../../hooks/useServerLost';
import { clientFailure } from '../../lib/browser/client';
import { axeViolations } from '../../test/axeViolations';
import {
  inventedPage,
  inventedPatient,
  inventedUser,
  inventedValue,
  secondsAgo,
  wardNow,
} from '../../test/inventedWard';
import type { OwnHandoffs } from '../../lib/handoffs/schema';
import type { Patient } from '../../lib/patients/schema';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import type { UserType } from '../../lib/session/userTypes';
import type { Confirmation } from '../../lib/users/schema';
import { StartScreen } from './StartScreen';

jest.mock('../../hooks/AlertStripProvider');
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useFollowed');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useOwnNotes');
jest.mock('../../hooks/usePatients');
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/useServerLost');

const noNotes: OwnNotes = { isKnown: false, unread: new Map(), drafts: [], mentions: [] };
const noHandoffs: OwnHandoffs = { actions: [], waiting: 0 };
const nothingOpen: ShownStrip = { items: [], isOld: false };
const noneFollowed: Followed = { isKnown: true, items: [] };
const markFollowedSeen = callMock<'markFollowedSeen'>();
const unfollowPatient = callMock<'unfollowPatient'>();
const confirmUser = callMock<'confirmUser'>();

beforeEach(() => {
  jest.mocked(useFollowed).mockReturnValue(noneFollowed);
  jest.mocked(useServerLost).mockReturnValue(null);
  markFollowedSeen.mockReset().mockResolvedValue(null);
  unfollowPatient.mockReset().mockResolvedValue(null);
  confirmUser.mockReset().mockResolvedValue(null);
});

function show(
  patients: Patient[],
  type: UserType = 'nurse',
  mine = 1,
  strip = nothingOpen,
  notes = noNotes,
  handoffs = noHandoffs,
  confirmations: Confirmation[] = [],
) {
  const page = inventedPage(patients);
  setCalls({ markFollowedSeen, unfollowPatient, confirmUser });
  setReads({
    readOwnHandoffs: answered(handoffs),
    listConfirmations: answered({ items: confirmations, total: confirmations.length }),
    readReportNews: answered({ items: [], toTriage: 0, assigned: 0 }),
  });
  jest.mocked(useAlertStrip).mockReturnValue(strip);
  jest.mocked(useNow).mockReturnValue(wardNow);
  jest.mocked(useOwnNotes).mockReturnValue(notes);
  jest.mocked(usePatients).mockImplementation((query) => ({
    data: query.mine ? inventedPage([], { total: mine }) : page,
    error: undefined,
    isLoading: false,
    isRefreshing: false,
    asOf: wardNow,
    refresh: () => Promise.resolve(),
  }));
  return render(<StartScreen user={inventedUser({ type })} now={wardNow} firstPage={page} myPage={page} />);
}
const card = (name: string) => within(screen.getByRole('region', { name }));

describe('accounts to confirm', () => {
  const waits: Confirmation = {
    id: 3,
    name: 'Noor Demo',
    type: 'nurse',
    isAdmin: false,
    units: [],
    since: secondsAgo(60),
    openedBy: 'Kim Admin',
    mayConfirm: true,
  };
  const showTo = (type: UserType, ...confirmations: Confirmation[]) =>
    show([inventedPatient(1)], type, 1, nothingOpen, noNotes, noHandoffs, confirmations);

  it.each<[UserType, Confirmation[]]>([
    ['physician', []],
    ['nurse', [waits]],
  ])('are not there for a %s who has none to confirm', (type, confirmations) => {
    showTo(type, ...confirmations);
    expect(screen.queryByRole('region', { name: 'Accounts to confirm' })).toBeNull();
  });

  it('are confirmed by a physician after a second press', async () => {
    const { container } = showTo('physician', waits);
    expect(card('Accounts to confirm').getByText('Nurse, opened by Kim Admin')).toBeTruthy();
    await expect(axeViolations(container)).resolves.toEqual([]);
    await userEvent.click(card('Accounts to confirm').getByRole('button', { name: 'Confirm Noor Demo' }));
    expect(confirmUser).not.toHaveBeenCalled();
    await userEvent.click(card('Accounts to confirm').getByRole('button', { name: 'Yes, confirm' }));
    expect(confirmUser).toHaveBeenCalledWith({ params: { id: 3 } });
  });

  it('cannot be confirmed by the one who opened them', () => {
    showTo('ward_lead', { ...waits, mayConfirm: false });
    expect(card('Accounts to confirm').queryByRole('button')).toBeNull();
  });
});

describe('the start page', () => {
  it('says first how many alerts need someone, with the way to them', () => {
    const raised = { unit: 'West', bed: '1', isTrial: false, raisedAt: secondsAgo(60), owned: false };
    show([inventedPatient(1)], 'nurse', 1, {
      items: [
        { ...raised, priority: 'high' },
        { ...raised, priority: 'medium' },
      ],
      isOld: false,
    });
    expect(screen.getAllByRole('region')[0]).toBe(screen.getByRole('region', { name: 'Alerts' }));
    expect(card('Alerts').getByText('2 alerts need someone')).toBeTruthy();
    expect(card('Alerts').getByRole('link').getAttribute('href')).toBe('/dashboard');
  });

  it('does not say that no alert needs someone where the alert rules are off', () => {
    const off = inventedUser();
    show([inventedPatient(1)], 'nurse', 1, nothingOpen).rerender(
      <StartScreen
        user={{ ...off, site: { ...off.site, rulesAreOn: false } }}
        now={wardNow}
        firstPage={inventedPage([])}
        myPage={inventedPage([])}
      />,
    );
    expect(card('Alerts').getByText('None. The alert rules are off on this site.')).toBeTruthy();
  });

  it.each<[string, ShownStrip]>([
    ['before the first response', { items: undefined, isOld: false }],
    ['while the server is out of reach', { items: [], isOld: true }],
  ])('does not say %s that no alert waits', (_, strip) => {
    show([inventedPatient(1)], 'nurse', 1, strip);
    expect(card('Alerts').getByText('–')).toBeTruthy();
    expect(card('Alerts').getByText('Not known at the moment')).toBeTruthy();
  });

  it('says how many handoffs wait for the user, and which actions are theirs, under the patient’s name', () => {
    const weigh = { id: 1, text: 'Weigh', owner: null, dueAt: null, doneAt: null, doneBy: null, patientId: 1 };
    show([inventedPatient(1)], 'nurse', 1, nothingOpen, noNotes, {
      waiting: 2,
      // Whose it is is not known here: nothing is shown without a name.
      actions: [weigh, { ...weigh, id: 2, text: 'Call the son', patientId: 7 }],
    });
    const handoffs = card('Handoffs');
    expect(handoffs.getByText('2')).toBeTruthy();
    expect(handoffs.getAllByRole('listitem')).toHaveLength(1);
    expect(handoffs.getByRole('listitem').textContent).toMatch(/^Weigh.*MRN/);
    expect(handoffs.getByRole('link', { name: 'Open the handoffs' }).getAttribute('href')).toBe('/handovers');
  });

  it('counts all patients of the site and does not call them the user’s own', () => {
    show([inventedPatient(1), inventedPatient(2)]);
    const patients = card('Patients of your site');
    expect(patients.getByText('2')).toBeTruthy();
    expect(patients.getByText(/that you may see/)).toBeTruthy();
    expect(patients.getByRole('link').getAttribute('href')).toBe('/patients');
  });

  it('counts the patients who are assigned to the user, with a link to them', () => {
    show([inventedPatient(1), inventedPatient(2)], 'nurse', 1);
    const mine = card('Your patients');
    expect(mine.getByText('1')).toBeTruthy();
    expect(mine.getByRole('link', { name: 'Open your patients' }).getAttribute('href')).toBe('/patients?mine=true');
  });

  it('says if a nurse has no patients, and shows no count to roles that cannot have any', () => {
    const { unmount } = show([inventedPatient(1)], 'nurse', 0);
    expect(card('Your patients').getByText('No patients are assigned to you in this shift.')).toBeTruthy();
    expect(card('Your patients').getByRole('link').getAttribute('href')).toBe('/assignments');
    unmount();
    show([inventedPatient(1)], 'physician', 0);
    expect(screen.queryByRole('region', { name: 'Your patients' })).toBeNull();
  });

  it('says how many do not report and why, with a link to them', () => {
    show([
      inventedPatient(1, { latest: {} }),
      inventedPatient(2, { latest: { spo2: inventedValue({ asOf: secondsAgo(61) }) } }),
      inventedPatient(3, { latest: { spo2: inventedValue({ quality: 'invalid' }) } }),
      inventedPatient(4),
    ]);
    const waiting = card('Waiting for you');
    expect(waiting.getByText('3')).toBeTruthy();
    expect(waiting.getByText(/1 without a signal, 1 silent, 1 never reported/)).toBeTruthy();
    expect(waiting.getByRole('link', { name: 'See who' }).getAttribute('href')).toBe('/patients?view=not_reporting');
  });

  it('does not say that patients who report are well', () => {
    show([inventedPatient(1)]);
    expect(card('Waiting for you').getByText(/All patients are reporting/)).toBeTruthy();
    expect(card('Waiting for you').queryByText(/well|fine|normal|stable/i)).toBeNull();
  });

  it.each([
    ['nurse', 1],
    ['viewer', 0],
  ] as const)('leads a %s of an empty ward to the next step that is theirs', (type, links) => {
    show([], type);
    expect(card('Waiting for you').queryAllByRole('link', { name: 'Add the first patient' })).toHaveLength(links);
  });

  it('counts what the user has not read, and names what they have not signed for a day', () => {
    const draft = { patientId: 1, type: 'nursing' as const };
    show([inventedPatient(1)]);
    expect(card('Notes').getByText('–')).toBeTruthy();
    expect(card('Notes').getByText('Not known at the moment')).toBeTruthy();
    cleanup();
    show([inventedPatient(1)], 'nurse', 1, nothingOpen, {
      isKnown: true,
      unread: new Map([[1, 2]]),
      drafts: [
        { ...draft, id: 1, writtenAt: secondsAgo(86_400) },
        { ...draft, id: 2, writtenAt: secondsAgo(86_399) },
      ],
      mentions: [],
    });
    expect(card('Notes').getByText('2')).toBeTruthy();
    expect(card('Notes').getByText('unread, about 1 patient. The list marks them.')).toBeTruthy();
    const links = card('Notes').getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Unsigned draft: Sample1, Sam, MRN A-1, Nursing, 06 Mar, 15:00',
      'Open the list',
    ]);
    expect(links[0]?.getAttribute('href')).toBe('/patient_details?ids=1');
  });

  it('names the notes that mention the user, the newest first, with the way to each', () => {
    const mention = { patientId: 1, author: 'Noor Demo', at: secondsAgo(120) };
    show([inventedPatient(1)]);
    expect(card('You were mentioned').getByText('Not known at the moment')).toBeTruthy();
    cleanup();
    const notes = { isKnown: true, unread: new Map([[1, 7]]), drafts: [] };
    const ids = [17, 16, 15, 14, 13, 12];
    show([inventedPatient(1)], 'nurse', 1, nothingOpen, {
      ...notes,
      mentions: [...ids.map((noteId) => ({ ...mention, noteId })), { ...mention, noteId: 11, patientId: 2 }],
    });
    const mentions = card('You were mentioned');
    expect(mentions.getByText('6')).toBeTruthy();
    const links = mentions.getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      ids.slice(0, 5).map((id) => `/patient_details?ids=1#note-${id}`),
    );
    expect(links[0]?.textContent).toBe('Noor Demo: Sample1, Sam, MRN A-1, 2 min ago');
    expect(mentions.getByText('1 older: they are named as you read these.')).toBeTruthy();
    cleanup();
    show([inventedPatient(1)], 'nurse', 1, nothingOpen, { ...notes, mentions: [] });
    expect(card('You were mentioned').getByText('You have read all notes that mention you.')).toBeTruthy();
  });

  const news = {
    patientId: 2,
    notes: { count: 2, at: secondsAgo(60) },
    alerts: { count: 1, at: secondsAgo(120), lastId: 7 },
    handoff: { id: 5, result: 'returned' as const, at: secondsAgo(180) },
  };

  it('does not say that nothing is new about followed patients before that is known', () => {
    jest.mocked(useFollowed).mockReturnValue({ isKnown: false, items: [] });
    show([inventedPatient(1)]);
    expect(card('Patients you follow').getByText('Not known at the moment')).toBeTruthy();
    expect(card('Patients you follow').queryByText(/nothing new/i)).toBeNull();
  });

  it('names what is new about followed patients with age and way, and no one whom the user does not see', () => {
    const quiet = { patientId: 1, notes: null, alerts: null, handoff: null };
    jest.mocked(useFollowed).mockReturnValue({ isKnown: true, items: [news, quiet, { ...news, patientId: 3 }] });
    show([inventedPatient(1), inventedPatient(2)]);
    const rows = card('Patients you follow').getAllByRole('listitem');
    expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual([
      'Sample2, Sam, MRN A-2',
      'Sample1, Sam, MRN A-1',
    ]);
    const links = card('Patients you follow').getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['2 unread notes, 1 min ago', '/patient_details?ids=2'],
      ['1 new alert, 2 min ago', '/patient_details?ids=2'],
      ['Handoff returned, 3 min ago', '/patient_details?ids=2#handoffs'],
    ]);
    expect(card('Patients you follow').getByText('Nothing new')).toBeTruthy();
  });

  it('stores as seen what it showed, keeps it in its place under the pointer, and shows newer news', async () => {
    const user = userEvent.setup();
    jest.mocked(useFollowed).mockReturnValue({ isKnown: true, items: [news] });
    const { rerender } = show([inventedPatient(1), inventedPatient(2)]);
    const seen = card('Patients you follow').getByRole('button', {
      name: 'Seen what is new about Sample2, Sam',
    });
    await user.click(seen);
    const body = { alertId: 7, handoff: { id: 5, result: 'returned' } };
    expect(markFollowedSeen.mock.calls).toEqual([[{ params: { id: 2 }, body }]]);
    expect(seen.getAttribute('aria-disabled')).toBe('true');
    const later = { ...news, alerts: { count: 1, at: secondsAgo(1), lastId: 8 } };
    jest.mocked(useFollowed).mockReturnValue({
      isKnown: true,
      items: [{ ...news, patientId: 1, handoff: null }, later],
    });
    const page = inventedPage([]);
    rerender(<StartScreen user={inventedUser({ type: 'nurse' })} now={wardNow} firstPage={page} myPage={page} />);
    expect(card('Patients you follow').getAllByRole('listitem')).toHaveLength(1);
    expect(seen.getAttribute('aria-disabled')).toBe('true');
    await user.unhover(seen);
    await user.click(document.body);
    expect(card('Patients you follow').getAllByRole('listitem')).toHaveLength(2);
    expect(seen.getAttribute('aria-disabled')).toBe('false');
  });

  it('says if following could not be ended, and offers to follow again if it was', async () => {
    const user = userEvent.setup();
    unfollowPatient.mockRejectedValueOnce(clientFailure('aborted')).mockResolvedValueOnce(null);
    jest.mocked(useFollowed).mockReturnValue({ isKnown: true, items: [news] });
    show([inventedPatient(2)]);
    await user.click(screen.getByRole('button', { name: 'Stop following Sample2, Sam' }));
    expect(card('Patients you follow').getByRole('alert').textContent).toContain('saved');
    await user.click(screen.getByRole('button', { name: 'Stop following Sample2, Sam' }));
    expect(screen.getByRole('button', { name: 'Follow again Sample2, Sam' })).toBeTruthy();
  });

  it('has no accessibility violation', async () => {
    jest.mocked(useFollowed).mockReturnValue({ isKnown: true, items: [{ ...news, patientId: 1 }] });
    const { container } = show([inventedPatient(1)]);
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});
