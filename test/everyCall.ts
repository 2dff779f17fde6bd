import { randomUUID } from 'node:crypto';
import { defaultEscalationTimes } from '../lib/alerts/escalationTimes';
import { versionOne } from '../lib/hl7/senderSettings';
import type { NewBedMapping, NewCodeMapping } from '../lib/mappings/schema';
import { toInstant } from '../lib/time/schema';
import { proposeSettings } from '../server/hl7/senderSettings';
import { policies } from '../server/http/access';
import { insertProposal } from '../server/proposals/proposals';
import { makeToken } from '../server/session/accountTokens';
import { newReport } from './newReport';
import { addBedMapping } from './addBedMapping';
import { addCodeMapping } from './addCodeMapping';
import { addDecider } from './addDecider';
import { addSender } from './addSender';
import { testPassword, type TestServer } from './testServer';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A call for a line of the policy table, made so that only the caller's permissions can make it fail. */
export interface Call {
  row: string;
  method: Method;
  /** The address; `id` fills its `:id`, if it has one. */
  url(id: number): string;
  hasId: boolean;
  /**
   * Adds a row of the site for the call, which may be the caller's own, and returns its id; `caller`: the call is about
   * the user who calls.
   */
  about: 'caller' | ((siteId: number, callerId?: number) => Promise<number>);
  /** A valid body; `id` is the row of the call. */
  body(id: number): Promise<object | undefined>;
  /** The status for a caller with the permission. */
  status: number;
  /** The error code that even a caller with the permission gets, if it is not that the row does not exist. */
  code?: string;
  /** The media type of a body that is not JSON. */
  headers?: Record<string, string>;
  /** After it the caller's cookies are no longer valid, or the session is locked. */
  spendsSession?: true;
}

/** A PNG of one pixel. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const newLimits = { rule: 'hr.extreme', values: { low: 42 }, reason: 'A trained heart' };

let counter = 0;
/** Has the form of the secret of a link. */
const noSecret = 'x'.repeat(43);

interface Known extends Pick<Call, 'status' | 'code' | 'headers' | 'spendsSession'> {
  /** The query of the address, with its question mark; it may contain an `:id`. */
  query?: string;
  body?: (id: number) => object | Promise<object>;
  /** Without one an `:id` is that of a patient. */
  about?: Call['about'];
}

/** The version of the first site, to which the callers of a test belong. */
async function siteVersion(test: TestServer): Promise<number> {
  return (await test.store.db.selectFrom('sites').select('version').orderBy('id').executeTakeFirstOrThrow()).version;
}

/** The site of all users whose permissions are tested. */
async function unitOfFirstSite(test: TestServer): Promise<number> {
  return [...test.server.liveState.units.values()].find(({ site_id }) => site_id === 1)?.id ?? (await test.addUnit(1));
}

