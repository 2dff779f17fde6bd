import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Note, ownNotesResponse } from '../../lib/notes/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

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
