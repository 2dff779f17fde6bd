import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { toInstant } from '../../lib/time/schema';
import type { AlertsPage } from '../../lib/alerts/schema';
import type { Note } from '../../lib/notes/schema';
import { kinds } from '../../lib/vitals/kinds';
import { appAddress } from '../../test/appAddress';
import { apiEngines, engines } from '../../test/database';
import { parseCsv } from '../../test/parseCsv';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { proofLastsMs } from '../session/requireRecentProof';
import { readVitalRows } from './vitalRows';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe.each(engines)('the files of a patient on %s', (engine) => {
  let test: TestServer;
  let address: string;
  let site: number;
  let token: string;
  let physician: Caller;
  let nurse: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    address = await appAddress(test);
    site = await test.addSite('Files', 'Europe/Berlin');
    await test.startRules(site);
    ({ token } = await test.addDevice(site, { name: 'Gateway West' }));
  });
  beforeEach(async () => {
    test.advance(hour);
    physician = await test.signIn(site, 'physician');
    nurse = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'West', [nurse.userId]);
    await test.server.alerts.siteChanged(site);
    patient = await test.addPatient(site, { mrn: `M-${randomUUID()}`, dateOfBirth: '1950-12-31' });
  });

  const urlOf = (kind: string, query = '', id: number | string = patient): string =>
    `/api/v2/patients/${id}/export?kind=${kind}${query}`;
  const codeOf = async (who: Caller, url = urlOf('notes')): Promise<[number, string]> => {
    const response = await who.call('GET', url);
    return [response.statusCode, response.json<{ error: { code: string } }>().error.code];
  };
  const read = async (kind: string, query = '', who = physician): Promise<Record<string, string>[]> => {
    const response = await who.call('GET', urlOf(kind, query));
    expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
    const [head = [], ...rows] = parseCsv(response.body.slice(1));
    expect([response.body.charAt(0), rows.pop()]).toEqual(['\uFEFF', ['']]);
    expect(rows.filter((row) => row.length !== head.length)).toEqual([]);
    return rows.map((row) => Object.fromEntries(row.map((cell, place) => [head[place] ?? '', cell])));
  };
  const audited = async () =>
    (
      await test.store.db
        .selectFrom('audit')
        .select(['action', 'outcome', 'actor_id', 'details'])
        .where('object_id', '=', patient)
        .where('object_type', '=', 'patient')
        .where('action', 'in', ['export_patient', 'end_patient_export'])
        .orderBy('id')
        .execute()
    ).map(({ details, ...row }) => ({ ...row, details: JSON.parse(details ?? '{}') as Record<string, unknown> }));
  const send = async (samples: readonly object[], expected = samples.length): Promise<void> => {
    const all = samples.map((sample) => ({ patientId: patient, kind: 'spo2', quality: 'good', ...sample }));
    const response = await test.ingest(token, all, { sentAt: toInstant(test.now()) });
    expect(response.json()).toMatchObject({ accepted: expected });
  };
  const catchUp = (): Promise<void> => test.server.rollups.catchUp(test.server.recorder.inFlight);
  /** Minutes of SpO2 until two minutes ago, as they are kept when their samples are deleted. */
  const addMinutes = (count: number, samples = 60) =>
    sql`WITH RECURSIVE n (place) AS (SELECT 1 UNION ALL SELECT place + 1 FROM n WHERE place < ${sql.lit(count)})
      INSERT INTO minutes (patient_id, kind, minute, site_id, min, max, last, count, questionable, invalid)
      SELECT ${sql.lit(patient)}, ${sql.lit(kinds.spo2.code)}, ${sql.lit(Math.floor(test.now() / minute))} - 1 - place,
        ${sql.lit(site)}, 90, 97, 96, ${sql.lit(samples)}, 2, 1 FROM n`.execute(test.store.db);

  it('say on each row whose it is, name no one, and are on record with what they held', async () => {
    test.advance(minute);
    await send([{ value: 97, takenAt: toInstant(test.now()) }]);
    const response = await physician.call('GET', urlOf('vitals'));
    const today = toInstant(test.now()).slice(0, 10);
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="patient-${patient}-vitals-${today}-to-${today}.csv"`,
    });
    const { mrn, family_name, given_name } = test.server.liveState.patients.get(patient) ?? {
      mrn: '',
      family_name: '',
      given_name: '',
    };
    expect(response.body).toContain(`\r\n${patient},${mrn},1950-12-31,spo2,%,sample,`);
    expect(response.body.split('\r\n')[0]).toContain(
      'notice: Information display, not a primary alarm and not a certified medical device.',
    );
    expect([response.body.includes(family_name), response.body.includes(given_name)]).toEqual([false, false]);
    await expect(audited()).resolves.toEqual([
      {
        action: 'export_patient',
        outcome: 'done',
        actor_id: physician.userId,
        details: { kind: 'vitals', from: today, to: today },
      },
      {
        action: 'end_patient_export',
        outcome: 'done',
        actor_id: physician.userId,
        details: { kind: 'vitals', rows: 1, ended: 'complete' },
      },
    ]);
  });

  it('hold the last stay unless the caller names a window, also of a patient who was moved or discharged', async () => {
    const at = test.now();
    await send([{ value: 91, takenAt: toInstant(at) }]);
    test.advance(minute);
    const { version } = test.server.liveState.patients.get(patient) ?? { version: 0 };
    const change = (more: object) => physician.call('PATCH', `/api/v2/patients/${patient}`, more);
    const moved = await change({ version, location: { unit: 'East', bed: randomUUID().slice(0, 8) } });
    const left = await change({ version: moved.json<{ version: number }>().version, state: 'discharged' });
    expect(left.statusCode).toBe(200);
    test.advance(minute);
    expect((await read('vitals')).map(({ value }) => value)).toEqual(['91']);
    await expect(read('vitals', `&from=${toInstant(at - 1)}&to=${toInstant(at)}`)).resolves.toEqual([]);
    await expect(read('vitals', `&from=${toInstant(at + 1)}`)).resolves.toEqual([]);
    await expect(read('vitals', `&from=${toInstant(at)}&to=${toInstant(at + 1)}`)).resolves.toHaveLength(1);
  });

  it('hold samples as they came: corrected, late, typed in, without a signal', async () => {
    const at = test.now();
    test.advance(2 * hour);
    physician = await test.signIn(site, 'physician');
    const taken = (ms: number): string => toInstant(at + ms);
    await send([
      { value: 97, takenAt: taken(0) },
      { value: 0, takenAt: taken(second), quality: 'invalid' },
      { value: 36.8, kind: 'temperature', takenAt: taken(0), quality: 'questionable' },
    ]);
    await send([{ value: 95, takenAt: taken(0) }]);
    await send([{ value: 96, takenAt: toInstant(test.now()) }]);
    await catchUp();
    const typed = await physician.call('POST', `/api/v2/patients/${patient}/readings`, {
      readings: { consciousness: 'C' },
      takenAt: toInstant(test.now()),
    });
    expect(typed.statusCode).toBe(201);
    const rows = await read('vitals');
    expect(rows.map(({ kind, value, quality, came_late }) => [kind, value, quality, came_late])).toEqual([
      ['spo2', '95', 'good', 'yes'],
      ['spo2', '', 'invalid', 'yes'],
      ['spo2', '96', 'good', 'no'],
      ['temperature', '36.8', 'questionable', 'yes'],
      ['consciousness', 'C', 'good', 'no'],
    ]);
    expect(rows[0]).toMatchObject({
      time_utc: toInstant(at),
      time_site: `${toInstant(at + 2 * hour).slice(0, -1)}+02:00`,
      source: 'Gateway West',
      device_clock: 'known',
      value_before_correction: '97',
      corrected_utc: toInstant(test.now()),
      row: 'sample',
      samples: '',
    });
    const [, , , , letter] = rows;
    expect([letter?.source, letter?.typed_in_by === '']).toEqual(['manual', false]);
  });

  it('hold minutes with their extremes where the samples are not kept, and what was typed in beside them', async () => {
    test.advance(hour);
    await addMinutes(3);
    const first = Math.floor(test.now() / minute) - 4;
    await test.store.db
      .insertInto('samples')
      .values({
        minute: first,
        patient_id: patient,
        kind: kinds.spo2.code,
        taken_at: first * minute + 30 * second,
        device_id: -physician.userId,
        site_id: site,
        value: 93,
        quality: 0,
        received_at: first * minute + 30 * second,
        offset_ms: 0,
      })
      .execute();
    await catchUp();
    physician = await test.signIn(site, 'physician');
    const rows = await read('vitals');
    expect(rows.map((row) => [row.row, row.value, row.min, row.max, row.last, row.samples])).toEqual([
      ['minute', '', '90', '97', '96', '60'],
      ['sample', '93', '', '', '', ''],
      ['minute', '', '90', '97', '96', '60'],
      ['minute', '', '90', '97', '96', '60'],
    ]);
    expect(rows[0]).toMatchObject({
      time_utc: toInstant(first * minute),
      questionable_samples: '2',
      samples_without_signal: '1',
    });
  });

  it('take minutes whose samples are not kept by hundreds, however many samples they had', async () => {
    await addMinutes(2_000);
    await catchUp();
    const row = await test.store.db.selectFrom('patients').selectAll().where('id', '=', patient).executeTakeFirst();
    const parts: number[] = [];
    if (row !== undefined) {
      const window = { from: test.now() - 10 * day, to: test.now() };
      for await (const { minutes } of readVitalRows({ server: test.server, patient: row, ...window }, 'spo2')) {
        parts.push(minutes.length);
      }
    }
    expect(parts.filter((length) => length > 0)).toEqual([500, 500, 500, 500]);
  });

  it('hold each note with what was added to it, and no draft', async () => {
    const write = async (text: string, more: object = {}): Promise<Note> =>
      (
        await nurse.call('POST', `/api/v2/patients/${patient}/notes`, {
          clientId: randomUUID(),
          authorId: nurse.userId,
          type: 'nursing',
          text,
          ...more,
        })
      ).json<Note>();
    const act = async ({ id }: Note, action: string, body: object): Promise<Note> => {
      const response = await nurse.call('POST', `/api/v2/notes/${id}/${action}`, body);
      expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
      return response.json<Note>();
    };
    const sign = (note: Note): Promise<Note> => act(note, 'sign', { version: note.version });
    await write('Not signed');
    const happened = test.now();
    test.advance(hour);
    physician = await test.signIn(site, 'physician');
    nurse = await test.signIn(site, 'nurse');
    const late = await sign(await write('=HYPERLINK("x")\r\n- slept', { eventTime: toInstant(happened) }));
    const entry = { clientId: randomUUID(), authorId: nurse.userId };
    await act(late, 'addendum', { ...entry, text: 'Ate well' });
    const wrong = await sign(await write('Of the wrong day'));
    await act(wrong, 'entered-in-error', { authorId: nurse.userId, reason: 'Wrong day', version: wrong.version });
    const rows = await read('notes');
    expect(rows.map(({ part, status, text, reason, late_entry }) => [part, status, text, reason, late_entry])).toEqual([
      ['note', 'signed', '\'=HYPERLINK("x")\n\'- slept', '', 'yes'],
      ['addendum', 'signed', 'Ate well', '', ''],
      ['note', 'entered_in_error', 'Of the wrong day', '', 'no'],
      ['entered_in_error', 'entered_in_error', '', 'Wrong day', ''],
    ]);
    expect(rows[0]).toMatchObject({
      note_id: String(late.id),
      author: late.author.name,
      author_role: 'Nurse',
      event_utc: toInstant(happened),
      signed_utc: toInstant(test.now()),
    });
  });

  it('say of a note that was moved to another patient only that it was', async () => {
    const right = await test.addPatient(site);
    const written = await nurse.call('POST', `/api/v2/patients/${patient}/notes`, {
      clientId: randomUUID(),
      authorId: nurse.userId,
      type: 'nursing',
      text: 'About someone else',
    });
    const { id, version } = written.json<Note>();
    await nurse.call('POST', `/api/v2/notes/${id}/sign`, { version });
    const moved = await nurse.call('POST', `/api/v2/notes/${id}/move`, {
      authorId: nurse.userId,
      patientId: right,
      reason: 'The wrong patient',
      version: version + 1,
    });
    expect(moved.statusCode).toBe(200);
    const rows = await read('notes');
    expect(rows.map(({ text, moved: to }) => [text, to])).toEqual([
      ['', 'to another patient'],
      ['', 'to another patient'],
    ]);
    patient = right;
    expect((await read('notes')).map(({ text, moved: from }) => [text, from])).toEqual([
      ['About someone else', 'from another patient'],
    ]);
  });

  it('tell a symptom that was not answered from one that was not asked and one that is absent', async () => {
    const response = await nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, {
      answers: { cough: 'absent', dyspnoea: 'severe', fever: 'unanswered' },
      breathlessness: 0,
      redFlags: ['blueLips'],
    });
    expect(response.statusCode).toBe(201);
    const [row, ...others] = await read('symptoms');
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      cough: 'absent',
      dyspnoea: 'severe',
      fever: 'unanswered',
      source: 'staff',
      status: 'recorded',
      nausea: 'not asked',
      breathlessness_0_to_10: '0',
      mmrc_0_to_4: 'not asked',
      red_flags: 'Severe breathlessness at rest, or cannot finish a short sentence; Blue lips or face',
    });
  });

  it('say of a report of symptoms that cannot be read that it cannot, beside those that can', async () => {
    const report = async (answers: object): Promise<number> => {
      test.advance(second);
      const response = await nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, { answers });
      return response.json<{ id: number }>().id;
    };
    await report({ cough: 'mild' });
    const id = await report({ cough: 'absent' });
    await report({ cough: 'moderate' });
    await test.store.db.updateTable('symptom_reports').set({ answers: '[["cough"' }).where('id', '=', id).execute();
    const [first, damaged = {}, last, ...others] = await read('symptoms');
    expect([first?.cough, last?.cough, others]).toEqual(['mild', 'moderate', []]);
    expect(damaged).toMatchObject({ report_id: String(id), status: 'cannot be read' });
    for (const column of ['cough', 'fever', 'red_flags', 'since_yesterday', 'breathlessness_0_to_10', 'mmrc_0_to_4']) {
      expect(damaged[column]).toBe('cannot be read');
    }
    expect(damaged.reported_utc).not.toBe('');
  });

  it('hold the alerts with who did what about them', async () => {
    const begun = test.now();
    test.advance(17 * second);
    await send(
      Array.from({ length: 17 }, (_, place) => ({ value: 86, takenAt: toInstant(begun + (place + 1) * second) })),
    );
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    const [alert] = items;
    if (alert === undefined) {
      throw new Error('no alert');
    }
    test.advance(second);
    const act = async (action: string, more: object = {}): Promise<void> => {
      const version = test.server.alerts.find(alert.id)?.alert.version;
      const response = await nurse.call('POST', `/api/v2/alerts/${alert.id}/${action}`, { version, ...more });
      expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
    };
    await act('acknowledge');
    test.advance(second);
    await act('accept');
    test.advance(second);
    await act('resolve', { outcome: 'intervention', note: 'Oxygen given' });
    test.advance(second);
    const [row, ...others] = await read('alerts');
    expect(others).toEqual([]);
    const resolvedAt = test.now() - second;
    expect(row).toMatchObject({
      alert_id: String(alert.id),
      priority: alert.priority,
      rule: alert.rule,
      acknowledged_utc: toInstant(resolvedAt - 2 * second),
      accepted_utc: toInstant(resolvedAt - second),
      resolved_utc: toInstant(resolvedAt),
      outcome: 'Something was done',
      outcome_note: 'Oxygen given',
      found_in_retrospect: 'no',
    });
    const { fname, lname } = await test.store.db
      .selectFrom('users')
      .select(['fname', 'lname'])
      .where('id', '=', nurse.userId)
      .executeTakeFirstOrThrow();
    const name = `${fname} ${lname}`;
    expect([row?.acknowledged_by, row?.accepted_by, row?.resolved_by]).toEqual([name, name, name]);
  });

  // Made and sent above the store, which is read in pages of 500 minutes (the test above).
  if (apiEngines.includes(engine)) {
    describe('of many rows', () => {
      /** More than the buffers on the way to a client hold. */
      const count = 60_000;
      const fill = async (rows: number): Promise<void> => {
        await addMinutes(rows, 1);
        await catchUp();
      };
      /** Asks for the file as a browser does, and reads nothing of it. */
      const open = async (): Promise<IncomingMessage> => {
        const cookie = Object.entries(physician.cookies).map(([name, value]) => `${name}=${value}`);
        const request = get(`${address}${urlOf('vitals', `&from=${toInstant(test.now() - 200 * day)}`)}`, {
          headers: { cookie: cookie.join('; ') },
        });
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        return response;
      };
      const ended = async (how: string): Promise<Record<string, unknown> | undefined> => {
        for (let tries = 0; tries < 10_000; tries += 1) {
          const end = (await audited()).find(({ details }) => details.ended === how);
          if (end !== undefined) {
            return end.details;
          }
          await turn();
        }
        return undefined;
      };
      afterEach(async () => {
        await test.store.db.deleteFrom('minutes').where('patient_id', '=', patient).execute();
      });

      it('come no faster than they are read, and are whole for another client meanwhile', async () => {
        await fill(count);
        const stalled = await open();
        expect(Number(stalled.headers['x-row-estimate'])).toBeGreaterThanOrEqual(count);
        const response = await open();
        let lines = 0;
        for await (const chunk of response as AsyncIterable<Buffer>) {
          lines += chunk.toString('latin1').split('\n').length - 1;
        }
        expect(lines).toBe(count + 1);
        await expect(ended('complete')).resolves.toEqual({ kind: 'vitals', rows: count, ended: 'complete' });
        // The file of who reads nothing could have been whole by now, too.
        stalled.destroy();
        const details = await ended('aborted');
        expect(details).toMatchObject({ kind: 'vitals', ended: 'aborted' });
        expect(details?.rows).toBeLessThan(count);
      });

      it('let other calls have their turn after every hundred rows', async () => {
        await fill(3_000);
        let turns = 0;
        let isSent = false;
        const others = async (): Promise<void> => {
          while (!isSent) {
            turns += 1;
            await turn();
          }
        };
        const file = physician.call('GET', urlOf('vitals', `&from=${toInstant(test.now() - 200 * day)}`));
        const [response] = await Promise.all([file.finally(() => (isSent = true)), others()]);
        expect(response.body.split('\n')).toHaveLength(3_002);
        expect(turns).toBeGreaterThanOrEqual(30);
      });

      it('break off when their reader may not have them any more, and do not look whole', async () => {
        await fill(count);
        const response = await open();
        const { db } = test.store;
        await db.updateTable('users').set({ type: 'nurse' }).where('id', '=', physician.userId).execute();
        await test.server.sessions.reload([physician.userId]);
        response.resume();
        await expect(once(response, 'end')).rejects.toThrow('aborted');
        await expect(ended('failed')).resolves.toMatchObject({ ended: 'failed' });
      });
    });
  }

  // What follows is above the store.
  if (!apiEngines.includes(engine)) {
    return;
  }

  describe('are refused', () => {
    it.each(['nurse', 'respiratory_therapist', 'technician', 'viewer', 'administrator', 'display'] as const)(
      'to a %s',
      async (type) => {
        await expect(codeOf(await test.signIn(site, type, type === 'administrator'))).resolves.toEqual([
          403,
          'forbidden',
        ]);
        await expect(audited()).resolves.toEqual([]);
      },
    );

    it('to a user of another site, as if the patient were not there', async () => {
      const stranger = await test.signIn(await test.addSite(), 'physician');
      const [other, none] = [
        await stranger.call('GET', urlOf('notes')),
        await stranger.call('GET', urlOf('notes', '', 999_999_999)),
      ];
      expect([other.statusCode, other.body]).toEqual([404, none.body]);
      await expect(audited()).resolves.toEqual([]);
    });

    it('until the password is confirmed, if it was given more than five minutes ago', async () => {
      test.advance(proofLastsMs + 1);
      await expect(codeOf(physician)).resolves.toEqual([403, 'password_needed']);
      await expect(audited()).resolves.toEqual([]);
    });

    it.each(['', 'kind=everything', 'kind=notes&from=yesterday', 'kind=notes&who=all', 'kind=notes&kind=alerts'])(
      'with the query %j',
      async (query) => {
        expect((await physician.call('GET', `/api/v2/patients/${patient}/export?${query}`)).statusCode).toBe(400);
      },
    );

    it('with a window that ends before it begins', async () => {
      const at = toInstant(test.now());
      await expect(codeOf(physician, urlOf('notes', `&from=${at}&to=${at}`))).resolves.toEqual([
        400,
        'malformed_request',
      ]);
      await expect(audited()).resolves.toEqual([]);
    });

    it('when there are too many in a minute', async () => {
      const statuses: number[] = [];
      for (let count = 0; count <= 20; count += 1) {
        statuses.push((await physician.call('GET', urlOf('notes'))).statusCode);
      }
      expect([statuses.slice(0, 20).every((status) => status === 200), statuses.at(-1)]).toEqual([true, 429]);
    });
  });

  it('are not answered without their rows, and no such call is on record', async () => {
    const response = await test.app.inject({ method: 'HEAD', url: urlOf('vitals'), cookies: physician.cookies });
    expect(response.statusCode).toBe(404);
    await expect(audited()).resolves.toEqual([]);
  });

  it('end at once with a window from before everything that is stored', async () => {
    const { statusCode, body } = await physician.call('GET', urlOf('vitals', '&from=1970-01-01T00:00:00Z'));
    expect([statusCode, body.split('\r\n').length]).toEqual([200, 2]);
  });
});
