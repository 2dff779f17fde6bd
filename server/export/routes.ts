import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { csvHead, csvLine, type CsvCell } from '../../lib/csvLine';
import { rowEstimateHeader, type ExportKind } from '../../lib/export/schema';
import { noteTypes } from '../../lib/notes/noteTypes';
import type { Note } from '../../lib/notes/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import { safetyLine } from '../../lib/site/safetyLine';
import { dayOf } from '../../lib/time/dayOf';
import type { EpochMs } from '../../lib/time/epochMs';
import { parseInstant } from '../../lib/time/parseInstant';
import { createSiteInstant, createUtcInstant } from '../../lib/time/siteInstant';
import { auditDone } from '../audit';
import { actorOf } from '../audit/actor';
import { unhurried } from '../db/open';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import { requireScope, sessionOf } from '../http/access';
import { createBudget } from '../http/budget';
import { HttpError, signedOut, tooManyRequests } from '../http/httpError';
import { on } from '../http/on';
import { scopeOf } from '../http/scope';
import { sendCsv } from '../http/sendCsv';
import { presentNotes, readReader, type NoteRow } from '../notes/queries';
import { requirePatient } from '../patients/requirePatient';
import type { App, Server } from '../server';
import { requireRecentProof } from '../session/requireRecentProof';
import { exportAlerts } from './exportAlerts';
import { exportSymptoms } from './exportSymptoms';
import { exportVitals } from './exportVitals';
import { type Exported, type ExportedKind, timeCells, timeColumns, yesNo } from './exportedKind';

/** A note may have 10,000 characters, and as many in each addition. */
const notesAtOnce = 50;

/**
 * The signed notes by the time of the event, each followed by what was added to it. Drafts are their authors' own. A
 * note that was moved to another patient is said to be, without its text, which is about someone else.
 */
const exportNotes: ExportedKind = {
  columns: [
    'note_id',
    'part',
    'type',
    'status',
    ...timeColumns('event'),
    ...timeColumns('written'),
    ...timeColumns('signed'),
    'late_entry',
    'author',
    'author_role',
    'text',
    'reason',
    'alert_ids',
    'moved',
  ],
  estimate: async (exported) => {
    const { notes } = await signedNotes(exported)
      .select((select) => select.fn.countAll<number>().as('notes'))
      .executeTakeFirstOrThrow();
    const { entries } = await exported.server.store.db
      .selectFrom('note_entries')
      .where('note_id', 'in', signedNotes(exported).select('id'))
      .select((select) => select.fn.countAll<number>().as('entries'))
      .executeTakeFirstOrThrow();
    return Number(notes) + Number(entries);
  },
  async *rows(exported) {
    const { store, liveState, now } = exported.server;
    const reader = await readReader(store, exported.request, now());
    let behind: NoteRow | undefined;
    do {
      const rows: NoteRow[] = await readNotes(exported, behind);
      const notes = await presentNotes(store.db, liveState, rows, reader);
      yield notes.flatMap((note) => linesOf(exported, note));
      behind = rows.length < notesAtOnce ? undefined : rows.at(-1);
    } while (behind !== undefined);
  },
};

function signedNotes({ server: { store }, patient, from, to }: Exported) {
  return store.db
    .selectFrom('notes')
    .where('patient_id', '=', patient.id)
    .where('signed_at', 'is not', null)
    .where('event_at', '>=', from)
    .where('event_at', '<', to);
}

async function readNotes(exported: Exported, behind: NoteRow | undefined): Promise<NoteRow[]> {
  const notes = signedNotes(exported);
  return await (
    behind === undefined ? notes : notes.where(sql<boolean>`(event_at, id) > (${behind.event_at}, ${behind.id})`)
  )
    .selectAll()
    .orderBy('event_at')
    .orderBy('id')
    .limit(notesAtOnce)
    .execute();
}

function linesOf(exported: Exported, note: Note): CsvCell[][] {
  const instants = (...texts: (string | null)[]): CsvCell[] =>
    texts.flatMap((text) => timeCells(exported, text === null ? null : epochOf(text)));
  const shared = (part: string): CsvCell[] => [note.id, part, noteTypes[note.type], note.state];
  const moved = note.text === null ? 'to another patient' : note.isMoved ? 'from another patient' : null;
  const by = ({ name, type }: Note['author']): CsvCell[] => [name, userTypeLabels[type]];
  return [
    [
      ...shared('note'),
      ...instants(note.eventTime, note.writtenAt, note.signedAt),
      yesNo(note.isLateEntry),
      ...by(note.author),
      note.text,
      null,
      note.alertIds.join(' ') || null,
      moved,
    ],
    ...note.entries.map(({ kind, at, author, text, reason }) => [
      ...shared(kind),
      // An addition is signed when it is written.
      ...instants(note.eventTime, at, at),
      null,
      ...by(author),
      text === '' ? null : text,
      reason === '' ? null : reason,
      null,
      moved,
    ]),
  ];
}

const epochOf = (instant: string): EpochMs => Date.parse(instant);

const exportedKinds: Readonly<Record<ExportKind, ExportedKind>> = {
  vitals: exportVitals,
  notes: exportNotes,
  symptoms: exportSymptoms,
  alerts: exportAlerts,
};

