import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ChartChange, entryMark, WrittenValue } from '../../lib/chart/schema';
import { permissionOf } from '../../lib/chart/permissionOf';
import { actorOf } from '../audit/actor';
import { requireScope, sessionOf } from '../http/access';
import { notFound } from '../http/httpError';
import { on } from '../http/on';
import { requirePatient } from '../patients/requirePatient';
import type { App, Server } from '../server';
import { addEntry, type NewEntry } from './addEntry';
import type { ChartWriter } from './chartWriter';
import { markEntry } from './markEntry';
import { readChart, readChartSummary } from './readChart';

/** Patient charts. */
export function chartRoutes(app: App, { store, liveState, now, auditView }: Server): void {
  const writerOf = (request: FastifyRequest, section: WrittenValue['section'], patientId: number): ChartWriter => {
    const scope = requireScope(request, permissionOf(section), now());
    return {
      store,
      now: now(),
      actor: actorOf(request),
      user: sessionOf(request).user,
      patient: requirePatient(liveState, patientId, scope),
    };
  };
  const add = (
    request: FastifyRequest & { params: { id: number }; body: NewEntry },
    written: WrittenValue,
  ): Promise<ChartChange> => addEntry(writerOf(request, written.section, request.params.id), written, request.body);

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
    return await markEntry(writerOf(request, entry.section, entry.patient_id), id, as, body);
  };

  on(app, 'endChartEntry', (request) => mark(request, request.params.id, 'ended', request.body));
  on(app, 'markChartEntryInError', (request) => mark(request, request.params.id, 'entered_in_error', request.body));
}
