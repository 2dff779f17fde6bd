import type { NoteType } from '../../lib/notes/noteTypes';
import type { HandoffChange } from '../../lib/handoffs/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { saveHandoff, startHandoff } from '../handoffs/drafts';
import { readFacts } from '../handoffs/facts';
import type { HandoffWriter } from '../handoffs/findHandoff';
import { giveHandoff } from '../handoffs/give';
import { receiveHandoff } from '../handoffs/receive';
import { addNote, signNote } from '../notes/drafts';
import { addEntry, moveNote } from '../notes/entries';
import type { Writer } from '../patients/writerOf';
import type { Server } from '../server';
import { wardOf, type Who } from './wardOf';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface DemoNote {
  /** The end of the patient's MRN (simulator/cast.ts). */
  patient: number;
  by: Who;
  type: NoteType;
  text: string;
  minutesAgo: number;
  addendum?: { by: Who; text: string };
  amendment?: { text: string; reason: string };
  /** It was signed under the wrong patient and belongs to this one. */
  movedTo?: number;
}

/** What the stories of the cast give a clinician to write. */
const notes: readonly DemoNote[] = [
  {
    patient: 2,
    by: 'physician',
    type: 'medical',
    text:
      'More short of breath since the early morning, SpO2 falling while the heart rate climbs. Crackles on the left. ' +
      'Chest X-ray and blood gas ordered. Oxygen 2 L/min if SpO2 stays below 90 %. Call me below 88 %.',
    minutesAgo: 12,
    addendum: { by: 'ward_lead', text: 'Daughter informed by phone. She comes in the afternoon.' },
  },
  {
    patient: 3,
    by: 'ward_lead',
    type: 'nursing',
    text: 'SpO2 drops after coughing and recovers by itself within five minutes. Clear sputum. Sits upright.',
    minutesAgo: 9,
  },
  {
    patient: 4,
    by: 'ward_lead',
    type: 'device',
    text: 'The finger probe slips when she moves her hand. Moved it to the other hand and taped the cable.',
    minutesAgo: 6,
  },
  {
    patient: 7,
    by: 'physician',
    type: 'medical',
    text: 'COPD with retained CO2: the target is 88-92 %. No more than 2 L/min of oxygen without a blood gas.',
    minutesAgo: 14,
    amendment: {
      text:
        'COPD with retained CO2: the target is 88-92 %. No more than 2 L/min of oxygen without a blood gas. ' +
        'Nebuliser every 6 hours, not every 4.',
      reason: 'the nebuliser was missing',
    },
  },
  {
    patient: 8,
    by: 'ward_lead',
    type: 'nursing',
    text: 'Takes the probe off to eat and to wash. He puts it back himself when reminded.',
    minutesAgo: 11,
  },
  {
    patient: 9,
    by: 'physician',
    type: 'medical',
    text: 'Dips while asleep are expected until the sleep study. Wake her if SpO2 stays below 85 % for a minute.',
    minutesAgo: 5 * 60,
  },
  {
    patient: 5,
    by: 'ward_lead',
    type: 'nursing',
    text: 'Walked to the bathroom with one person. Slightly dizzy when standing up, better after a minute.',
    minutesAgo: 13,
    movedTo: 6,
  },
  {
    patient: 17,
    by: 'ward_lead',
    type: 'device',
    text: 'No values since the gateway of these three beds stopped. SpO2 is taken by hand every 30 minutes.',
    minutesAgo: 10,
  },
  {
    patient: 22,
    by: 'physician',
    type: 'contact',
    text: 'Called at home. Breathless on the stairs only, sleeps flat, no fever. Takes his readings three times a day.',
    minutesAgo: 8,
  },
];

interface DemoHandoff extends Pick<HandoffChange, 'severity' | 'summary' | 'contingencies'> {
  patient: number;
  action: { text: string; dueInHours: number };
  readBack?: string;
}