/** A patient has four files: more a minute is no reader. */
const filesPerMinute = 20;
/** Rows that are made and sent before other calls have their turn: 1 ms, also on a slow machine only a few. */
const rowsAtOnce = 100;
/** As much text as that: a note has up to 10,000 characters. */
const charactersAtOnce = 30_000;

/** The files of one patient. */
export function exportRoutes(app: App, server: Server): void {
  const { store, liveState, sessions, now, elapsed } = server;
  const mayExport = createBudget(filesPerMinute, now);

  // No HEAD: a file is on record as what its reader got.
  on(
    app,
    'exportPatient',
    async (request, reply) => {
      const session = sessionOf(request);
      const patient = requirePatient(liveState, request.params.id, requireScope(request, 'exportPatient', now()));
      requireRecentProof(session, elapsed());
      const { kind } = request.query;
      const { timeZone } = session.user.site;
      const exported: Exported = {
        server: { ...server, store: unhurried(store) },
        request,
        patient,
        ...(await windowOf(store.db, patient, request.query, now())),
        siteTime: createSiteInstant(timeZone),
        utcTime: createUtcInstant(),
      };
      if (!mayExport(String(session.user.id))) {
        throw tooManyRequests('Too many files in a minute. Try again later.');
      }
      const actor = actorOf(request);
      const record = (action: 'export_patient' | 'end_patient_export', more: Record<string, string | number>) =>
        auditDone(store.db, now(), actor, action, ['patient', patient.id], { kind, ...more });
      const [from, to] = [dayOf(exported.from, timeZone), dayOf(exported.to - 1, timeZone)];
      await record('export_patient', { from, to });

      let rows = 0;
      let isComplete = false;
      async function* lines(): AsyncGenerator<string> {
        const ofKind = exportedKinds[kind];
        const whose = [patient.id, patient.mrn, patient.date_of_birth];
        yield csvHead(['patient_id', 'mrn', 'date_of_birth', ...ofKind.columns, `notice: ${safetyLine}`]);
        for await (const part of ofKind.rows(exported)) {
          for (const { text, lines: inText } of inTurns(part, (cells) => csvLine([...whose, ...cells, null]))) {
            requireStillAllowed(session.user.id, patient.id);
            rows += inText;
            yield text;
            // Other calls come first: a fast client would otherwise keep the thread.
            await turn();
          }
        }
        // Before the end of the file: without its row in the audit it is no whole file.
        await record('end_patient_export', { rows, ended: 'complete' });
        isComplete = true;
      }

      const estimate = await exportedKinds[kind].estimate(exported);
      if (estimate !== null) {
        void reply.header(rowEstimateHeader, estimate);
      }
      return await sendCsv(reply, `patient-${patient.id}-${kind}-${from}-to-${to}`, lines(), (error) => {
        if (!isComplete) {
          record('end_patient_export', { rows, ended: error === null ? 'aborted' : 'failed' }).catch(
            (problem: unknown) => {
              server.reportFault(problem, 'GET /api/v2/patients/:id/export');
            },
          );
        }
      });
    },
    { exposeHeadRoute: false },
  );

  /** Throws if the user may no longer export this patient: a file takes longer than it takes to disable someone. */
  function requireStillAllowed(userId: number, patientId: number): void {
    const isAllowed = sessions.ofUser(userId).some((one) => {
      const scope = scopeOf(one, 'exportPatient', now());
      return scope !== null && liveState.patientInScope(patientId, scope) !== null;
    });
    if (!isAllowed) {
      throw signedOut();
    }
  }
}

/** Yields the lines of rows, as many at once as are made in a few milliseconds. */
function* inTurns(
  rows: Iterable<CsvCell[]>,
  lineOf: (cells: CsvCell[]) => string,
): Generator<{ text: string; lines: number }> {
  let text = '';
  let lines = 0;
  for (const cells of rows) {
    text += lineOf(cells);
    lines += 1;
    if (lines === rowsAtOnce || text.length >= charactersAtOnce) {
      yield { text, lines };
      text = '';
      lines = 0;
    }
  }
  if (lines > 0) {
    yield { text, lines };
  }
}

/** Resolves with the window of a call: by default the last stay. Rejects with 400 if it ends before it begins. */
async function windowOf(
  db: Kysely<Database>,
  patient: PatientRow,
  asked: { from?: string; to?: string },
  now: EpochMs,
): Promise<{ from: EpochMs; to: EpochMs }> {
  const stay = await db
    .selectFrom('patient_stays')
    .select(['started_at', 'ended_at'])
    .where('site_id', '=', patient.site_id)
    .where('patient_id', '=', patient.id)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const instantOf = (text: string | undefined): EpochMs | null => (text === undefined ? null : parseInstant(text));
  const from = instantOf(asked.from) ?? stay?.started_at ?? patient.created_at;
  const to = instantOf(asked.to) ?? (stay?.ended_at ?? now) + 1;
  if (from >= to) {
    throw new HttpError(400, 'malformed_request', 'The time ends before it begins.', {
      fields: { from: 'is not before to' },
    });
  }
  return { from, to };
}
