import { ApiFailure, clientFailure } from '../lib/browser/client';
import type { Note } from '../lib/notes/schema';
import { inventedNote } from '../test/inventedNote';
import { createDraftKeeper, isUnsaved, type DraftKeeper } from './draftKeeper';
import { keptDraft, keptEntry, keepEntry, keepTextsOf } from './keptTexts';

interface Sent {
  body?: Record<string, unknown>;
}
const mockPoll = jest.fn<Promise<{ data: unknown; serverTime: null }>, [string, Sent]>();
jest.mock('./poll', () => ({ poll: (name: string, input: Sent) => mockPoll(name, input) }));

const draft = (version: number, text: string, change: Partial<Note> = {}): Note =>
  inventedNote(1, { state: 'draft', signedAt: null, version, text, ...change });
const changed = new ApiFailure('note_changed', 'You have changed this note in the meantime.', { status: 409 });

/** What the server does with each call, in their order; the last one goes on. */
function answers(...given: (Note | null | ApiFailure)[]): void {
  for (const [place, one] of given.entries()) {
    const answer = () =>
      one instanceof ApiFailure ? Promise.reject(one) : Promise.resolve({ data: one, serverTime: null });
    if (place === given.length - 1) {
      mockPoll.mockImplementation(answer);
    } else {
      mockPoll.mockImplementationOnce(answer);
    }
  }
}
const sent = (): [string, Record<string, unknown>][] =>
  mockPoll.mock.calls.map(([name, { body = {} }]) => [name, body]);
const seconds = (count: number) => jest.advanceTimersByTimeAsync(count * 1_000);
const leavesAsked = (): boolean => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};

let keeper: DraftKeeper;
let stop: () => void;

beforeEach(() => {
  jest.useFakeTimers();
  mockPoll.mockReset();
  keeper = createDraftKeeper(7, 4);
  stop = keeper.start();
});
afterEach(() => {
  keeper.forget();
  jest.useRealTimers();
});

