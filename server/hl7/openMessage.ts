import { hash } from 'node:crypto';
import { charsetOf } from '../../lib/hl7/charset';
import { parseMessage, readHeader, repetitionsAt } from '../../lib/hl7/parseMessage';
import type { OpenedMessage } from '../../lib/interfaces/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import type { Server } from '../server';

/**
 * Returns what is in a message of a site. That it is read is on record first, for each patient whose MRN it names, else
 * for its sender. Rejects as `RawMessages.open` does.
 */
export async function openMessage(
  { store, liveState, rawMessages }: Pick<Server, 'store' | 'liveState' | 'rawMessages'>,
  now: EpochMs,
  actor: Actor,
  siteId: number,
  id: number,
): Promise<OpenedMessage> {
  const { entry, content } = await rawMessages.open(siteId, id);
  const patientIds = new Set(
    numbersIn(content).flatMap((mrn) => {
      const patient = liveState.patientByMrn(mrn, siteId);
      return patient === null ? [] : [patient.id];
    }),
  );
  const details = { sender: entry.senderId, message: id };
  const event = { action: 'open_message', outcome: 'done', details } as const;
  await store.db.transaction().execute(async (transaction) => {
    for (const objectId of patientIds) {
      await audit(transaction, now, actor, { ...event, objectType: 'patient', objectId });
    }
    if (patientIds.size === 0) {
      await audit(transaction, now, actor, { ...event, objectType: 'sender', objectId: entry.senderId });
    }
  });
  return { id, sha256: hash('sha256', content, 'hex'), segments: segmentsOf(content) };
}

/**
 * Returns the numbers of PID-2 to PID-4, whatever their type and authority: who reads the message sees them all, and
 * the site may have had other authorities when the message came.
 */
function numbersIn(content: Uint8Array): string[] {
  const parsed = parseMessage(content);
  if (!parsed.ok) {
    return [];
  }
  const { message } = parsed;
  return message.segments
    .filter(({ name }) => name === 'PID')
    .flatMap((segment) => [2, 3, 4].flatMap((field) => repetitionsAt(message, segment, field)))
    .map(([number]) => number?.trim().normalize('NFC') ?? '');
}

/** Returns the lines of a message. Where its character set is not known, each byte is a character. */
function segmentsOf(content: Uint8Array): string[] {
  const charset = charsetOf(readHeader(content)?.charset ?? '');
  return (charset === null ? Buffer.from(content).toString('latin1') : charset.decode(content))
    .split(/\r\n|\r|\n/)
    .filter((line) => line !== '')
    .map((line) => line.replaceAll(/\p{Cc}/gu, '\ufffd'));
}
