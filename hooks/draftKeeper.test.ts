import type { CallName } from '../lib/api/calls';
import type { Note } from '../lib/notes/schema';
import { inventedNote } from '../test/inventedNote';
import { lose, loseAnswer, pass, sentCalls } from '../test/network';
import { signInPage } from '../test/signInPage';
import type { Caller } from '../test/testServer';
import { createDraftKeeper, isUnsaved, type DraftKeeper } from './draftKeeper';
import { keptDrafts, keptEntries, keepTextsOf } from './keptTexts';

type Sent = [CallName, Record<string, unknown>];
const sent = (): Sent[] =>
  sentCalls()
    .filter(({ name }) => name !== 'readNote')
    .map(({ name, input }) => {
      const body: unknown = 'body' in input ? input.body : {};
      return [name, typeof body === 'object' ? { ...body } : {}];
    });
const seconds = (count: number) => pass(count * 1_000);
const leavesAsked = (): boolean => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};

let nurse: Caller;
let patientId: number;
let noor: { id: number; name: string };
let kim: { id: number; name: string };
let keeper: DraftKeeper;
let stop: () => void;

beforeEach(async () => {
  jest.useFakeTimers();
  const { server, siteId, caller } = await signInPage('nurse');
  nurse = caller;
  patientId = await server.addPatient(siteId);
  noor = { id: (await server.addUser(siteId, 'nurse')).id, name: 'Noor Demo' };
  kim = { id: (await server.addUser(siteId, 'nurse')).id, name: 'Kim Demo' };
  keeper = createDraftKeeper(nurse.userId, patientId);
  stop = keeper.start();
});
afterEach(() => {
  keeper.forget();
  jest.useRealTimers();
});

/** The user's drafts and the signed notes, as another tab has them. */
async function stored(): Promise<{ items: Note[]; drafts: Note[] }> {
  const response = await nurse.call('GET', `/api/v2/patients/${patientId}/notes?page=1&pageSize=25`);
  return response.json<{ items: Note[]; drafts: Note[] }>();
}
/** Another tab changes the only draft. */
async function elsewhere(change: { text?: string; mentions?: number[] }): Promise<void> {
  const [draft] = (await stored()).drafts;
  const body = { version: draft?.version, type: draft?.type, text: draft?.text, alertIds: [], mentions: [], ...change };
  expect((await nurse.call('PUT', `/api/v2/notes/${draft?.id ?? 0}`, body)).statusCode).toBe(200);
}
const idsOf = (mentions: readonly { id: number }[] | undefined) => mentions?.map(({ id }) => id);

