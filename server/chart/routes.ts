import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { limitValues } from '../../lib/alerts/limitsSchema';
import { currentMarks } from '../../lib/chart/currentMarks';
import { permissionOf } from '../../lib/chart/permissionOf';
import type { ChartChange, entryMark, WrittenValue, Chart, ChartSummary } from '../../lib/chart/schema';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import { readHistoryRows } from '../alerts/limits';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import { requireScope } from '../http/access';
import { notFound } from '../http/httpError';
import { on } from '../http/on';
import type { LiveState } from '../liveState';
import { readNews2Exemptions } from '../patients/news2Exemption';
import { requirePatient } from '../patients/requirePatient';
import { readSpo2Target } from '../patients/spo2Target';
import { writerOf } from '../patients/writerOf';
import type { App, Server } from '../server';
import { addEntry, type NewEntry } from './addEntry';
import type { ChartWriter } from './chartWriter';
import { markEntry } from './markEntry';
import { readDevicesSection, readStandbysSection, readStaysSection } from './readStays';
import { readWrittenOf } from './readWritten';

type Sections = Chart['sections'];

/** Resolves with the scale and target of SpO2: what physicians set, else the default, which no one has confirmed. */
async function readSpo2Section(db: Kysely<Database>, patient: PatientRow): Promise<Sections['spo2']> {
  const { history, scale, low, high } = await readSpo2Target(db, patient);
  const byDefault = { value: { scale, low, high, isConfirmed: false }, author: null, at: null, reason: null };
  const set = history.map(({ setAt, setBy, reason, ...target }) => ({
    value: { ...target, isConfirmed: true },
    author: setBy,
    at: setAt,
    reason,
  }));
  return (set.length === 0 ? [byDefault] : set).map(({ value, author, at, reason }, place, all) => ({
    // Its rows are numbered here: the oldest is 1.
    id: all.length - place,
    section: 'spo2',
    value,
    source: null,
    effectiveAt: at,
    author,
    recordedAt: at,
    replaces: place === all.length - 1 ? null : all.length - place - 1,
    reason,
    status: place === 0 ? 'current' : 'superseded',
    mark: null,
  }));
}

/** Resolves with the marks "NEWS2 does not apply". */
async function readNews2Section(db: Kysely<Database>, patient: PatientRow): Promise<Sections['news2']> {
  const { items } = await readNews2Exemptions(db, patient);
  return items.map(({ because, reason, setAt, setBy, endedAt, endedBy }, place) => ({
    id: items.length - place,
    section: 'news2',
    value: { because },
    source: null,
    effectiveAt: setAt,
    author: setBy,
    recordedAt: setAt,
    replaces: null,
    reason,
    status: endedAt === null ? 'current' : 'ended',
    mark: endedAt === null ? null : { by: endedBy, at: endedAt, reason: null },
  }));
}

/** Resolves with the alert limits of the patient's own. One without values went back to those of the site. */
async function readLimitsSection(db: Kysely<Database>, patient: PatientRow): Promise<Sections['limits']> {
  const rows = await readHistoryRows(db, { siteId: patient.site_id, patientId: patient.id });
  const newest = new Map<string, number>();
  for (const { id, rule, scale } of rows) {
    const key = `${rule} ${scale}`;
    newest.set(key, newest.get(key) ?? id);
  }
  return rows.map((row) => {
    const at = toInstant(row.set_at);
    const author = { id: row.set_by, name: `${row.fname} ${row.lname}` };
    const values = readJson(limitValues, row.limit_values) ?? {};
    const isNewest = newest.get(`${row.rule} ${row.scale}`) === row.id;
    const isReset = Object.keys(values).length === 0;
    return {
      id: row.id,
      section: 'limits',
      value: {
        rule: row.rule,
        scale: row.scale,
        values,
        reviewAt: instantOrNull(row.review_at),
      },
      source: null,
      effectiveAt: at,
      author,
      recordedAt: at,
      replaces: null,
      reason: row.reason,
      status: !isNewest ? 'superseded' : isReset ? 'ended' : 'current',
      mark: isNewest && isReset ? { by: author, at, reason: row.reason } : null,
    };
  });
}