const handoffs: readonly DemoHandoff[] = [
  {
    patient: 2,
    severity: 'unstable',
    summary:
      'Pneumonia, third day. SpO2 has fallen and the heart rate has risen since the early morning. X-ray and blood ' +
      'gas are ordered.',
    contingencies: [
      { condition: 'SpO2 stays below 90 %', action: 'start oxygen at 2 L/min' },
      { condition: 'SpO2 falls below 88 % or she tires', action: 'call the physician at once' },
    ],
    action: { text: 'Look for the result of the blood gas', dueInHours: 1 },
  },
  {
    patient: 3,
    severity: 'watcher',
    summary: 'Second day after surgery. SpO2 drops when he coughs and recovers by itself.',
    contingencies: [
      { condition: 'a drop lasts longer than five minutes', action: 'sit him up and call the physician' },
    ],
    action: { text: 'Breathing exercises', dueInHours: 2 },
  },
  {
    patient: 7,
    severity: 'watcher',
    summary: 'COPD with retained CO2, on 2 L/min. The target is 88-92 %.',
    contingencies: [{ condition: 'she becomes drowsy', action: 'take a blood gas and do not raise the oxygen' }],
    action: { text: 'Nebuliser', dueInHours: 3 },
    readBack: 'COPD, target 88-92 %, no more than 2 L/min. If drowsy: blood gas. Nebuliser is mine.',
  },
  {
    patient: 5,
    severity: 'stable',
    summary: 'Waits for rehabilitation. Eats and sleeps well.',
    contingencies: [],
    action: { text: 'Ask rehabilitation for the date', dueInHours: 5 },
  },
];

/**
 * Writes the notes of the demo ward through the functions that write those of users. What is written already, before a
 * restart, is not written again.
 */
export async function writeDemoNotes(server: Server, siteId: number): Promise<void> {
  const { writerOf, patientOf } = wardOf(server, siteId);
  for (const [place, note] of notes.entries()) {
    const writer = await writerOf(note.by);
    const authorId = writer.user.id;
    const draft = await addNote(writer, patientOf(note.patient).id, {
      clientId: `demo ${place}`,
      authorId,
      type: note.type,
      text: note.text,
      eventTime: toInstant(writer.now - note.minutesAgo * minuteMs),
      alertIds: [],
      mentions: [],
    });
    if (draft.signed_at === null) {
      const { id, version } = await signNote(writer, draft.id, draft.version);
      if (note.addendum !== undefined) {
        const by = await writerOf(note.addendum.by);
        await addEntry(by, id, 'addendum', { clientId: 'demo', authorId: by.user.id, text: note.addendum.text });
      }
      if (note.amendment !== undefined) {
        await addEntry(writer, id, 'amendment', { clientId: 'demo', authorId, ...note.amendment, version });
      }
      if (note.movedTo !== undefined) {
        const patientId = patientOf(note.movedTo).id;
        await moveNote(writer, id, { authorId, patientId, reason: 'written under the wrong patient', version });
      }
    }
  }
}

/**
 * Gives the handoffs of the demo ward from the ward lead to the nurse, who has received one of them. Its figures are of
 * the last 12 h, so the history has to be stored. A patient who has a handoff gets no other.
 */
export async function writeDemoHandoffs(server: Server, siteId: number): Promise<void> {
  const { writerOf, patientOf } = wardOf(server, siteId);
  for (const { patient: number, action, readBack, ...text } of handoffs) {
    const patient = patientOf(number);
    const giver = authorOf(await writerOf('ward_lead'));
    if (await hasHandoff(server, patient.id)) {
      continue;
    }
    const nurse = authorOf(await writerOf('nurse'));
    const draft = await startHandoff(giver, patient.id);
    const { id, version } = await saveHandoff(giver, draft.id, {
      ...text,
      version: draft.version,
      authorId: giver.authorId,
      actions: [
        {
          text: action.text,
          owner: { userId: nurse.authorId },
          dueAt: toInstant(roundedUp(giver.now + action.dueInHours * hourMs)),
        },
      ],
      receiver: { userId: nurse.authorId },
      isReviewed: true,
    });
    const facts = (await readFacts(server, giver.user, [patient], giver.now)).get(patient.id);
    if (facts === undefined) {
      throw new Error('a patient without facts');
    }
    const given = await giveHandoff(giver, { id, version }, facts);
    if (readBack !== undefined) {
      await receiveHandoff(nurse, server.alerts, { id, version: given.version, readBack });
    }
    await server.alerts.reconsider(patient.id);
  }
}

const authorOf = (writer: Writer): HandoffWriter => ({ ...writer, authorId: writer.user.id });

/** Returns an instant at a whole quarter of an hour, as people name a time. */
const roundedUp = (at: EpochMs): EpochMs => Math.ceil(at / (15 * minuteMs)) * 15 * minuteMs;

async function hasHandoff({ store }: Server, patientId: number): Promise<boolean> {
  const known = await store.db
    .selectFrom('handoffs')
    .select('id')
    .where('patient_id', '=', patientId)
    .executeTakeFirst();
  return known !== undefined;
}