describe('a draft', () => {
  it('is sent to no one while it is empty', async () => {
    keeper.change({ type: 'medical' });
    keeper.change({ text: '  ' });
    await seconds(10);
    expect(sent()).toEqual([]);
    expect(leavesAsked()).toBe(false);
  });

  it('is stored 2 s after the last key, for the user of the page, then by its version', async () => {
    keeper.change({ text: 'Sle' });
    await seconds(1.9);
    keeper.change({ text: 'Slept' });
    expect(leavesAsked()).toBe(true);
    await seconds(1.9);
    expect(sent()).toEqual([]);
    await seconds(0.2);
    expect(sent()).toMatchObject([['addNote', { text: 'Slept', authorId: nurse.userId }]]);
    expect(leavesAsked()).toBe(false);
    keeper.change({ text: 'Slept well' });
    await seconds(3);
    expect(sent()[1]).toMatchObject(['saveDraft', { text: 'Slept well', version: 1 }]);
    expect(isUnsaved(keeper.read())).toBe(false);
    expect((await stored()).drafts).toMatchObject([{ text: 'Slept well' }]);
  });

  it('keeps its text while the server is away, and stores it once, however long that took', async () => {
    const back = lose();
    keeper.change({ text: 'Slept well' });
    await seconds(300);
    expect(keeper.read()).toMatchObject({ fields: { text: 'Slept well' }, failure: { code: 'unreachable' } });
    const ids = new Set(sent().map(([, body]) => body.clientId));
    expect(ids.size).toBe(1);
    back();
    await seconds(6);
    expect(keeper.read()).toMatchObject({ failure: null, stored: { version: 1 } });
    const count = sent().length;
    await seconds(60);
    expect(sent()).toHaveLength(count);
    expect((await stored()).drafts).toMatchObject([{ text: 'Slept well' }]);
  });

  it('is stored again if the server has only the text of a call whose response was lost', async () => {
    loseAnswer('addNote');
    keeper.change({ text: 'Slept' });
    await seconds(3);
    keeper.change({ text: 'Slept well' });
    await seconds(10);
    expect(sent().map(([name, { text }]) => [name, text])).toEqual([
      ['addNote', 'Slept'],
      ['addNote', 'Slept well'],
      ['saveDraft', 'Slept well'],
    ]);
    expect((await stored()).drafts).toMatchObject([{ text: 'Slept well' }]);
  });

  it('is stored when its page is left, and stays for the same user if that failed', async () => {
    const back = lose();
    keeper.change({ text: 'Slept well' });
    stop();
    await seconds(0);
    expect(sent()).toHaveLength(1);
    await seconds(60);
    expect(sent()).toHaveLength(1);
    back();
    keeper.start();
    await seconds(0);
    expect(isUnsaved(keeper.read())).toBe(false);
    expect((await stored()).drafts).toMatchObject([{ text: 'Slept well' }]);
  });

  it('keeps whom it mentions as it keeps its text while the server is away and over a lock', async () => {
    keeper.change({ text: 'Look', mentions: [noor] });
    await seconds(3);
    expect(sent()).toMatchObject([['addNote', { text: 'Look', mentions: [noor.id] }]]);
    const back = lose();
    keeper.change({ mentions: [noor, kim] });
    expect(leavesAsked()).toBe(true);
    await seconds(60);
    stop();
    await seconds(0);
    expect(keeper.read()).toMatchObject({ fields: { mentions: [noor, kim] }, failure: { code: 'unreachable' } });
    back();
    keeper.start();
    await seconds(0);
    expect(sent().at(-1)).toMatchObject(['saveDraft', { text: 'Look', mentions: [noor.id, kim.id], version: 1 }]);
    expect(isUnsaved(keeper.read())).toBe(false);
  });

  it('that mentions someone else in another tab is not overwritten before its author has chosen', async () => {
    keeper.change({ text: 'Look' });
    await seconds(3);
    await elsewhere({ mentions: [kim.id] });
    keeper.change({ mentions: [noor] });
    await seconds(10);
    expect(keeper.read().fields.mentions).toEqual([noor]);
    expect(idsOf(keeper.read().conflict?.mentions)).toEqual([kim.id]);
    await keeper.resolve('this');
    expect(sent().at(-1)).toMatchObject(['saveDraft', { mentions: [noor.id], version: 2 }]);
    expect(keeper.read()).toMatchObject({ fields: { mentions: [noor] }, conflict: null });
  });

  it('that another tab has changed is not overwritten before its author has chosen', async () => {
    keeper.change({ text: 'One' });
    await seconds(3);
    await elsewhere({ text: 'Two, typed there' });
    keeper.change({ text: 'Two, typed here' });
    await seconds(60);
    expect(keeper.read()).toMatchObject({
      fields: { text: 'Two, typed here' },
      conflict: { text: 'Two, typed there', version: 2 },
    });
    expect(sentCalls()).toHaveLength(3);
    expect((await stored()).drafts).toMatchObject([{ text: 'Two, typed there' }]);
    await keeper.resolve('this');
    expect(sent().at(-1)).toMatchObject(['saveDraft', { text: 'Two, typed here', version: 2 }]);
    expect(keeper.read().conflict).toBeNull();
    expect((await stored()).drafts).toMatchObject([{ text: 'Two, typed here' }]);
  });

  it('knows its own change, whose response was lost, from that of another tab', async () => {
    keeper.change({ text: 'One' });
    await seconds(3);
    loseAnswer('saveDraft');
    keeper.change({ text: 'Two' });
    await seconds(20);
    expect(keeper.read()).toMatchObject({ conflict: null, failure: null, stored: { version: 2 } });
  });

  it('that was signed in another tab leaves what was typed since as a new draft', async () => {
    keeper.change({ text: 'One' });
    await seconds(3);
    const [first] = (await stored()).drafts;
    await nurse.call('POST', `/api/v2/notes/${first?.id ?? 0}/sign`, { version: first?.version });
    keeper.change({ text: 'One and two' });
    await seconds(2.1);
    expect(keeper.read()).toMatchObject({ fields: { text: 'One and two' }, stored: null });
    expect(keeper.read().notice).toContain('kept here as a new draft');
    await seconds(5);
    const now = await stored();
    expect([now.items, now.drafts]).toMatchObject([[{ text: 'One' }], [{ text: 'One and two' }]]);
    expect(keeper.read().stored?.id).toBe(now.drafts[0]?.id);
    expect(now.drafts[0]?.id).not.toBe(first?.id);
  });

  it('leaves out characters that no store keeps, and is stored once', async () => {
    keeper.change({ text: 'SpO2\0 97 %\tHalf \ud83d,\nwhole 😀' });
    await seconds(60);
    expect(sent()).toMatchObject([['addNote', { text: 'SpO2 97 %\tHalf ,\nwhole 😀' }]]);
    expect(isUnsaved(keeper.read())).toBe(false);
  });

  it('that is discarded stays discarded, also if the response was lost', async () => {
    keeper.change({ text: 'Slept' });
    await seconds(3);
    loseAnswer('discardDraft');
    await expect(keeper.discard()).resolves.toBe(false);
    expect(keeper.read()).toMatchObject({ fields: { text: 'Slept' }, failed: 'discard' });
    await expect(keeper.discard()).resolves.toBe(true);
    expect(keeper.read()).toMatchObject({ fields: { text: '' }, notice: null, failure: null });
    await seconds(60);
    expect(sent().map(([name]) => name)).toEqual(['addNote', 'discardDraft', 'discardDraft']);
    expect((await stored()).drafts).toEqual([]);
  });

  it('whose first response was lost is discarded at the server too', async () => {
    loseAnswer('addNote');
    keeper.change({ text: 'Slept' });
    await seconds(2.1);
    const { drafts } = await stored();
    expect(drafts).toMatchObject([{ text: 'Slept' }]);
    await expect(keeper.discard()).resolves.toBe(true);
    const [first, again] = sent();
    expect([again?.[1].clientId, again?.[1].text]).toEqual([first?.[1].clientId, '']);
    await seconds(60);
    expect(sent().map(([name]) => name)).toEqual(['addNote', 'addNote', 'discardDraft']);
    expect((await stored()).drafts).toEqual([]);
    keeper.follow({ items: [], drafts }, false);
    expect(keeper.read().fields.text).toBe('');
  });

  it('is signed once, with the last letters, however often that is pressed', async () => {
    keeper.change({ text: 'Slept well' });
    const signing = [keeper.sign(), keeper.sign()];
    await seconds(0);
    await expect(Promise.all(signing)).resolves.toMatchObject([{ text: 'Slept well' }, null]);
    expect(sent().map(([name]) => name)).toEqual(['addNote', 'signNote']);
    expect(keeper.read()).toMatchObject({ fields: { text: '' }, stored: null });
    // A response from before does not bring it back.
    const [signed] = (await stored()).items;
    keeper.follow(
      { items: [], drafts: [inventedNote(signed?.id ?? 0, { state: 'draft', text: 'Slept well' })] },
      false,
    );
    expect(keeper.read().fields.text).toBe('');
  });

  it('is not signed while its last letters are not stored', async () => {
    lose();
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

  it('of an earlier visit is shown, but not over what is being typed', async () => {
    keeper.change({ text: 'From yesterday' });
    await seconds(3);
    const before = await stored();
    const there = createDraftKeeper(nurse.userId, patientId);
    there.change({ text: 'Typed here' });
    there.follow(before, true);
    expect(there.read().fields.text).toBe('Typed here');
    there.forget();
    const other = createDraftKeeper(nurse.userId, patientId);
    other.follow(before, false);
    expect(other.read()).toMatchObject({ fields: { text: 'From yesterday' }, stored: { version: 1 } });
  });
});

describe('what was typed and not sent', () => {
  it('is given back to the same user for the same patient alone', () => {
    const make = () => createDraftKeeper(7, 4);
    const own = keptDrafts.of(7, 4, make);
    own.change({ text: 'About patient 4' });
    keptEntries.keep(7, 'addendum 1', { clientId: 'a', text: 'More', reason: '', seen: inventedNote(1) });
    keepTextsOf(7);
    expect(keptDrafts.of(7, 4, make).read().fields.text).toBe('About patient 4');
    expect(keptDrafts.of(7, 5, make).read().fields.text).toBe('');
    expect(keptEntries.of(7, 'addendum 1')?.text).toBe('More');
    keepTextsOf(8);
    expect(own.read().fields.text).toBe('');
    expect(leavesAsked()).toBe(false);
    expect(keptDrafts.of(7, 4, make).read().fields.text).toBe('');
    expect(keptEntries.of(7, 'addendum 1')).toBeUndefined();
  });
});