/** Resolves with a patient's whole chart at `now` (epoch milliseconds). */
async function readChart(
  db: Kysely<Database>,
  liveState: LiveState,
  patient: PatientRow,
  now: EpochMs,
): Promise<Chart> {
  const { version, entries } = await readWrittenOf(db, patient.id);
  const contacts = entries.filter((one) => one.section === 'contacts');
  return {
    patientId: patient.id,
    version,
    isPhoneMissing:
      patient.profile === 'home' &&
      !contacts.some(({ status, value }) => status === 'current' && value.role === 'patient'),
    sections: {
      identifiers: entries.filter((one) => one.section === 'identifiers'),
      contacts,
      team: entries.filter((one) => one.section === 'team'),
      codeStatus: entries.filter((one) => one.section === 'codeStatus'),
      spo2: await readSpo2Section(db, patient),
      news2: await readNews2Section(db, patient),
      allergies: entries.filter((one) => one.section === 'allergies'),
      conditions: entries.filter((one) => one.section === 'conditions'),
      medications: entries.filter((one) => one.section === 'medications'),
      oxygen: entries.filter((one) => one.section === 'oxygen'),
      devices: await readDevicesSection(db, patient.id),
      limits: await readLimitsSection(db, patient),
      standbys: await readStandbysSection(db, patient.id, now),
      stays: await readStaysSection(db, liveState, patient.id),
    },
  };
}

/** Resolves with code status and allergies of a patient, as far as they hold. */
async function readChartSummary(db: Kysely<Database>, patientId: number): Promise<ChartSummary> {
  const { version, entries } = await readWrittenOf(db, patientId);
  return { patientId, version, ...currentMarks(entries) };
}

/** Patient charts. */
export function chartRoutes(app: App, server: Server): void {
  const { store, liveState, now, auditView } = server;
  const by = (request: FastifyRequest, section: WrittenValue['section'], patientId: number): ChartWriter => {
    const writer = writerOf(server, request, permissionOf(section));
    return { ...writer, patient: requirePatient(liveState, patientId, writer.scope) };
  };
  const add = (
    request: FastifyRequest & { params: { id: number }; body: NewEntry },
    written: WrittenValue,
  ): Promise<ChartChange> => addEntry(by(request, written.section, request.params.id), written, request.body);

  on(app, 'readChart', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readChart', now()));
    await auditView(request, { action: 'read_chart', patientId: patient.id });
    return await readChart(store.db, liveState, patient, now());
  });

  on(app, 'readChartSummary', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readChart', now()));
    // The marks beside a patient's name are a part of looking at the patient.
    await auditView(request, { action: 'read_patient', patientId: patient.id });
    return await readChartSummary(store.db, patient.id);
  });

  on(app, 'setCodeStatus', (request) => add(request, { section: 'codeStatus', value: request.body.value }));
  on(app, 'addAllergy', (request) => add(request, { section: 'allergies', value: request.body.value }));
  on(app, 'setOxygen', (request) => add(request, { section: 'oxygen', value: request.body.value }));
  on(app, 'addCondition', (request) => add(request, { section: 'conditions', value: request.body.value }));
  on(app, 'addMedication', (request) => add(request, { section: 'medications', value: request.body.value }));
  on(app, 'addContact', (request) => add(request, { section: 'contacts', value: request.body.value }));
  on(app, 'addToTeam', (request) => add(request, { section: 'team', value: request.body.value }));
  on(app, 'addIdentifier', (request) => add(request, { section: 'identifiers', value: request.body.value }));

  const mark = async (
    request: FastifyRequest,
    id: number,
    as: 'ended' | 'entered_in_error',
    body: z.output<typeof entryMark>,
  ): Promise<ChartChange> => {
    const entry = await store.db
      .selectFrom('chart_entries')
      .select(['section', 'patient_id'])
      .where('id', '=', id)
      .executeTakeFirst();
    // A patient out of reach has no entries, whatever their section needs.
    const scope = requireScope(request, 'readChart', now());
    if (entry === undefined || liveState.patientInScope(entry.patient_id, scope) === null) {
      throw notFound();
    }
    return await markEntry(by(request, entry.section, entry.patient_id), id, as, body);
  };

  on(app, 'endChartEntry', (request) => mark(request, request.params.id, 'ended', request.body));
  on(app, 'markChartEntryInError', (request) => mark(request, request.params.id, 'entered_in_error', request.body));
}
