import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { z } from 'zod';
import { messageNote } from '../../lib/chat/messageNote';
import { messageNoteId } from '../../lib/chat/messageNoteId';
import { presentText } from '../../lib/notes/presentText';
import type { Note, ownNotesResponse } from '../../lib/notes/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';

describe.each(apiEngines)('a mention on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let author: Caller;
  let colleague: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    await test.addUnit(site, 'East');
    author = await test.signIn(site, 'physician');
  });
  beforeEach(async () => {
    colleague = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'West', [colleague.userId]);
    patient = await addPatient('West');
  });

  let beds = 0;
  const addPatient = (unit: string): Promise<number> =>
    test.addPatient(site, { location: { unit, bed: `${(beds += 1)}` } });
  const move = async (unit: string): Promise<void> => {
    const version = test.server.liveState.patients.get(patient)?.version;
    const body = { version, location: { unit, bed: `${(beds += 1)}` } };
    expect((await author.call('PATCH', `/api/v2/patients/${patient}`, body)).statusCode).toBe(200);
  };
  const begin = (mentions: readonly number[]) =>
    author.call('POST', `/api/v2/patients/${patient}/notes`, {
      clientId: randomUUID(),
      authorId: author.userId,
      type: 'medical',
      text: 'Please look at the leg',
      mentions,
    });
  const begun = async (mentions: readonly number[]): Promise<Note> => {
    const response = await begin(mentions);
    expect([response.statusCode, response.body]).toEqual([201, expect.any(String)]);
    return response.json<Note>();
  };
  const save = ({ id, version }: Note, mentions: readonly number[]) =>
    author.call('PUT', `/api/v2/notes/${id}`, { version, type: 'medical', text: 'Please look', mentions });
  const sign = ({ id, version }: Note) => author.call('POST', `/api/v2/notes/${id}/sign`, { version });
  const signed = async (mentions: readonly number[]): Promise<Note> => (await sign(await begun(mentions))).json<Note>();
  const found = async (by = colleague) =>
    (await by.call('GET', '/api/v2/notes/own')).json<z.infer<typeof ownNotesResponse>>().mentions;
  const idsOf = ({ mentions }: Note): number[] => mentions.map(({ id }) => id);
  const readers = async (by = author): Promise<number[]> =>
    (await by.call('GET', `/api/v2/patients/${patient}/notes/readers`))
      .json<{ items: { id: number }[] }>()
      .items.map(({ id }) => id);

  it('of someone who may not see the patient is refused, and nothing is stored', async () => {
    const outsider = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'East', [outsider.userId]);
    const viewer = await test.addUser(site, 'viewer');
    const stranger = await test.addUser(await test.addSite(), 'physician');
    const left = await test.addUser(site, 'physician');
    await test.store.db.updateTable('users').set({ disabled_at: 1 }).where('id', '=', left.id).execute();
    const draft = await begun([]);
    for (const id of [outsider.userId, viewer.id, stranger.id, left.id, 2_147_483_647]) {
      for (const response of [await begin([id]), await save(draft, [colleague.userId, id])]) {
        expect([response.statusCode, response.json<{ error: { fields?: object } }>().error.fields]).toEqual([
          422,
          { mentions: 'may not see this patient' },
        ]);
      }
    }
    const notes = await author.call('GET', `/api/v2/patients/${patient}/notes`);
    expect(notes.json<{ drafts: Note[] }>().drafts).toMatchObject([{ id: draft.id, version: 1, mentions: [] }]);
    await expect(readers()).resolves.toContain(colleague.userId);
    for (const id of [outsider.userId, viewer.id, stranger.id, left.id, author.userId]) {
      await expect(readers()).resolves.not.toContain(id);
    }
  });

  it('of someone who lost the right since stops no text from being stored, and the signature', async () => {
    const draft = await begun([colleague.userId]);
    await move('East');
    const saved = await save(draft, [colleague.userId]);
    expect(saved.statusCode).toBe(200);
    const refused = await sign(saved.json<Note>());
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('Robin Example')]);
    const without = (await save(saved.json<Note>(), [])).json<Note>();
    expect(idsOf(without)).toEqual([]);
    expect((await sign(without)).statusCode).toBe(200);
  });

  it('is in the draft, and is found by whom it names once the note is signed, until they read it', async () => {
    const another = await test.signIn(site, 'physician');
    const draft = await begun([colleague.userId, colleague.userId]);
    expect(idsOf(draft)).toEqual([colleague.userId]);
    await expect(found()).resolves.toEqual([]);
    const saved = (await save(draft, [colleague.userId, another.userId])).json<Note>();
    expect(idsOf(saved)).toEqual([colleague.userId, another.userId]);
    const note = (await sign(saved)).json<Note>();
    expect(idsOf(note)).toEqual([colleague.userId, another.userId]);
    const mention = { noteId: note.id, patientId: patient, author: note.author.name, at: toInstant(test.now()) };
    await expect(found()).resolves.toEqual([mention]);
    await expect(found(author)).resolves.toEqual([]);
    await colleague.call('POST', `/api/v2/notes/${note.id}/read`, { version: note.version });
    await expect(found()).resolves.toEqual([]);
    await expect(found(another)).resolves.toEqual([mention]);
  });

  it('goes with its draft, and is not there for one who may not see the patient any more', async () => {
    const draft = await begun([colleague.userId]);
    expect((await author.call('POST', `/api/v2/notes/${draft.id}/discard`, { version: 1 })).statusCode).toBe(204);
    await signed([colleague.userId]);
    await move('East');
    await expect(found()).resolves.toEqual([]);
    await move('West');
    await expect(found()).resolves.toHaveLength(1);
  });

  it('is by id: a new name changes no signed text', async () => {
    const note = await signed([colleague.userId]);
    await test.store.db.updateTable('users').set({ lname: 'Renamed' }).where('id', '=', colleague.userId).execute();
    const read = (await author.call('GET', `/api/v2/notes/${note.id}`)).json<Note>();
    expect(read.text).toBe(note.text);
    expect(read.mentions).toEqual([{ id: colleague.userId, name: 'Robin Renamed' }]);
  });

  it('goes with a note to the right patient, to those who may see that one, and not with one in error', async () => {
    const another = await test.signIn(site, 'physician');
    const note = await signed([colleague.userId, another.userId]);
    const right = await addPatient('East');
    const body = { authorId: author.userId, patientId: right, reason: 'Wrong patient', version: note.version };
    const moved = (await author.call('POST', `/api/v2/notes/${note.id}/move`, body)).json<Note>();
    expect(idsOf(moved)).toEqual([another.userId]);
    await expect(found()).resolves.toEqual([]);
    await expect(found(another)).resolves.toMatchObject([{ noteId: moved.id, patientId: right }]);
    const first = await author.call('GET', `/api/v2/patients/${patient}/notes`);
    expect(first.json<{ items: Note[] }>().items).toMatchObject([{ id: note.id, mentions: [] }]);
  });
});

