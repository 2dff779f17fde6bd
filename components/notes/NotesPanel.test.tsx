import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { keepTextsOf } from '../../hooks/keptTexts';
import { ApiFailure, type CallInput } from '../../lib/browser/client';
import type { AlertItem } from '../../lib/alerts/schema';
import type { Note } from '../../lib/notes/schema';
import { toWallTime } from '../../lib/time/wallTime';
import { axeViolations } from '../../test/axeViolations';
import { inventedAlert, inventedAlerts } from '../../test/inventedAlert';
import { inventedNote } from '../../test/inventedNote';
import { inventedPage, inventedPatient, inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { answer, hang, pass, sentCalls } from '../../test/network';
import { showScreen } from '../../test/showScreen';
import { writeInto } from '../../test/writeInto';
import { NotesPanel } from './NotesPanel';

const user = inventedUser();
const sam = inventedPatient(4);

const readers = [
  { id: 8, name: 'Kim Demo', type: 'nurse' as const },
  { id: 9, name: 'Noor Demo', type: 'nurse' as const },
];
/** What the server makes of the text of a draft. */
const draftOf = (
  version: number,
  {
    text,
    mentions = [],
    alertIds = [],
    eventTime,
  }: Pick<CallInput<'addNote'>['body'], 'text' | 'mentions' | 'alertIds' | 'eventTime'>,
): Note =>
  inventedNote(3, {
    ...{ state: 'draft', signedAt: null, version, text, alertIds: [...alertIds] },
    ...(eventTime === undefined ? {} : { eventTime }),
    mentions: readers.filter(({ id }) => mentions.includes(id)).map(({ id, name }) => ({ id, name })),
  });
const noteAnswers = (items: Note[], drafts: Note[] = []): void =>
  answer({ listNotes: () => ({ items, total: items.length, drafts }) });
function show(
  items: Note[],
  change: { drafts?: Note[]; user?: typeof user; patient?: typeof sam; alerts?: AlertItem[] } = {},
) {
  noteAnswers(items, change.drafts);
  answer({
    listNoteReaders: () => ({ items: readers }),
    listAlerts: () => inventedAlerts(change.alerts ?? []),
    addNote: ({ body }) => draftOf(1, body),
    saveDraft: ({ body }) => draftOf(body.version + 1, body),
  });
  const page = { user: change.user ?? user };
  return showScreen(<NotesPanel patient={change.patient ?? sam} user={page.user} now={wardNow} asked={0} />, page);
}
const noteOf = (name: RegExp) => within(screen.getByRole('article', { name }));
const actions = () => screen.getAllByRole('article').flatMap((card) => within(card).queryAllByRole('button'));

beforeEach(() => keepTextsOf(0));

describe('the notes of a patient', () => {
  it('say who wrote them, when it happened, and when they were written if that was later', async () => {
    await show([inventedNote(1, { isLateEntry: true, eventTime: secondsAgo(7_200), writtenAt: secondsAgo(60) })]);
    const note = noteOf(/Nursing note by Noor Demo, 13:00/);
    expect(note.getByText('Noor Demo, Nurse')).toBeTruthy();
    expect(note.getByText('Late entry: written 14:59')).toBeTruthy();
    expect(note.getByText('Note 1')).toBeTruthy();
  });

  it('stay readable as they were signed, with all that was added below', async () => {
    const entry = { author: { id: 9, name: 'Noor Demo', type: 'nurse' as const }, at: secondsAgo(30) };
    await show([
      inventedNote(1, {
        state: 'entered_in_error',
        text: 'Left lung clear',
        entries: [
          { ...entry, id: 1, kind: 'addendum', text: 'Coughs', reason: '' },
          { ...entry, id: 2, kind: 'amendment', text: 'Right lung clear', reason: 'Wrong side' },
          { ...entry, id: 3, kind: 'entered_in_error', text: '', reason: 'Wrong patient' },
        ],
      }),
    ]);
    const note = noteOf(/Nursing note/);
    expect(note.getByText('Left lung clear').getAttribute('data-struck')).toBe('');
    const added = note.getAllByRole('region').map((each) => each.getAttribute('aria-label'));
    expect(added).toEqual(['Addendum', 'Amendment', 'Entered in error']);
    expect(note.getByText('Right lung clear')).toBeTruthy();
    expect(note.getByText('Reason: Wrong side')).toBeTruthy();
    expect(note.getByText('Reason: Wrong patient')).toBeTruthy();
    expect(actions()).toEqual([]);
  });

  it.each([
    ['a reader adds to them', {}, 9, ['Add addendum']],
    ['their author amends, marks or moves them', {}, 7, ['Add addendum', 'Amend', 'Mark as error', 'Wrong patient']],
    [
      'a ward lead marks or moves them',
      { type: 'ward_lead' as const },
      9,
      ['Add addendum', 'Mark as error', 'Wrong patient'],
    ],
    ['a user of another unit adds nothing', { units: [{ id: 3, name: 'West' }] }, 9, []],
  ])('cannot be edited: %s', async (_, change, authorId, expected) => {
    const author = { id: authorId, name: 'Noor Demo', type: 'nurse' as const };
    await show([inventedNote(1, { author })], { user: inventedUser(change) });
    expect(actions().map(({ textContent }) => textContent)).toEqual(expected);
    expect(screen.queryAllByLabelText('New note')).toHaveLength(expected.length === 0 ? 0 : 1);
  });

  it('name whom they mention, and a draft whom its author chose, until they are removed', async () => {
    const typist = userEvent.setup();
    await show([inventedNote(1, { mentions: [{ id: 8, name: 'Kim Demo' }] })]);
    expect(noteOf(/Nursing note/).getByText('Mentions Kim Demo')).toBeTruthy();
    await typist.click(screen.getByText('Mention a colleague'));
    await typist.selectOptions(screen.getByLabelText('Mention'), 'Noor Demo, Nurse');
    await typist.selectOptions(screen.getByLabelText('Mention'), 'Kim Demo, Nurse');
    expect(screen.getByText('Mentions Noor Demo, Kim Demo')).toBeTruthy();
    expect(screen.queryByRole('option', { name: 'Noor Demo, Nurse' })).toBeNull();
    await typist.type(screen.getByLabelText('New note'), 'Look');
    await typist.click(screen.getByRole('button', { name: 'Remove Noor Demo' }));
    await typist.click(screen.getByLabelText('New note'));
    await typist.tab();
    expect(sentCalls('addNote')[0]).toMatchObject({ body: { text: 'Look', mentions: [9, 8] } });
    expect(screen.getByLabelText<HTMLTextAreaElement>('New note').value).toBe('Look');
  });

  it('are no longer there once the patient is out of the user’s reach', async () => {
    const { poll } = await show([inventedNote(1)]);
    expect(screen.getByText('Note 1')).toBeTruthy();
    answer({
      listNotes: () => {
        throw new ApiFailure('not_found', 'Not found.', { status: 404 });
      },
    });
    await poll();
    expect(screen.queryByText('Note 1')).toBeNull();
    expect(screen.getByText('You cannot see this patient any more.')).toBeTruthy();
  });

  it('are not amended over a change that their author has not seen', async () => {
    const own = inventedNote(1, { author: { id: 7, name: 'Ada Demo', type: 'nurse' }, text: 'SpO2 90 %' });
    const { poll, settle } = await show([own]);
    await userEvent.click(screen.getByRole('button', { name: 'Amend' }));
    const text = await screen.findByLabelText('Corrected text');
    await userEvent.clear(text);
    await writeInto(text, 'SpO2 91 %');
    // What is missing is no error before someone signs.
    expect(screen.queryByText('Reason is too short')).toBeNull();
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Sign amendment' }));
    expect(screen.getByText('Reason is too short')).toBeTruthy();
    await writeInto(screen.getByLabelText('Reason'), 'A slip');
    const entry = { author: own.author, at: secondsAgo(5), id: 1, reason: 'Typo' };
    const changed = { ...own, version: 3, entries: [{ ...entry, kind: 'amendment' as const, text: 'SpO2 92 %' }] };
    noteAnswers([changed]);
    await poll();
    answer({ amendNote: () => changed });
    const dialog = within(screen.getByRole('dialog'));
    await expect(dialog.findByText('SpO2 92 %')).resolves.toBeTruthy();
    const sign = dialog.getByRole('button', { name: 'Sign amendment' });
    expect(sign.hasAttribute('disabled')).toBe(true);
    await userEvent.click(dialog.getByRole('button', { name: 'Continue with your text' }));
    await userEvent.click(sign);
    await settle();
    expect(sentCalls('amendNote')).toMatchObject([{ body: { text: 'SpO2 91 %', version: 3, authorId: 7 } }]);
  });

  it('are moved to the right patient, and to no one else', async () => {
    const author = { id: 7, name: 'Ada Demo', type: 'nurse' as const };
    answer({
      searchPatients: ({ body }) => inventedPage(body.state === 'active' ? [sam, inventedPatient(5)] : []),
      moveNote: () => inventedNote(2),
    });
    const { settle } = await show([inventedNote(1, { author })]);
    await userEvent.click(screen.getByRole('button', { name: 'Wrong patient' }));
    const move = await screen.findByRole('button', { name: 'Move note' });
    await userEvent.click(move);
    expect(screen.getByText('Patient is not chosen')).toBeTruthy();
    const choose = async (name: string): Promise<void> => {
      await userEvent.click(screen.getByRole('combobox', { name: 'Patient' }));
      await writeInto(screen.getByRole('combobox', { name: 'Patient' }), 'Sample');
      await userEvent.click(await screen.findByTitle(name));
    };
    await choose('Sample4, Sam, MRN A-4');
    await userEvent.click(move);
    expect(screen.getByText('Patient is the one under whom the note is')).toBeTruthy();
    expect(sentCalls('moveNote')).toEqual([]);
    await choose('Sample5, Sam, MRN A-5');
    await userEvent.click(move);
    const body = { authorId: 7, patientId: 5, reason: 'Wrong patient', version: 2 };
    await settle();
    expect(sentCalls('moveNote')).toEqual([{ params: { id: 1 }, body }]);
  });

  it('get a corrected addendum beside the one whose response was lost', async () => {
    await show([inventedNote(1)]);
    await userEvent.click(screen.getByRole('button', { name: 'Add addendum' }));
    const text = await screen.findByLabelText('Addendum');
    await writeInto(text, 'On oxygen');
    answer({
      addAddendum: () => {
        throw new ApiFailure('entry_signed', 'Signed already.', { status: 409 });
      },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Sign addendum' }));
    await expect(screen.findByText('Not saved. Signed already.')).resolves.toBeTruthy();
    answer({ addAddendum: () => inventedNote(1) });
    await userEvent.click(screen.getByRole('button', { name: 'Sign addendum' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const ids = sentCalls('addAddendum').map(({ body }) => body.clientId);
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
  });

  it('show the text of one that was moved to another patient only when it is asked for', async () => {
    const moved = inventedNote(1, { state: 'entered_in_error', text: null });
    answer({ readNote: () => ({ ...moved, text: 'About another patient' }) });
    await show([moved]);
    expect(screen.queryByText('About another patient')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show text' }));
    expect((await screen.findByText('About another patient')).getAttribute('data-struck')).toBe('');
  });

  it('count as read after 2 s in view in the tab in front, and not before', async () => {
    jest.useFakeTimers();
    const seen: ((ratio: number) => void)[] = [];
    const original = window.IntersectionObserver;
    window.IntersectionObserver = class extends original {
      constructor(callback: IntersectionObserverCallback) {
        super(callback);
        seen.push((intersectionRatio) => {
          const box = new DOMRect(0, 0, 100, 100 * intersectionRatio);
          callback(
            [
              {
                intersectionRatio,
                intersectionRect: box,
                boundingClientRect: box,
                rootBounds: new DOMRect(0, 0, 100, 800),
                isIntersecting: intersectionRatio > 0,
                target: document.body,
                time: 0,
              },
            ],
            this,
          );
        });
      }
    };
    try {
      answer({ markNoteRead: () => null });
      await show([inventedNote(1, { isUnread: true }), inventedNote(2)]);
      expect(screen.getAllByText('Unread')).toHaveLength(1);
      expect(seen).toHaveLength(1);
      await act(() => pass(5_000));
      seen[0]?.(0.2);
      await act(() => pass(5_000));
      seen[0]?.(1);
      await act(() => pass(1_900));
      seen[0]?.(0);
      await act(() => pass(5_000));
      expect(sentCalls('markNoteRead')).toEqual([]);
      seen[0]?.(1);
      await act(() => pass(2_100));
      expect(sentCalls('markNoteRead')).toEqual([{ params: { id: 1 }, body: { version: 2 } }]);
    } finally {
      window.IntersectionObserver = original;
      jest.useRealTimers();
    }
  });
});

describe('the draft of a note', () => {
  it('cannot be signed empty, and names the patient before it is signed', async () => {
    await show([]);
    const sign = screen.getByRole('button', { name: 'Sign the note for Sample4, Sam' });
    expect(sign.hasAttribute('disabled')).toBe(true);
    await writeInto(screen.getByLabelText('New note'), 'Slept well');
    expect(screen.getByText('Not saved yet')).toBeTruthy();
    await userEvent.click(sign);
    await expect(
      screen.findByText('Sign for Sample4, Sam, MRN A-4? It cannot be changed afterwards.'),
    ).resolves.toBeTruthy();
  });

  it('says for whom and when it was signed, in sight, until the next one is begun', async () => {
    const draft = inventedNote(3, { state: 'draft', signedAt: null, text: 'Slept well' });
    answer({ signNote: () => inventedNote(3, { signedAt: secondsAgo(60) }) });
    await show([], { drafts: [draft] });
    await userEvent.click(screen.getByRole('button', { name: 'Sign the note for Sample4, Sam' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Sign' }));
    const said = await screen.findByText('Signed for Sample4, Sam, 14:59');
    expect(said.closest('.visually-hidden')).toBeNull();
    expect(screen.queryByText(/A draft is saved as you type/)).toBeNull();
    await userEvent.type(screen.getByLabelText('New note'), 'W');
    expect(screen.queryByText(/Signed for/)).toBeNull();
  });

  it('is never another patient’s', async () => {
    const { unmount } = await show([]);
    await writeInto(screen.getByLabelText('New note'), 'About patient 4');
    unmount();
    await show([], { patient: inventedPatient(5) });
    expect(screen.getByLabelText('New note')).toHaveProperty('value', '');
  });

  it('of an earlier visit is there again', async () => {
    const draft = inventedNote(3, { state: 'draft', signedAt: null, text: 'Half a th', version: 4 });
    await show([], { drafts: [draft] });
    expect(screen.getByLabelText('New note')).toHaveProperty('value', 'Half a th');
    expect(screen.getByText('Draft saved. Only you see it.')).toBeTruthy();
  });

  it('happened when its author began to write, and half a time changes nothing', async () => {
    await show([]);
    const field = screen.getByLabelText('Time of the event');
    fireEvent.change(field, { target: { value: '2026-03-07T14:05' } });
    fireEvent.change(field, { target: { value: '' } });
    expect(field).toHaveProperty('value', '');
    fireEvent.blur(field);
    expect(field).toHaveProperty('value', '2026-03-07T14:05');
    await writeInto(screen.getByLabelText('New note'), 'Slept');
    expect(field).toHaveProperty('value', '2026-03-07T14:05');
    keepTextsOf(0);
    cleanup();
    await show([]);
    await writeInto(screen.getByLabelText('New note'), 'Slept');
    fireEvent.blur(screen.getByLabelText('New note'));
    await waitFor(() => expect(sentCalls('addNote')).toHaveLength(1));
    const { eventTime = '' } = sentCalls('addNote')[0]?.body ?? {};
    expect(Date.parse(eventTime)).toBeGreaterThanOrEqual(wardNow);
    expect(screen.getByLabelText('Time of the event')).toHaveProperty(
      'value',
      toWallTime(Date.parse(eventTime), user.site.timeZone),
    );
  });

  it('can be linked to an open alert of this patient alone', async () => {
    const alert = (id: number, patientId: number) =>
      inventedAlert(id, { patientId, parameter: 'spo2', priority: 'high', raisedAt: secondsAgo(60) });
    const alertsAnswer = hang('listAlerts');
    const unknown = await show([]);
    expect(screen.getByText('Open alerts not loaded')).toBeInstanceOf(HTMLElement);
    unknown.unmount();
    alertsAnswer();
    const { unmount } = await show([], { alerts: [alert(2, 5)] });
    expect(screen.getByText('No open alert to link').closest('details')).toBeNull();
    unmount();
    await show([], { alerts: [alert(1, 4), alert(2, 5)] });
    await userEvent.click(screen.getByText('Link to an open alert'));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'SpO2, high, raised 14:59' }));
    expect(screen.getAllByRole('checkbox')).toHaveLength(1);
    expect(screen.getByRole('checkbox')).toHaveProperty('checked', true);
  });

  it('has no accessibility violations', async () => {
    const { container } = await show([inventedNote(1, { isUnread: true })]);
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
  });
});