describe('a draft', () => {
  it('is sent to no one while it is empty', async () => {
    keeper.change({ type: 'medical' });
    keeper.change({ text: '  ' });
    await seconds(10);
    expect(sent()).toEqual([]);
    expect(leavesAsked()).toBe(false);
  });

  it('is stored 2 s after the last key, for the user of the page, then by its version', async () => {
    answers(draft(1, 'Slept'), draft(2, 'Slept well'));
    keeper.change({ text: 'Sle' });
    await seconds(1.9);
    keeper.change({ text: 'Slept' });
    expect(leavesAsked()).toBe(true);
    await seconds(1.9);
    expect(sent()).toEqual([]);
    await seconds(0.2);
    expect(sent()).toMatchObject([['addNote', { text: 'Slept', authorId: 7 }]]);
    expect(leavesAsked()).toBe(false);
    keeper.change({ text: 'Slept well' });
    await seconds(3);
    expect(sent()[1]).toMatchObject(['saveDraft', { text: 'Slept well', version: 1 }]);
    expect(isUnsaved(keeper.read())).toBe(false);
  });

  it('keeps its text while the server is away, and stores it once, however long that took', async () => {
    answers(clientFailure('unreachable'));
    keeper.change({ text: 'Slept well' });
    await seconds(300);
    expect(keeper.read()).toMatchObject({ fields: { text: 'Slept well' }, failure: { code: 'unreachable' } });
    const ids = new Set(sent().map(([, body]) => body.clientId));
    expect(ids.size).toBe(1);
    answers(draft(1, 'Slept well'));
    await seconds(6);
    expect(keeper.read()).toMatchObject({ failure: null, stored: { id: 1, version: 1 } });
    const count = sent().length;
    await seconds(60);
    expect(sent()).toHaveLength(count);
  });

  it('is stored again if the server has only the text of a call whose response was lost', async () => {
    answers(clientFailure('no_response'), draft(1, 'Slept'), draft(2, 'Slept well'));
    keeper.change({ text: 'Slept' });
    await seconds(3);
    keeper.change({ text: 'Slept well' });
    await seconds(10);
    expect(sent().map(([name, { text }]) => [name, text])).toEqual([
      ['addNote', 'Slept'],
      ['addNote', 'Slept well'],
      ['saveDraft', 'Slept well'],
    ]);
  });

  it('is stored when its page is left, and stays for the same user if that failed', async () => {
    answers(clientFailure('unreachable'));
    keeper.change({ text: 'Slept well' });
    stop();
    await seconds(0);
    expect(sent()).toHaveLength(1);
    await seconds(60);
    expect(sent()).toHaveLength(1);
    answers(draft(1, 'Slept well'));
    keeper.start();
    await seconds(0);
    expect(isUnsaved(keeper.read())).toBe(false);
  });

  const noor = { id: 9, name: 'Noor Demo' };
  const kim = { id: 8, name: 'Kim Demo' };

  it('keeps whom it mentions as it keeps its text while the server is away and over a lock', async () => {
    answers(draft(1, 'Look', { mentions: [noor] }), clientFailure('unreachable'));
    keeper.change({ text: 'Look', mentions: [noor] });
    await seconds(3);
    expect(sent()).toMatchObject([['addNote', { text: 'Look', mentions: [9] }]]);
    keeper.change({ mentions: [noor, kim] });
    expect(leavesAsked()).toBe(true);
    await seconds(60);
    stop();
    await seconds(0);
    expect(keeper.read()).toMatchObject({ fields: { mentions: [noor, kim] }, failure: { code: 'unreachable' } });
    answers(draft(2, 'Look', { mentions: [kim, noor] }));
    keeper.start();
    await seconds(0);
    expect(sent().at(-1)).toMatchObject(['saveDraft', { text: 'Look', mentions: [9, 8], version: 1 }]);
    expect(isUnsaved(keeper.read())).toBe(false);
  });

  it('that mentions someone else in another tab is not overwritten before its author has chosen', async () => {
    answers(draft(1, 'Look'), changed, draft(2, 'Look', { mentions: [kim] }));
    keeper.change({ text: 'Look' });
    await seconds(3);
    keeper.change({ mentions: [noor] });
    await seconds(10);
    expect(keeper.read()).toMatchObject({ fields: { mentions: [noor] }, conflict: { mentions: [kim] } });
    answers(draft(3, 'Look', { mentions: [noor] }));
    await keeper.resolve('this');
    expect(sent().at(-1)).toMatchObject(['saveDraft', { mentions: [9], version: 2 }]);
    expect(keeper.read()).toMatchObject({ fields: { mentions: [noor] }, conflict: null });
  });

  it('that another tab has changed is not overwritten before its author has chosen', async () => {
    answers(draft(1, 'One'), changed, draft(2, 'Two, typed there'));
    keeper.change({ text: 'One' });
    await seconds(3);
    keeper.change({ text: 'Two, typed here' });
    await seconds(60);
    expect(keeper.read()).toMatchObject({
      fields: { text: 'Two, typed here' },
      conflict: { text: 'Two, typed there', version: 2 },
    });
    expect(sent()).toHaveLength(3);
    answers(draft(3, 'Two, typed here'));
    await keeper.resolve('this');
    expect(sent()[3]).toMatchObject(['saveDraft', { text: 'Two, typed here', version: 2 }]);
    expect(keeper.read().conflict).toBeNull();
  });

  it('knows its own change, whose response was lost, from that of another tab', async () => {
    answers(draft(1, 'One'), clientFailure('no_response'), changed, draft(2, 'Two'));
    keeper.change({ text: 'One' });
    await seconds(3);
    keeper.change({ text: 'Two' });
    await seconds(20);
    expect(keeper.read()).toMatchObject({ conflict: null, failure: null, stored: { version: 2 } });
  });

  it('that was signed in another tab leaves what was typed since as a new draft', async () => {
    const id = (): unknown => sent().at(-1)?.[1].clientId;
    answers(draft(1, 'One'));
    keeper.change({ text: 'One' });
    await seconds(3);
    const first = id();
    const signed = inventedNote(1, { text: 'One', version: 2 });
    answers(new ApiFailure('note_signed', 'Signed.', { status: 409 }), signed, draft(1, 'One and two', { id: 2 }));
    keeper.change({ text: 'One and two' });
    await seconds(2.1);
    expect(keeper.read()).toMatchObject({ fields: { text: 'One and two' }, stored: null });
    expect(keeper.read().notice).toContain('kept here as a new draft');
    await seconds(5);
    expect(keeper.read()).toMatchObject({ stored: { id: 2 } });
    expect(id()).not.toBe(first);
  });

  it('leaves out characters that no store keeps, and is stored once', async () => {
    mockPoll.mockImplementation((_, { body = {} }) =>
      Promise.resolve({ data: draft(1, String(body.text)), serverTime: null }),
    );
    keeper.change({ text: 'SpO2\0 97 %\tHalf \ud83d,\nwhole 😀' });
    await seconds(60);
    expect(sent()).toMatchObject([['addNote', { text: 'SpO2 97 %\tHalf ,\nwhole 😀' }]]);
    expect(isUnsaved(keeper.read())).toBe(false);
  });

  it('that is discarded stays discarded, also if the response was lost', async () => {
    answers(draft(1, 'Slept'), clientFailure('no_response'), new ApiFailure('not_found', 'No.', { status: 404 }));
    keeper.change({ text: 'Slept' });
    await seconds(3);
    await expect(keeper.discard()).resolves.toBe(false);
    expect(keeper.read()).toMatchObject({ fields: { text: 'Slept' }, failed: 'discard' });
    await expect(keeper.discard()).resolves.toBe(true);
    expect(keeper.read()).toMatchObject({ fields: { text: '' }, notice: null, failure: null });
    await seconds(60);
    expect(sent().map(([name]) => name)).toEqual(['addNote', 'discardDraft', 'discardDraft']);
  });

  it('whose first response was lost is discarded at the server too', async () => {
    answers(clientFailure('no_response'), draft(1, 'Slept'), null);
    keeper.change({ text: 'Slept' });
    await seconds(2.1);
    await expect(keeper.discard()).resolves.toBe(true);
    const [first, again, discarded] = sent();
    expect([again?.[1].clientId, again?.[1].text]).toEqual([first?.[1].clientId, '']);
    expect(discarded).toEqual(['discardDraft', { version: 1 }]);
    await seconds(60);
    expect(sent()).toHaveLength(3);
    keeper.follow({ items: [], drafts: [draft(1, 'Slept')] }, false);
    expect(keeper.read().fields.text).toBe('');
  });

  it('is signed once, with the last letters, however often that is pressed', async () => {
    answers(draft(1, 'Slept well'), inventedNote(1, { version: 2 }));
    keeper.change({ text: 'Slept well' });
    const signing = [keeper.sign(), keeper.sign()];
    await seconds(0);
    await expect(Promise.all(signing)).resolves.toMatchObject([{ id: 1 }, null]);
    expect(sent().map(([name]) => name)).toEqual(['addNote', 'signNote']);
    expect(keeper.read()).toMatchObject({ fields: { text: '' }, stored: null });
    // A response from before does not bring it back.
    keeper.follow({ items: [], drafts: [draft(1, 'Slept well')] }, false);
    expect(keeper.read().fields.text).toBe('');
  });

  it('is not signed while its last letters are not stored', async () => {
    answers(clientFailure('unreachable'));
    keeper.change({ text: 'Slept well' });
    await expect(keeper.sign()).resolves.toBeNull();
    expect(sent().map(([name]) => name)).not.toContain('signNote');
    expect(keeper.read()).toMatchObject({
      fields: { text: 'Slept well' },
      isSigning: false,
      failed: 'sign',
      failure: { code: 'unreachable' },
    });
  });

  it('of an earlier visit is shown, but not over what is being typed', () => {
    const stored = { items: [], drafts: [draft(3, 'From yesterday')] };
    keeper.change({ text: 'Typed here' });
    keeper.follow(stored, true);
    expect(keeper.read().fields.text).toBe('Typed here');
    const other = createDraftKeeper(7, 4);
    other.follow(stored, false);
    expect(other.read()).toMatchObject({ fields: { text: 'From yesterday' }, stored: { id: 1, version: 3 } });
  });
});

describe('what was typed and not sent', () => {
  it('is given back to the same user for the same patient alone', () => {
    const make = () => createDraftKeeper(7, 4);
    const own = keptDraft(7, 4, make);
    own.change({ text: 'About patient 4' });
    keepEntry(7, 'addendum 1', { clientId: 'a', text: 'More', reason: '', seen: inventedNote(1) });
    keepTextsOf(7);
    expect(keptDraft(7, 4, make).read().fields.text).toBe('About patient 4');
    expect(keptDraft(7, 5, make).read().fields.text).toBe('');
    expect(keptEntry(7, 'addendum 1')?.text).toBe('More');
    keepTextsOf(8);
    expect(own.read().fields.text).toBe('');
    expect(leavesAsked()).toBe(false);
    expect(keptDraft(7, 4, make).read().fields.text).toBe('');
    expect(keptEntry(7, 'addendum 1')).toBeUndefined();
  });
});