describe.each(apiEngines)('a note on %s', (engine) => {
  const hour = 3_600_000;

  type Notes = { items: Note[]; total: number; drafts: Note[] };

  let test: TestServer;
  let site: number;
  let author: Caller;
  let reader: Caller;
  let patient: number;

  beforeAll(async () => {
    // A server of its own: its clock goes back.
    test = await startTestServer(engine);
    site = await test.addSite();
    await test.addUnit(site, 'Ward 4');
    author = await test.signIn(site, 'nurse');
    reader = await test.signIn(site, 'physician');
  });
  beforeEach(async () => {
    patient = await addPatient();
  });
  afterAll(() => test.stop());

  let beds = 0;
  const addPatient = (): Promise<number> =>
    test.addPatient(site, { location: { unit: 'Ward 4', bed: `${(beds += 1)}` } });

  const draftOf = (text: string, by = author) => ({
    clientId: randomUUID(),
    authorId: by.userId,
    type: 'nursing',
    text,
  });
  const write = async (body: object, by = author, of = patient): Promise<Note> => {
    const response = await by.call('POST', `/api/v2/patients/${of}/notes`, body);
    expect([response.statusCode, response.body]).toEqual([201, expect.any(String)]);
    return response.json<Note>();
  };
  /** What a page sends for an entry names its user as well. */
  const asked = (note: Note, action: string, body: object, by: Caller) =>
    by.call('POST', `/api/v2/notes/${note.id}/${action}`, {
      ...(['sign', 'read', 'discard'].includes(action) ? {} : { authorId: by.userId }),
      ...body,
    });
  const act = async (note: Note, action: string, body: object, by = author): Promise<Note> => {
    const response = await asked(note, action, body, by);
    expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
    return response.json<Note>();
  };
  const refused = async (note: Note, action: string, body: object, by = author) => {
    const response = await asked(note, action, body, by);
    return [response.statusCode, response.json<{ error: { code: string } }>().error.code];
  };
  const sign = (note: Note, by = author): Promise<Note> => act(note, 'sign', { version: note.version }, by);
  const signed = async (text: string, by = author): Promise<Note> => sign(await write(draftOf(text, by), by), by);
  const list = async (by = author, of = patient): Promise<Notes> =>
    (await by.call('GET', `/api/v2/patients/${of}/notes`)).json<Notes>();
  const audited = async (of = patient): Promise<string[]> =>
    (
      await test.store.db.selectFrom('audit').select('action').where('object_id', '=', of).orderBy('id').execute()
    ).flatMap(({ action }) => (action.includes('note') ? [action] : []));

  const sound = { clientId: randomUUID(), authorId: 1, type: 'nursing', text: 'x' };
  it.each([
    ['clientId', { type: 'nursing', text: 'x', authorId: 1 }],
    ['clientId', { ...sound, clientId: 'one' }],
    ['type', { ...sound, type: 'gossip' }],
    ['text', { ...sound, text: 'x'.repeat(10_001) }],
    // PostgreSQL stores no NUL, and SQLite something else than half a character.
    ['text', { ...sound, text: 'SpO2\0 97 %' }],
    ['text', { ...sound, text: 'Half a face \ud83d' }],
    ['eventTime', { ...sound, eventTime: 'yesterday' }],
    ['alertIds.0', { ...sound, alertIds: [0] }],
    ['signed', { ...sound, signed: true }],
  ])('is refused with a wrong %s', async (field, body) => {
    const response = await author.call('POST', `/api/v2/patients/${patient}/notes`, body);
    expect(response.statusCode).toBe(422);
    expect(Object.keys(response.json<{ error: { fields: object } }>().error.fields)).toEqual([field]);
    await expect(list()).resolves.toEqual({ items: [], total: 0, drafts: [] });
  });

  it('about the future or with another patient’s alert is refused', async () => {
    const alert = await test.addAlert(site);
    const later = toInstant(test.now() + 300_001);
    for (const body of [
      { ...draftOf('x'), eventTime: later },
      { ...draftOf('x'), alertIds: [alert] },
    ]) {
      expect((await author.call('POST', `/api/v2/patients/${patient}/notes`, body)).statusCode).toBe(422);
    }
  });

  it('from a page of another user than the one who has signed in since is refused', async () => {
    const path = `/api/v2/patients/${patient}/notes`;
    const response = await reader.call('POST', path, draftOf('Typed by the author'));
    expect([response.statusCode, response.json<{ error: { code: string } }>().error.code]).toEqual([
      409,
      'another_user',
    ]);
    await expect(list(reader)).resolves.toEqual({ items: [], total: 0, drafts: [] });
  });

  it('of a patient in another unit or site is not there', async () => {
    const colleague = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'Ward 5', [colleague.userId]);
    const stranger = await test.signIn(await test.addSite(), 'physician');
    const note = await signed('Slept well');
    for (const caller of [colleague, stranger]) {
      expect((await caller.call('GET', `/api/v2/patients/${patient}/notes`)).statusCode).toBe(404);
      expect((await caller.call('GET', `/api/v2/notes/${note.id}`)).statusCode).toBe(404);
      await expect(refused(note, 'read', { version: 1 }, caller)).resolves.toEqual([404, 'not_found']);
      await expect(refused(note, 'addendum', { clientId: randomUUID(), text: 'x' }, caller)).resolves.toEqual([
        404,
        'not_found',
      ]);
    }
  });

  it('is its author’s alone until it is signed', async () => {
    const draft = await write(draftOf('Half a th'));
    expect((await list(author)).drafts).toMatchObject([{ id: draft.id, state: 'draft', text: 'Half a th' }]);
    await expect(list(reader)).resolves.toEqual({ items: [], total: 0, drafts: [] });
    expect((await reader.call('GET', `/api/v2/notes/${draft.id}`)).statusCode).toBe(404);
    await expect(refused(draft, 'sign', { version: 1 }, reader)).resolves.toEqual([404, 'not_found']);
    await expect(refused(draft, 'addendum', { clientId: randomUUID(), text: 'x' })).resolves.toEqual([
      409,
      'note_not_signed',
    ]);
  });

  it('is stored while it is typed, and only for the state that its author saw', async () => {
    const draft = await write(draftOf(''));
    const save = (version: number, text: string) =>
      author.call('PUT', `/api/v2/notes/${draft.id}`, { type: 'medical', text, version });
    expect((await save(1, 'Short of breath')).json()).toMatchObject({
      type: 'medical',
      text: 'Short of breath',
      version: 2,
      eventTime: draft.eventTime,
    });
    const second = await save(1, 'From another tab');
    expect([second.statusCode, second.json<{ error: { code: string } }>().error.code]).toEqual([409, 'note_changed']);
    expect((await list()).drafts).toMatchObject([{ text: 'Short of breath' }]);
  });

  it('is made once, however often its first text is sent', async () => {
    const body = draftOf('Slept well');
    const [first, again] = [await write(body), await write(body)];
    expect(again.id).toBe(first.id);
    const response = await author.call('POST', `/api/v2/patients/${await test.addPatient(site)}/notes`, body);
    expect(response.json()).toMatchObject({ error: { code: 'note_of_another' } });
  });

  it('from a message of the chat is begun once, signed by its maker, and after that only found again', async () => {
    const at = test.now() - hour;
    const message = {
      id: 'u-4-message',
      authorId: 4,
      authorName: '',
      at,
      editedAt: null,
      text: 'On air',
      attachments: 0,
    };
    const body = {
      ...draftOf(messageNote(message, 'Ada Byron', 'UTC')),
      clientId: messageNoteId(message, patient),
      eventTime: toInstant(at),
    };
    const draft = await write(body);
    const typed = { type: 'nursing', text: `${body.text}, well`, version: draft.version };
    expect((await author.call('PUT', `/api/v2/notes/${draft.id}`, typed)).statusCode).toBe(200);
    const again = await write(body);
    expect(again).toMatchObject({ id: draft.id, state: 'draft', text: typed.text, author: { id: author.userId } });
    await expect(sign(again)).resolves.toMatchObject({ state: 'signed', isLateEntry: true, eventTime: toInstant(at) });
    await expect(write(body)).resolves.toMatchObject({ id: draft.id, state: 'signed', text: typed.text });
    await expect(list()).resolves.toMatchObject({ total: 1, drafts: [] });
  });

  it('can be discarded by its author until it is signed', async () => {
    const draft = await write(draftOf('Never mind'));
    expect((await author.call('POST', `/api/v2/notes/${draft.id}/discard`, { version: 1 })).statusCode).toBe(204);
    await expect(list()).resolves.toEqual({ items: [], total: 0, drafts: [] });
    const note = await signed('Slept well');
    await expect(refused(note, 'discard', { version: 2 })).resolves.toEqual([409, 'note_signed']);
  });

  it('cannot be signed empty, and signing twice is once', async () => {
    await expect(refused(await write(draftOf(' \n')), 'sign', { version: 1 })).resolves.toEqual([422, 'invalid']);
    const draft = await write(draftOf('Slept well'));
    const [first, again] = [await sign(draft), await sign(draft)];
    expect(again).toEqual(first);
    expect(first).toMatchObject({ state: 'signed', signedAt: toInstant(test.now()), author: { type: 'nurse' } });
    await expect(audited()).resolves.toEqual(['sign_note']);
  });

  it('is unchanged once it is signed', async () => {
    const note = await signed('SpO2 90 % on air');
    const put = await author.call('PUT', `/api/v2/notes/${note.id}`, { type: 'nursing', text: '99 %', version: 2 });
    expect([put.statusCode, put.json<{ error: { code: string } }>().error.code]).toEqual([409, 'note_signed']);
    expect((await list()).items).toMatchObject([{ text: 'SpO2 90 % on air' }]);
  });

  it('says what is added, corrected and wrong, by whom, and keeps what stood before', async () => {
    let note = await signed('SpO2 90 % on air');
    note = await act(note, 'addendum', { clientId: randomUUID(), text: 'Oxygen at 2 l/min since 10:20' }, reader);
    const body = { clientId: randomUUID(), text: 'SpO2 91 % on air', reason: 'A slip', version: note.version };
    note = await act(note, 'amendment', body);
    await expect(act(note, 'amendment', body)).resolves.toEqual(note);
    expect(presentText(note)).toBe('SpO2 91 % on air');
    note = await act(note, 'entered-in-error', { reason: 'Of another day', version: note.version });
    expect(note).toMatchObject({
      state: 'entered_in_error',
      text: 'SpO2 90 % on air',
      entries: [
        { kind: 'addendum', text: 'Oxygen at 2 l/min since 10:20', author: { type: 'physician' } },
        { kind: 'amendment', text: 'SpO2 91 % on air', reason: 'A slip' },
        { kind: 'entered_in_error', text: '', reason: 'Of another day' },
      ],
    });
    await expect(audited()).resolves.toEqual(['sign_note', 'add_to_note', 'amend_note', 'mark_note_in_error']);
    await expect(refused(note, 'addendum', { clientId: randomUUID(), text: 'x' }, reader)).resolves.toEqual([
      409,
      'note_in_error',
    ]);
  });

  it.each(['a\0b', 'a\ud83d'])('gets no entry with characters that a store cannot keep: %j', async (text) => {
    const note = await signed('SpO2 90 % on air');
    const { version } = note;
    const invalid = [422, 'invalid'];
    await expect(refused(note, 'addendum', { clientId: randomUUID(), text })).resolves.toEqual(invalid);
    const amendment = { clientId: randomUUID(), text: 'SpO2 91 %', reason: `slip ${text}`, version };
    await expect(refused(note, 'amendment', amendment)).resolves.toEqual(invalid);
    await expect(refused(note, 'entered-in-error', { reason: `slip ${text}`, version })).resolves.toEqual(invalid);
    expect((await list()).items).toMatchObject([{ version, entries: [] }]);
  });

  it('is stored on after the server’s clock was set back, with the time that it had', async () => {
    const draft = await write(draftOf('Sle'));
    test.advance(-hour);
    const body = { ...{ type: 'nursing', text: 'Slept' }, eventTime: draft.eventTime, version: draft.version };
    const saved = await author.call('PUT', `/api/v2/notes/${draft.id}`, body);
    test.advance(hour);
    expect([saved.statusCode, saved.json<Note>().eventTime]).toEqual([200, draft.eventTime]);
  });

  it('keeps what its author signed when the response was lost and they changed the text', async () => {
    const note = await signed('SpO2 90 % on air');
    const clientId = randomUUID();
    const first = await act(note, 'addendum', { clientId, text: 'On oxygen' });
    await expect(act(note, 'addendum', { clientId, text: 'On oxygen' })).resolves.toEqual(first);
    await expect(refused(note, 'addendum', { clientId, text: 'On oxygen at 2 l/min' })).resolves.toEqual([
      409,
      'entry_signed',
    ]);
    expect((await list()).items).toMatchObject([{ entries: [{ text: 'On oxygen' }] }]);
  });

  it.each([
    ['addendum', { clientId: randomUUID(), text: 'x' }],
    ['amendment', { clientId: randomUUID(), text: 'x', reason: 'A slip', version: 2 }],
    ['entered-in-error', { reason: 'A slip', version: 2 }],
    ['move', { reason: 'Wrong patient', version: 2, patientId: 1 }],
  ])('gets no %s from a page of another user than the one who has signed in since', async (action, body) => {
    const note = await signed('SpO2 90 % on air', reader);
    const typed = { ...body, authorId: author.userId };
    await expect(refused(note, action, typed, reader)).resolves.toEqual([409, 'another_user']);
    expect((await list()).items).toMatchObject([{ version: note.version, entries: [] }]);
  });

  it('is corrected by its author alone, and by them for the state that they saw', async () => {
    const note = await signed('SpO2 90 % on air');
    const amendment = { clientId: randomUUID(), text: 'SpO2 91 %', reason: 'A slip', version: note.version };
    const error = { reason: 'A slip', version: note.version };
    await expect(refused(note, 'amendment', amendment, reader)).resolves.toEqual([403, 'not_author']);
    await expect(refused(note, 'entered-in-error', error, reader)).resolves.toEqual([403, 'not_author']);
    await act(note, 'addendum', { clientId: randomUUID(), text: 'On oxygen now' }, reader);
    await expect(refused(note, 'amendment', amendment)).resolves.toEqual([409, 'note_changed']);
    const lead = await test.signIn(site, 'ward_lead');
    await act(note, 'entered-in-error', { reason: 'A slip', version: 3 }, lead);
  });

  it('is late if it was written more than 15 min after the event', async () => {
    const at = (ms: number) => ({ ...draftOf('x'), eventTime: toInstant(test.now() - ms) });
    expect((await write(at(900_000))).isLateEntry).toBe(false);
    expect((await write(at(900_001))).isLateEntry).toBe(true);
  });

  it('is unread for others until they have seen what was signed, and again after an entry', async () => {
    const note = await signed('Slept well');
    const unread = async (by: Caller): Promise<boolean[]> => (await list(by)).items.map(({ isUnread }) => isUnread);
    await expect(unread(author)).resolves.toEqual([false]);
    await expect(unread(reader)).resolves.toEqual([true]);
    const read = (version: number) => reader.call('POST', `/api/v2/notes/${note.id}/read`, { version });
    expect((await read(note.version)).statusCode).toBe(204);
    await expect(unread(reader)).resolves.toEqual([false]);
    await act(note, 'addendum', { clientId: randomUUID(), text: 'Until four' });
    await expect(unread(reader)).resolves.toEqual([true]);
    await read(note.version + 1);
    await read(note.version);
    await expect(unread(reader)).resolves.toEqual([false]);
    test.advance(1_000);
    await expect(unread(await test.signIn(site, 'physician'))).resolves.toEqual([false]);
  });

  it('stays unread for someone who adds to it without having seen what another added meanwhile', async () => {
    const note = await signed('Slept well');
    await reader.call('POST', `/api/v2/notes/${note.id}/read`, { version: note.version });
    await act(note, 'addendum', { clientId: randomUUID(), text: 'Allergic to penicillin' });
    const last = await act(note, 'addendum', { clientId: randomUUID(), text: 'Woke at four' }, reader);
    const unread = async (): Promise<boolean[]> => (await list(reader)).items.map(({ isUnread }) => isUnread);
    await expect(unread()).resolves.toEqual([true]);
    await reader.call('POST', `/api/v2/notes/${note.id}/read`, { version: last.version });
    await act(note, 'addendum', { clientId: randomUUID(), text: 'And at five' }, reader);
    await expect(unread()).resolves.toEqual([false]);
  });

  it('is counted for those who have not read it, by patient and within reach', async () => {
    const counted = async (by: Caller): Promise<unknown> => {
      const { unread } = (await by.call('GET', '/api/v2/notes/own')).json<z.infer<typeof ownNotesResponse>>();
      return unread.filter(({ patientId }) => patientId === patient);
    };
    const [first, second] = [await signed('Slept well'), await signed('Ate well')];
    await write(draftOf('Not signed'));
    await expect(counted(author)).resolves.toEqual([]);
    await expect(counted(reader)).resolves.toEqual([{ patientId: patient, count: 2 }]);
    const read = (note: Note) => reader.call('POST', `/api/v2/notes/${note.id}/read`, { version: note.version });
    await read(first);
    await expect(counted(reader)).resolves.toEqual([{ patientId: patient, count: 1 }]);
    await read(second);
    await expect(counted(reader)).resolves.toEqual([]);
    const changed = await act(first, 'addendum', { clientId: randomUUID(), text: 'Until four' }, reader);
    await expect(counted(reader)).resolves.toEqual([]);
    await expect(counted(author)).resolves.toEqual([{ patientId: patient, count: 1 }]);
    await author.call('POST', `/api/v2/notes/${changed.id}/read`, { version: changed.version });
    await expect(counted(author)).resolves.toEqual([]);
    const colleague = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'Ward 6', [colleague.userId]);
    await signed('Walked');
    await expect(counted(colleague)).resolves.toEqual([]);
  });

  it('that is not signed is listed for its author alone', async () => {
    const draft = await write(draftOf('Half a th'));
    const drafts = async (by: Caller): Promise<number[]> =>
      (await by.call('GET', '/api/v2/notes/own'))
        .json<z.infer<typeof ownNotesResponse>>()
        .drafts.filter(({ patientId }) => patientId === patient)
        .map(({ id }) => id);
    await expect(drafts(author)).resolves.toEqual([draft.id]);
    await expect(drafts(reader)).resolves.toEqual([]);
    await sign(draft);
    await expect(drafts(author)).resolves.toEqual([]);
  });

  it('moves to the right patient in one step, and is folded under the wrong one', async () => {
    const right = await addPatient();
    const fourteenMinutesAgo = toInstant(test.now() - 14 * 60_000);
    const note = await sign(await write({ ...draftOf('Allergic to penicillin'), eventTime: fourteenMinutesAgo }));
    const body = { patientId: right, reason: 'Wrong patient', version: note.version };
    await expect(refused(note, 'move', { ...body, patientId: patient })).resolves.toEqual([422, 'invalid']);
    test.advance(2 * 60_000);
    const moved = await act(note, 'move', body);
    await expect(act(note, 'move', body)).resolves.toEqual(moved);
    expect(moved).toMatchObject({ patientId: right, text: 'Allergic to penicillin', isLateEntry: true, isMoved: true });
    expect((await list(reader)).items).toMatchObject([
      { state: 'entered_in_error', text: null, movedTo: { noteId: moved.id, patientId: right } },
    ]);
    const opened = await reader.call('GET', `/api/v2/notes/${note.id}`);
    expect(opened.json()).toMatchObject({ text: 'Allergic to penicillin' });
    await expect(audited()).resolves.toEqual(['sign_note', 'move_note', 'read_notes', 'open_note']);
    await expect(audited(right)).resolves.toEqual(['sign_note']);
  });

  it('keeps every signed text readable and in order, whatever is done to it', async () => {
    const textsOf = ({ text, entries }: Note) => [
      text,
      ...entries.filter(({ kind }) => kind !== 'entered_in_error').map((entry) => entry.text),
    ];
    const step = fc.record({
      what: fc.constantFrom('write', 'sign', 'addendum', 'amendment', 'entered-in-error', 'move', 'discard'),
      by: fc.boolean(),
      of: fc.nat(5),
      version: fc.integer({ min: 1, max: 4 }),
      text: fc.constantFrom('one', 'two', 'three'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const ward = [await test.addPatient(site), await test.addPatient(site)];
        const notes: Note[] = [];
        const signedTexts = new Map<number, string[]>();
        for (const { what, by, of, version, text } of steps) {
          const user = by ? author : reader;
          const note = notes[of % Math.max(notes.length, 1)];
          if (what === 'write' || note === undefined) {
            notes.push(await write(draftOf(text, user), user, ward[of % 2]));
            continue;
          }
          const body = {
            sign: { version },
            discard: { version },
            addendum: { clientId: randomUUID(), text },
            amendment: { clientId: randomUUID(), text, reason: 'A slip', version },
            'entered-in-error': { reason: 'A slip', version },
            move: { patientId: ward[of % 2], reason: 'Wrong patient', version },
          }[what];
          const response = await asked(note, what, body, user);
          expect(response.statusCode).toBeLessThan(500);
          if (response.statusCode !== 200) {
            continue;
          }
          const after = response.json<Note>();
          if (what === 'move' && !notes.some(({ id }) => id === after.id)) {
            notes.push(after);
            signedTexts.set(after.id, [after.text ?? '']);
          } else if (what !== 'move') {
            const known = signedTexts.get(note.id) ?? [];
            if (what === 'sign') {
              // A repeat is answered as the first one was, and changes nothing.
              signedTexts.set(note.id, known.length === 0 ? [after.text ?? ''] : known);
            } else if (what !== 'entered-in-error' && textsOf(after).length === known.length + 1) {
              signedTexts.set(note.id, [...known, text]);
            }
          }
        }
        for (const [id, texts] of signedTexts) {
          const note = (await reader.call('GET', `/api/v2/notes/${id}`)).json<Note>();
          expect(textsOf(note)).toEqual(texts);
        }
      }),
      {
        numRuns: 15,
        // Signed once more after an amendment.
        examples: [
          [
            [
              { what: 'write', by: true, of: 0, version: 1, text: 'one' },
              { what: 'sign', by: true, of: 0, version: 1, text: 'one' },
              { what: 'amendment', by: true, of: 0, version: 2, text: 'two' },
              { what: 'sign', by: true, of: 0, version: 2, text: 'one' },
            ],
          ],
        ],
      },
    );
  });
});