/** Queries, bodies, responses and rows by line. */
function known(test: TestServer): Record<string, Known> {
  const addUser = async (siteId: number): Promise<number> => (await test.addUser(siteId, 'nurse')).id;
  const addAlert = (siteId: number): Promise<number> => test.addAlert(siteId);
  const versionOf = (alertId: number) => ({ version: test.server.alerts.find(alertId)?.alert.version ?? 1 });
  const addWaitingUser = async (siteId: number): Promise<number> => {
    const id = await addUser(siteId);
    await test.store.db.updateTable('users').set({ waiting_since: test.now() }).where('id', '=', id).execute();
    return id;
  };
  const addUnconfirmedUser = async (siteId: number): Promise<number> => {
    const id = await addUser(siteId);
    const { user, now } = await addDecider(test, siteId, 'administrator');
    const { db } = test.store;
    await db.updateTable('users').set({ unconfirmed_since: now }).where('id', '=', id).execute();
    const made = { proposed_at: now, proposed_by: user.id, wanted: 'null' };
    await insertProposal(db, { ...made, kind: 'account', object_id: id, about: '', site_id: siteId });
    return id;
  };
  const addInvitation = async (siteId: number): Promise<number> => {
    counter += 1;
    const { id } = await test.store.db.transaction().execute((transaction) =>
      makeToken(transaction, test.now(), {
        kind: 'invitation',
        siteId,
        email: `guest${counter}@example.org`,
        createdBy: null,
        isShown: false,
        type: 'nurse',
        isAdmin: false,
        unitIds: [],
      }),
    );
    return id;
  };
  const addMappedBed = async (siteId: number) => addBedMapping(test, siteId, await newBedMapping(test, siteId));
  const addMappedCode = async (siteId: number) => addCodeMapping(test, siteId, await newCodeMapping(test, siteId));
  const addMappingProposal = async (siteId: number): Promise<number> => {
    const wanted = await newBedMapping(test, siteId);
    return await test.server.beds.propose(await addDecider(test, siteId, 'technician'), wanted);
  };
  const addSettingsProposal = async (siteId: number): Promise<number> => {
    const [by, senderId] = [await addDecider(test, siteId, 'technician'), await addNewSender(test, siteId)];
    return await proposeSettings(test.server, by, senderId, { basedOn: 1, settings: versionOne });
  };
  const addDevice = async (siteId: number): Promise<number> => (await test.addDevice(siteId)).id;
  // A signed note that was entered in error.
  const addNote = async (siteId: number): Promise<number> => {
    const [patientId, author] = [await test.addPatient(siteId), await addUser(siteId)];
    const { id } = await test.store.db
      .insertInto('notes')
      .values({
        site_id: siteId,
        patient_id: patientId,
        author_id: author,
        author_type: 'nurse',
        client_id: randomUUID(),
        type: 'nursing',
        text: 'Slept well',
        alert_ids: '[]',
        event_at: test.now(),
        written_at: test.now(),
        signed_at: test.now(),
        in_error: 1,
        changed_at: test.now(),
        changed_by: author,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  // A handoff that was replaced, with an action that is still open.
  const addHandoff = async (siteId: number): Promise<number> => {
    const [patientId, giver] = [await test.addPatient(siteId), await addUser(siteId)];
    const { id } = await test.store.db
      .insertInto('handoffs')
      .values({
        site_id: siteId,
        patient_id: patientId,
        state: 'superseded',
        summary: 'Slept well',
        contingencies: '[]',
        receiver_role: 'nurse',
        giver_id: giver,
        given_at: test.now(),
        created_at: test.now(),
        created_by: giver,
        changed_at: test.now(),
        changed_by: giver,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const addSymptoms = async (siteId: number): Promise<number> => {
    const [patientId, nurse] = [await test.addPatient(siteId), await addUser(siteId)];
    const { id } = await test.store.db
      .insertInto('symptom_reports')
      .values({
        site_id: siteId,
        patient_id: patientId,
        reported_at: test.now(),
        recorded_at: test.now(),
        recorded_by: nurse,
        answers: '[["cough","mild"]]',
        red_flags: '[]',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const addCheckInLink = async (siteId: number): Promise<number> => {
    const [patientId, nurse] = [await test.addPatient(siteId), await addUser(siteId)];
    const { id } = await test.store.db
      .insertInto('check_in_links')
      .values({
        site_id: siteId,
        patient_id: patientId,
        for: 'patient',
        secret_hash: randomUUID(),
        created_at: test.now(),
        created_by: nurse,
        expires_at: test.now() + 86_400_000,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const asGuessed = () => ({ secret: noSecret, yearOfBirth: 1950 });
  // A report that everyone may see who calls: their own.
  const addReport = async (siteId: number, callerId?: number): Promise<number> => {
    const author = callerId ?? (await addUser(siteId));
    const { clientId, title } = newReport();
    const { id } = await test.store.db
      .insertInto('issue_reports')
      .values({
        site_id: siteId,
        reported_at: test.now(),
        status: 'new',
        kind: 'supply',
        severity: 'S3',
        author_id: author,
        author_type: 'nurse',
        client_id: clientId,
        is_reporter_hidden: 0,
        title,
        what_happened: '',
        expected: '',
        immediate_action: '',
        alert_ids: '[]',
        changed_at: test.now(),
        changed_by: author,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const addHandoffAction = async (siteId: number): Promise<number> => {
    const handoffId = await addHandoff(siteId);
    const { patient_id } = await test.store.db
      .selectFrom('handoffs')
      .select('patient_id')
      .where('id', '=', handoffId)
      .executeTakeFirstOrThrow();
    const { id } = await test.store.db
      .insertInto('handoff_actions')
      .values({ site_id: siteId, patient_id, handoff_id: handoffId, text: 'Weigh' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const chartEntry = { version: 1, source: null, effectiveAt: null, authorId: 2_147_483_647 };
  const chartCall = (value: object, more: object = {}): Known => ({
    status: 409,
    code: 'another_user',
    body: () => ({ ...chartEntry, value, clientId: randomUUID(), ...more }),
  });
  const addChartEntry = async (siteId: number): Promise<number> => {
    const { id } = await test.store.db
      .insertInto('chart_entries')
      .values({
        site_id: siteId,
        patient_id: await test.addPatient(siteId),
        section: 'allergies',
        value: JSON.stringify({ is: 'none' }),
        author_id: await addUser(siteId),
        client_id: randomUUID(),
        recorded_at: test.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const markCall: Known = {
    status: 409,
    code: 'another_user',
    about: addChartEntry,
    body: () => ({ authorId: 2_147_483_647, version: 1, reason: 'It was another patient' }),
  };
  const handoffCall = (body: object): Known => ({
    status: 409,
    code: 'another_user',
    about: addHandoff,
    body: () => ({ ...body, authorId: 2_147_483_647 }),
  });
  const noteCall = (code: string, body: object): Known => ({ status: 409, code, about: addNote, body: () => body });
  return {
    'GET /healthz': { status: 200 },
    'GET /readyz': { status: 200 },
    'GET /metrics': { status: 200 },
    'GET /api/openapi.json': { status: 200 },
    'GET /api/docs/*': { status: 200 },
    'POST /api/csp-report': { status: 204 },
    'POST /monitoring': { status: 200, body: () => ({}) },
    'GET /api/v2/admin/errors': { status: 200 },
    'POST /api/v2/auth/sign-in': {
      status: 401,
      body: () => ({ email: `noone${(counter += 1)}@example.org`, password: 'not a password' }),
    },
    'POST /api/v2/setup': {
      status: 409,
      body: () => ({
        code: 'X',
        siteName: 'Second ward',
        timeZone: 'UTC',
        fname: 'Kim',
        lname: 'Example',
        email: 'kim@example.org',
        password: 'correct horse battery',
        type: 'physician',
      }),
    },
    'POST /api/v2/auth/invitation': { status: 404, body: () => ({ invitation: noSecret }) },
    'POST /api/v2/auth/sign-up': {
      status: 404,
      body: () => ({ invitation: noSecret, fname: 'Kim', lname: 'Example', password: 'correct horse battery' }),
    },
    'GET /api/v2/auth/register': { status: 200 },
    'POST /api/v2/auth/register': {
      status: 404,
      body: () => ({
        siteId: 999_999,
        fname: 'Kim',
        lname: 'Example',
        email: 'kim@example.org',
        password: 'correct horse battery',
        type: 'nurse',
      }),
    },
    'POST /api/v2/auth/password-reset/request': { status: 202, body: () => ({ email: 'noone@example.org' }) },
    'POST /api/v2/auth/password-reset/confirm': {
      status: 404,
      body: () => ({ token: noSecret, password: 'correct horse battery' }),
    },
    'POST /api/v2/demo': { status: 409, body: () => ({}) },
    'POST /api/v2/auth/sign-out': { status: 204, spendsSession: true },
    'POST /api/v2/auth/activity': { status: 204 },
    'POST /api/v2/auth/lock': { status: 204, spendsSession: true },
    'POST /api/v2/auth/unlock': { status: 200, spendsSession: true, body: () => ({ password: testPassword }) },
    'POST /api/v2/auth/confirm-password': {
      status: 200,
      spendsSession: true,
      body: () => ({ password: testPassword }),
    },
    'PATCH /api/v2/profile': { status: 200, body: () => ({ fname: 'Robin', lname: 'Example' }) },
    'PUT /api/v2/profile/password': {
      status: 204,
      spendsSession: true,
      body: () => ({ current: testPassword, password: 'a long walk by the river' }),
    },
    'PUT /api/v2/profile/picture': { status: 200, headers: { 'content-type': 'image/png' }, body: () => onePixel },
    'DELETE /api/v2/profile/picture': { status: 200 },
    'POST /api/v2/profile/password-link/seen': { status: 204 },
    'GET /api/v2/profile/sessions': { status: 200 },
    'DELETE /api/v2/profile/sessions': { status: 204 },
    // A session that does not exist.
    'DELETE /api/v2/profile/sessions/:sid': { status: 404 },
    'GET /api/v2/users/:id/picture': { status: 200, about: (siteId) => colleagueWithPicture(test, siteId) },
    'GET /api/user/getCurrentUser': { status: 200 },
    'PUT /api/v2/users/updateLastActive/:id': { status: 204, about: 'caller' },
    'GET /api/v2/events': { status: 200 },
    'GET /api/v2/patients': { status: 200 },
    'POST /api/v2/patients/search': { status: 200, body: () => ({ text: 'sam' }) },
    'POST /api/v2/patients': {
      status: 201,
      body: () => {
        counter += 1;
        return { mrn: `NEW${counter}`, givenName: 'Sam', familyName: `New${counter}`, dateOfBirth: '1950-03-07' };
      },
    },
    'POST /api/v2/patients/swap-beds': {
      status: 409,
      code: 'no_bed',
      body: async () => ({
        patients: [
          { id: await test.addPatient(1), version: 1 },
          { id: await test.addPatient(1), version: 1 },
        ],
      }),
    },
    'GET /api/v2/patients/duplicates': { status: 200 },
    'GET /api/v2/patients/sparks': { status: 200, query: '?ids=1' },
    'GET /api/v2/patients/:id': { status: 200 },
    'PATCH /api/v2/patients/:id': {
      status: 200,
      body: (id) => ({ version: test.server.liveState.patients.get(id)?.version ?? 1, familyName: 'Changed' }),
    },
    'GET /api/v2/patients/:id/vitals': { status: 200 },
    'GET /api/v2/patients/:id/spo2-target': { status: 200 },
    'GET /api/v2/patients/:id/limits': { status: 200 },
    'GET /api/v2/patients/:id/chart-marks': {
      status: 200,
      query: '?from=2026-05-01T09:00:00Z&to=2026-05-01T10:00:00Z',
    },
    'PUT /api/v2/patients/:id/limits': { status: 200, body: () => ({ ...newLimits, basedOn: null }) },
    'POST /api/v2/patients/:id/limits/preview': {
      status: 200,
      body: () => ({ rule: newLimits.rule, values: newLimits.values }),
    },
    'GET /api/v2/site/limits': { status: 200 },
    'POST /api/v2/site/limits/proposals': {
      status: 200,
      body: async () => ({ ...newLimits, basedOn: null, replaces: await openProposal(test, 'limits') }),
    },
    // Of proposals that are decided: not everyone who has the permission may decide.
    'POST /api/v2/site/limits/proposals/:id/approve': {
      ...decided,
      about: (siteId) => addDecidedProposal(test, siteId, 'limits'),
    },
    'POST /api/v2/site/limits/proposals/:id/reject': {
      ...decided,
      about: (siteId) => addDecidedProposal(test, siteId, 'limits'),
      body: () => ({ reason: 'Too low for this ward' }),
    },
    'GET /api/v2/site/escalation': { status: 200 },
    'POST /api/v2/site/escalation/proposals': {
      status: 200,
      body: async () => ({
        times: { ...defaultEscalationTimes, repeat: { raises: 2, withinMinutes: 10 } },
        reason: 'As the ward agreed',
        basedOn: null,
        replaces: await openProposal(test, 'escalation'),
      }),
    },
    'POST /api/v2/site/escalation/proposals/:id/approve': {
      ...decided,
      about: (siteId) => addDecidedProposal(test, siteId, 'escalation'),
    },
    'POST /api/v2/site/escalation/proposals/:id/reject': {
      ...decided,
      about: (siteId) => addDecidedProposal(test, siteId, 'escalation'),
      body: () => ({ reason: 'Too many calls' }),
    },
    'POST /api/v2/patients/:id/standby': { status: 201, body: () => ({ reason: 'A wash', minutes: 10 }) },
    'GET /api/v2/patients/:id/standby/left': { status: 200 },
    // Of a patient who has neither.
    'POST /api/v2/patients/:id/standby/end': { status: 409, code: 'no_standby' },
    'GET /api/v2/patients/:id/news2-exemption': { status: 200 },
    'GET /api/v2/patients/:id/device-alarms': { status: 200 },
    'GET /api/v2/patients/:id/held-values': { status: 200 },
    'POST /api/v2/patients/:id/held-values/release': {
      ...{ status: 422, code: 'patient_not_matched' },
      body: () => ({ mrn: 'No one', dateOfBirth: '1950-03-07', since: toInstant(test.now()) }),
    },
    // Of a patient for whom nothing was released.
    'POST /api/v2/patients/:id/held-values/take-back': {
      ...{ status: 409, code: 'stay_changed', body: () => ({ since: toInstant(test.now()) }) },
    },
    'PUT /api/v2/patients/:id/news2-exemption': {
      status: 200,
      body: (id) => ({
        version: test.server.liveState.patients.get(id)?.version ?? 1,
        because: 'pregnancy',
        reason: 'In week 30',
      }),
    },
    'POST /api/v2/patients/:id/news2-exemption/end': {
      status: 200,
      body: (id) => ({ version: test.server.liveState.patients.get(id)?.version ?? 1 }),
    },
    'PUT /api/v2/patients/:id/comfort-care': { status: 200, body: () => ({ reason: 'Agreed with the family' }) },
    'DELETE /api/v2/patients/:id/comfort-care': { status: 409, code: 'no_comfort_care' },
    'PUT /api/v2/patients/:id/spo2-target': {
      status: 200,
      body: (id) => ({
        version: test.server.liveState.patients.get(id)?.version ?? 1,
        scale: 2,
        low: 88,
        high: 92,
        reason: 'Retains carbon dioxide',
      }),
    },
    'GET /api/v2/patients/:id/symptoms': { status: 200 },
    'GET /api/v2/patients/:id/chart': { status: 200 },
    'GET /api/v2/patients/:id/chart/summary': { status: 200 },
    'POST /api/v2/patients/:id/chart/codeStatus': chartCall(
      { status: 'full', limits: null },
      { source: 'The patient', effectiveAt: '2026-05-01T09:00:00Z' },
    ),
    'POST /api/v2/patients/:id/chart/allergies': chartCall({ is: 'none' }),
    'POST /api/v2/patients/:id/chart/oxygen': chartCall({ device: 'roomAir', flow: null, fiO2: null, note: null }),
    'POST /api/v2/patients/:id/chart/conditions': chartCall({ is: 'caution', caution: 'coldHands', note: null }),
    'POST /api/v2/patients/:id/chart/medications': chartCall({ is: 'none' }),
    'POST /api/v2/patients/:id/chart/contacts': chartCall({
      role: 'patient',
      name: null,
      relation: null,
      phone: '020 7946 0000',
      note: null,
    }),
    'POST /api/v2/patients/:id/chart/team': chartCall({ role: 'teamMember', userId: null, name: 'Kim Example' }),
    'POST /api/v2/patients/:id/chart/identifiers': chartCall({ type: 'passport', value: 'X1', assigner: null }),
    'POST /api/v2/chart-entries/:id/end': markCall,
    'POST /api/v2/chart-entries/:id/entered-in-error': markCall,
    'GET /api/v2/symptoms/today': { status: 200 },
    'GET /api/v2/patients/:id/symptom-strip': {
      status: 200,
      query: '?from=2026-05-01T09:00:00Z&to=2026-05-01T10:00:00Z',
    },
    'POST /api/v2/patients/:id/readings': { status: 201, body: () => ({ readings: { temperature: 37.2 } }) },
    'GET /api/v2/patients/:id/readings': { status: 200 },
    'POST /api/v2/patients/:id/readings/withdraw': {
      ...{ status: 404, code: 'not_found' },
      body: () => ({ takenAt: toInstant(test.now()), userId: 1_000_000, reason: 'Of bed 4' }),
    },
    'POST /api/v2/patients/:id/symptoms': {
      status: 201,
      body: () => ({ answers: { cough: 'mild' }, reportedAt: toInstant(test.now() - 60_000 * (counter += 1)) }),
    },
    'POST /api/v2/symptoms/:id/entered-in-error': {
      status: 200,
      about: addSymptoms,
      body: () => ({ reason: 'Another patient' }),
    },
    'GET /api/v2/patients/:id/check-in-links': { status: 200 },
    'POST /api/v2/patients/:id/check-in-links': {
      status: 409,
      code: 'no_emergency_number',
      body: () => ({ for: 'patient' }),
    },
    'POST /api/v2/check-in-links/:id/revoke': { status: 200, about: addCheckInLink },
    'POST /api/v2/check-in/open': { status: 404, body: asGuessed },
    'POST /api/v2/check-in/reports': {
      status: 404,
      body: () => ({
        ...asGuessed(),
        clientId: randomUUID(),
        sentAt: toInstant(test.now()),
        reportedAt: toInstant(test.now()),
        answers: { cough: 'mild' },
      }),
    },
    'POST /api/v2/check-in/call-requests': {
      status: 404,
      body: () => ({ ...asGuessed(), clientId: randomUUID(), sentAt: toInstant(test.now()) }),
    },
    'GET /api/v2/patients/followed': { status: 200 },
    'PUT /api/v2/patients/:id/follow': { status: 204 },
    'DELETE /api/v2/patients/:id/follow': { status: 204 },
    'POST /api/v2/patients/:id/follow/seen': { status: 204, body: () => ({}) },
    'GET /api/v2/reports': { status: 200 },
    'GET /api/v2/reports/own': { status: 200 },
    'POST /api/v2/reports': {
      status: 409,
      code: 'another_user',
      body: () => ({ ...newReport(), authorId: 2_147_483_647 }),
    },
    'GET /api/v2/reports/:id': { status: 200, about: addReport },
    'PATCH /api/v2/reports/:id': {
      status: 409,
      code: 'another_user',
      about: addReport,
      body: () => ({ version: 1, status: 'triaged', authorId: 2_147_483_647 }),
    },
    'POST /api/v2/reports/:id/comments': {
      status: 409,
      code: 'another_user',
      about: addReport,
      body: () => ({ clientId: randomUUID(), text: 'It is back', authorId: 2_147_483_647 }),
    },
    'POST /api/v2/reports/:id/read': { status: 204, about: addReport, body: () => ({ version: 1 }) },
    'GET /api/v2/handoffs': { status: 200 },
    'GET /api/v2/handoffs/own': { status: 200 },
    'POST /api/v2/handoffs': {
      status: 409,
      code: 'another_user',
      body: () => ({ patientIds: [1], authorId: 2_147_483_647 }),
    },
    'PUT /api/v2/handoffs/:id': handoffCall({
      version: 1,
      severity: null,
      summary: '',
      contingencies: [],
      actions: [],
      receiver: { role: 'nurse' },
      isReviewed: false,
    }),
    'POST /api/v2/handoffs/:id/return': handoffCall({ version: 1, question: 'Which leg?' }),
    'POST /api/v2/handoffs/:id/withdraw': handoffCall({ version: 1 }),
    'POST /api/v2/handoffs/actions/:id/done': {
      status: 409,
      code: 'another_user',
      about: addHandoffAction,
      body: () => ({ isDone: true, authorId: 2_147_483_647 }),
    },
    // Each of the ids has a result of its own.
    'POST /api/v2/handoffs/give': { status: 200, body: () => ({ ids: [{ id: 1, version: 1 }], authorId: 1 }) },
    'POST /api/v2/handoffs/receive': {
      status: 200,
      body: () => ({ ids: [{ id: 1, version: 1 }], authorId: 1, readBack: 'Repeated' }),
    },
    'GET /api/v2/patients/:id/handoffs': { status: 200 },
    'GET /api/v2/patients/:id/notes': { status: 200 },
    // The author is not the caller, whose id these rows do not know.
    'POST /api/v2/patients/:id/notes': {
      status: 409,
      code: 'another_user',
      body: () => ({ clientId: randomUUID(), authorId: 2_147_483_647, type: 'nursing', text: 'Slept well' }),
    },
    'GET /api/v2/patients/:id/notes/readers': { status: 200 },
    'GET /api/v2/notes/own': { status: 200 },
    'GET /api/v2/notes/:id': { status: 200, about: addNote },
    'POST /api/v2/notes/:id/read': { status: 204, about: addNote, body: () => ({ version: 1 }) },
    // Drafts are their author's alone, and the caller is not; what is signed and in error nothing changes.
    'PUT /api/v2/notes/:id': {
      status: 409,
      code: 'note_signed',
      about: addNote,
      body: () => ({ version: 1, type: 'nursing', text: 'Slept badly' }),
    },
    'POST /api/v2/notes/:id/discard': noteCall('note_signed', { version: 1 }),
    'POST /api/v2/notes/:id/sign': noteCall('note_signed', { version: 1 }),
    // As above, the author is not the caller.
    'POST /api/v2/notes/:id/addendum': noteCall('another_user', {
      clientId: randomUUID(),
      authorId: 2_147_483_647,
      text: 'Later: well',
    }),
    'POST /api/v2/notes/:id/amendment': noteCall('another_user', {
      clientId: randomUUID(),
      authorId: 2_147_483_647,
      text: 'Slept badly',
      reason: 'A slip',
      version: 1,
    }),
    'POST /api/v2/notes/:id/entered-in-error': noteCall('another_user', {
      authorId: 2_147_483_647,
      reason: 'A slip',
      version: 1,
    }),
    'POST /api/v2/notes/:id/move': {
      status: 409,
      code: 'another_user',
      about: addNote,
      body: async () => ({
        authorId: 2_147_483_647,
        patientId: await test.addPatient(1),
        reason: 'The wrong patient',
        version: 1,
      }),
    },
    'GET /api/v2/alert-path': { status: 204 },
    'GET /api/v2/alerts/strip': { status: 200 },
    'GET /api/v2/alerts/sound': { status: 200 },
    'GET /api/v2/alerts': { status: 200 },
    'GET /api/v2/alerts/history': { status: 200 },
    'GET /api/v2/alerts/history/people': { status: 200 },
    'GET /api/v2/patients/:id/export': { status: 200, query: '?kind=notes' },
    'GET /api/v2/alerts/history/export': { status: 200 },
    'GET /api/v2/alerts/budget': { status: 200 },
    'GET /api/v2/alerts/budget/export': { status: 200 },
    'GET /api/v2/alerts/held': { status: 200 },
    'GET /api/v2/alerts/:id/events': { status: 200, about: addAlert },
    'GET /api/v2/alerts/:id/people': { status: 200, about: addAlert },
    'POST /api/v2/alerts/:id/acknowledge': { status: 200, about: addAlert, body: versionOf },
    'POST /api/v2/alerts/:id/accept': { status: 200, about: addAlert, body: versionOf },
    'POST /api/v2/alerts/take': {
      status: 200,
      body: async () => {
        const id = test.server.alerts.listOpen(1).at(-1)?.id ?? (await addAlert(1));
        return { alerts: [{ id, ...versionOf(id) }], takeOver: true };
      },
    },
    // An action that the caller has not made cannot be taken back.
    'POST /api/v2/alerts/:id/undo': {
      status: 409,
      code: 'alert_changed',
      about: addAlert,
      body: () => ({ eventId: 1 }),
    },
    'POST /api/v2/alerts/:id/reassign': {
      status: 200,
      about: async (siteId) => {
        // Whom a technical alert is for, and known to the rules.
        await test.addUser(siteId, 'technician');
        await test.server.alerts.siteChanged(siteId);
        return await addAlert(siteId);
      },
      // The newest user is no caller.
      body: (id) => {
        const record = test.server.alerts.find(id);
        const people = record === null ? [] : test.server.alerts.candidates(record);
        return { ...versionOf(id), userId: Math.max(1, ...people.map((person) => person.id)) };
      },
    },
    'POST /api/v2/alerts/:id/reject': {
      status: 200,
      about: addAlert,
      body: (id) => ({ ...versionOf(id), reason: 'Busy with another patient' }),
    },
    'POST /api/v2/alerts/:id/contact': {
      status: 200,
      about: addAlert,
      body: (id) => ({ ...versionOf(id), answer: 'called' }),
    },
    'POST /api/v2/alerts/:id/pause-audio': {
      status: 200,
      about: addAlert,
      body: (id) => ({ ...versionOf(id), seconds: 60 }),
    },
    // That all sources count is nothing new.
    'POST /api/v2/alerts/:id/source': {
      status: 200,
      about: addAlert,
      body: (id) => ({ ...versionOf(id), deviceId: 0, reason: 'Both probes fit again' }),
    },
    'POST /api/v2/alerts/:id/resolve': {
      status: 200,
      about: addAlert,
      body: (id) => ({ ...versionOf(id), outcome: 'sensor_fixed' }),
    },
    'GET /api/v2/wall': { status: 200, about: (siteId) => test.addUnit(siteId), query: '?unit=:id' },
    'GET /api/v2/assignments': {
      status: 200,
      about: (siteId) => test.addUnit(siteId),
      query: '?unit=:id',
    },
    'PUT /api/v2/assignments': {
      status: 200,
      body: async () => {
        const unitId = await unitOfFirstSite(test);
        const said = test.server.liveState.assignmentsOf(unitId).map(({ version }) => version);
        return {
          unitId,
          shift: 'next',
          role: 'charge_nurse',
          patientId: null,
          userId: null,
          version: Math.max(0, ...said),
        };
      },
    },
    'POST /api/v2/auth/break-glass': { status: 200, body: () => ({ reason: 'A patient next door collapsed.' }) },
    'POST /api/v2/auth/break-glass/end': { status: 200 },
    'GET /api/v2/admin/break-glass': { status: 200 },
    'POST /api/v2/admin/break-glass/:id/seen': { status: 204, about: (siteId) => test.addBreakGlass(siteId) },
    'GET /api/v2/units': { status: 200 },
    'POST /api/v2/units': { status: 201, body: () => ({ name: `New unit ${(counter += 1)}` }) },
    'PATCH /api/v2/units/:id': {
      status: 200,
      about: (siteId) => test.addUnit(siteId),
      body: () => ({ name: `Renamed unit ${(counter += 1)}` }),
    },
    'DELETE /api/v2/units/:id': { status: 204, about: (siteId) => test.addUnit(siteId) },
    'GET /api/v2/audit': { status: 200 },
    'GET /api/v2/audit/people': { status: 200 },
    'GET /api/v2/audit/export': { status: 200 },
    'GET /api/v2/admin/site': { status: 200 },
    'POST /api/v2/admin/clock': { status: 200, body: () => ({ isRight: true }) },
    'PATCH /api/v2/admin/site': {
      status: 200,
      body: async () => ({ version: await siteVersion(test), idleMinutes: 10 }),
    },
    'POST /api/v2/site/intended-use': { status: 200, body: () => ({ accepted: true }) },
    'GET /api/v2/admin/sites': { status: 200 },
    'POST /api/v2/admin/sites': {
      status: 201,
      body: () => ({
        name: `New site ${(counter += 1)}`,
        timeZone: 'Europe/Oslo',
        adminEmail: `site${counter}@example.org`,
        clientId: randomUUID(),
      }),
    },
    'POST /api/v2/admin/site-invitations': {
      status: 201,
      body: async () => ({
        siteId: await test.addSite(`New site ${(counter += 1)}`),
        adminEmail: `site${counter}@example.org`,
      }),
    },
    'GET /api/v2/admin/users': { status: 200 },
    'PATCH /api/v2/admin/users/:id': { status: 200, about: addUser, body: () => ({ version: 1, unitIds: [] }) },
    'POST /api/v2/admin/users/:id/approve': {
      status: 200,
      about: addWaitingUser,
      body: () => ({ version: 1, type: 'nurse' }),
    },
    'POST /api/v2/admin/users/:id/reject': { status: 204, about: addWaitingUser },
    'POST /api/v2/admin/users/:id/reset-link': { status: 201, about: addUser },
    'POST /api/v2/admin/users/:id/end-sessions': { status: 204, about: addUser },
    'GET /api/v2/confirmations': { status: 200 },
    'POST /api/v2/confirmations/:id': { status: 204, about: addUnconfirmedUser },
    'GET /api/v2/admin/invitations': { status: 200 },
    'POST /api/v2/admin/invitations': {
      status: 201,
      body: () => ({ email: `invited${(counter += 1)}@example.org`, type: 'nurse' }),
    },
    'DELETE /api/v2/admin/invitations/:id': { status: 204, about: addInvitation },
    'GET /api/v2/admin/senders': { status: 200 },
    'POST /api/v2/admin/senders': { status: 201, body: () => unknownSender(test) },
    'GET /api/v2/admin/senders/settings': { status: 200 },
    'POST /api/v2/admin/senders/:id/settings': {
      status: 200,
      about: (siteId) => addNewSender(test, siteId),
      body: () => ({ basedOn: 1, settings: versionOne }),
    },
    'POST /api/v2/admin/senders/settings/:id/confirm': { status: 200, about: addSettingsProposal },
    'POST /api/v2/admin/senders/settings/:id/reject': { status: 200, about: addSettingsProposal },
    'POST /api/v2/admin/senders/:id/revoke': { status: 200, about: (siteId) => addNewSender(test, siteId) },
    'GET /api/v2/admin/mappings': { status: 200 },
    'POST /api/v2/admin/mappings': { status: 200, body: () => newBedMapping(test) },
    'POST /api/v2/admin/mappings/codes': { status: 200, body: () => newCodeMapping(test) },
    'POST /api/v2/admin/mappings/proposals/:id/confirm': { status: 200, about: addMappingProposal },
    'POST /api/v2/admin/mappings/proposals/:id/reject': { status: 200, about: addMappingProposal },
    'POST /api/v2/admin/mappings/:id/end': { status: 200, about: addMappedBed },
    'POST /api/v2/admin/mappings/:id/undo': { status: 200, about: addMappedBed },
    'POST /api/v2/admin/mappings/codes/:id/end': { status: 200, about: addMappedCode },
    'POST /api/v2/admin/mappings/codes/:id/undo': { status: 200, about: addMappedCode },
    'GET /api/v2/admin/messages': { status: 200 },
    'GET /api/v2/admin/messages/:id': { status: 200, about: (siteId) => addMessage(test, siteId) },
    'POST /api/v2/admin/messages/:id/open': { status: 200, about: (siteId) => addMessage(test, siteId) },
    'GET /api/v2/devices': { status: 200 },
    'POST /api/v2/devices': {
      status: 201,
      body: () => ({ name: `monitor ${(counter += 1)}`, expectedEveryMs: 1_000, expiresInDays: 30 }),
    },
    'PATCH /api/v2/devices/:id': { status: 200, about: addDevice, body: () => ({ name: `monitor ${(counter += 1)}` }) },
    'POST /api/v2/devices/:id/token': { status: 201, about: addDevice, body: () => ({}) },
    'POST /api/v2/devices/:id/revoke': { status: 200, about: addDevice },
    'POST /api/v2/devices/:id/assignment': {
      status: 200,
      about: addDevice,
      body: () => {
        const [patient] = test.server.liveState.patients.values();
        return { mrn: patient?.mrn ?? 'A', dateOfBirth: patient?.date_of_birth ?? '1950-03-07' };
      },
    },
    'DELETE /api/v2/devices/:id/assignment': { status: 204, about: addDevice },
    'POST /api/v2/devices/:id/wrong-patient': {
      ...{ status: 404, code: 'not_found', about: addDevice },
      body: () => ({ patientId: 1_000_000, stayId: 1, reason: 'Of bed 4' }),
    },
    'GET /api/v2/devices/:id/quarantine': { status: 200, about: addDevice },
    // Without a key of the chat service.
    'POST /api/v2/chat/chat-token': { status: 404, code: 'chat_off', body: (id) => ({ id: `u-${id}` }) },
    'GET /api/v2/chat/directory': { status: 404, code: 'chat_off' },
    'POST /api/v2/chat/channels': { status: 404, code: 'chat_off', body: () => ({ kind: 'site' }) },
    'POST /api/v2/vitals': { status: 200, body: () => ({ samples: [] }) },
  };
}

/** A gateway that no site has accepted, in the body of the call that accepts it. */
function unknownSender({ server: { hl7, now } }: TestServer): { unknownId: number; name: string; address: string } {
  const address = '127.0.0.1';
  hl7.senders.noteUnknown(
    { address, certificate: null, application: 'GATEWAY', facility: `F${(counter += 1)}` },
    now(),
  );
  return { unknownId: hl7.senders.unknown()[0]?.id ?? 0, name: 'North gateway', address };
}

async function addNewSender(test: TestServer, siteId: number): Promise<number> {
  return (await addSender(test, siteId, { facility: `F${(counter += 1)}` })).id;
}

/** A message of a new sender. */
async function addMessage(test: TestServer, siteId: number): Promise<number> {
  const { rawMessages } = test.server;
  const sender = { id: await addNewSender(test, siteId), site_id: siteId };
  const content = Buffer.from('MSH|^~\\&|GATEWAY\r');
  const taken = { fate: 'AA', reason: null, isWhole: true } as const;
  rawMessages.keep({ sender, receivedAt: test.now(), era: 1, bytes: content.length, content, ...taken });
  await rawMessages.flush();
  return (await rawMessages.list(siteId, 'all'))[0]?.id ?? 0;
}

/** A bed of a new sender of the first site. */
async function newBedMapping(test: TestServer, siteId = 1): Promise<NewBedMapping> {
  return {
    senderId: await addNewSender(test, siteId),
    senderBed: '2 NORTH^^7',
    unitId: await test.addUnit(siteId),
    bed: '7',
  };
}

/** A code of a new sender of the first site. */
async function newCodeMapping(test: TestServer, siteId = 1): Promise<NewCodeMapping> {
  const code = { id: 'SAT', text: 'Saturation', system: 'L' };
  return { senderId: await addNewSender(test, siteId), code, kind: 'spo2', isUnitless: false };
}

const decided = { status: 409, code: 'proposal_decided' };

/** The open proposal of the first site, which a new one replaces; null: none. */
async function openProposal(test: TestServer, kind: 'limits' | 'escalation'): Promise<number | null> {
  const row = await test.store.db
    .selectFrom('proposals')
    .select('id')
    .where('site_id', '=', 1)
    .where('kind', '=', kind)
    .where('state', '=', 'proposed')
    .executeTakeFirst();
  return row?.id ?? null;
}

async function addDecidedProposal(test: TestServer, siteId: number, kind: 'limits' | 'escalation'): Promise<number> {
  const { id: userId } = await test.addUser(siteId, 'physician');
  const { id } = await test.store.db
    .insertInto('proposals')
    .values({
      site_id: siteId,
      ...{ kind, object_id: siteId, about: kind === 'limits' ? 'hr.low' : kind },
      held: '{}',
      wanted: '{}',
      based_on: null,
      reason: 'As the ward agreed',
      proposed_at: test.now(),
      proposed_by: userId,
      expires_at: test.now(),
      state: 'rejected',
      decided_at: test.now(),
      decided_by: userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function colleagueWithPicture(test: TestServer, siteId: number): Promise<number> {
  const { id } = await test.addUser(siteId, 'nurse');
  await test.store.db
    .insertInto('user_pictures')
    .values({ user_id: id, png: onePixel, changed_at: test.now() })
    .execute();
  return id;
}

function isMethod(text: string | undefined): text is Method {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(text ?? '');
}

/**
 * Returns one call for each line of the policy table; throws if a line has none, so that no route escapes the tests.
 */
export function everyCall(test: TestServer): Call[] {
  const calls = known(test);
  return Object.entries(policies)
    .filter(([, { who }]) => who !== 'page')
    .map(([row]) => {
      const [method, path = ''] = row.split(' ');
      const call = calls[row];
      if (call === undefined || !isMethod(method)) {
        throw new Error(`test/everyCall.ts does not know how to call ${row}`);
      }
      const address = path.replace(':sid', 'x'.repeat(43)).replace('*', 'json') + (call.query ?? '');
      return {
        row,
        method,
        url: (id) => address.replace(':id', String(id)),
        hasId: address.includes(':id'),
        about: call.about ?? ((siteId) => test.addPatient(siteId)),
        body: async (id) => await call.body?.(id),
        status: call.status,
        code: call.code,
        headers: call.headers,
        spendsSession: call.spendsSession,
      };
    });
}
