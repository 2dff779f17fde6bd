import { unanswered } from '../../lib/hl7/senderSettings';
import type { NewSender } from '../../lib/interfaces/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import { isTaken } from '../db/isTaken';
import type { Store } from '../db/open';
import type { SenderRow } from '../db/rows';
import { addressRange, isRange } from '../http/addressRange';
import { HttpError, invalid, notFound } from '../http/httpError';
import type { LiveState } from '../liveState';
import type { Hl7 } from './hl7';
import type { From } from './senders';
import { sourceRow } from './sources';
import { wholeKey } from './sourceOf';

/** A wider range than these is no network of gateways: anyone there could send as one of them. */
const leastBits = { ipv4: 128 - 32 + 8, ipv6: 32 };

/**
 * Accepts an unknown sender into a site, by its certificate if `address` is null, and returns its row. From the next
 * message on it is known; all of it goes to quarantine until two people have answered its questions. Rejects with
 * - 404 if it is not listed any more;
 * - 409 `sender_exists` if another site has a sender of the same MSH-3 and MSH-4 among these addresses, or a site has
 *   accepted these very addresses, or this certificate, or another site has a sender of the address of a certificate;
 * - 409 `certificate_revoked` if its certificate is a revoked sender's: by its address it would not be known;
 * - 422 if the address is no range that holds its own, or it has no certificate to be known by.
 */
export async function acceptSender(
  { store, liveState, hl7 }: { store: Store; liveState: LiveState; hl7: Hl7 },
  now: EpochMs,
  actor: Actor,
  siteId: number,
  { unknownId, name, address, isTrial }: NewSender,
): Promise<SenderRow> {
  // Queued, so that of two administrators who accept networks that overlap the second one is refused.
  return await store.writeQueue(async (givenUp) => {
    const found = hl7.senders.unknown().find((one) => one.id === unknownId);
    if (found === undefined) {
      throw notFound();
    }
    const known = address === null ? byCertificate(hl7, siteId, found) : byAddress(hl7, siteId, found, address);
    const { sender, device } = await store.db
      .transaction()
      .execute(async (transaction) => {
        const made = await transaction
          .insertInto('hl7_senders')
          .values({
            site_id: siteId,
            name,
            ...known,
            is_trial: isTrial ? 1 : 0,
            accepted_at: now,
            accepted_by: actor.actorId,
            revoked_at: null,
            settings: JSON.stringify(unanswered),
            settings_version: 0,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const whole = await transaction
          .insertInto('devices')
          .values(sourceRow(made, { key: wholeKey, nameOf: () => name }, now))
          .returningAll()
          .executeTakeFirstOrThrow();
        await auditDone(transaction, now, actor, 'accept_sender', ['sender', made.id]);
        givenUp.throwIfAborted();
        return { sender: made, device: whole };
      })
      .catch((error: unknown) => {
        throw isTaken(error) ? senderExists() : error;
      });
    liveState.devices.set(device.id, device);
    hl7.senders.put(sender);
    hl7.senders.stateOf(sender.id).seen = found.seen;
    return sender;
  });
}

type KnownBy = Pick<SenderRow, 'certificate' | 'address' | 'application' | 'facility'>;

function byAddress(
  { senders }: Hl7,
  siteId: number,
  { address: own, application, facility, certificate }: From,
  address: string,
): KnownBy {
  if (certificate !== null && senders.isRevoked(certificate)) {
    throw new HttpError(
      409,
      'certificate_revoked',
      'A sender with its certificate was revoked. Accept it by its certificate.',
    );
  }
  requireRange(address, own);
  // Of two ranges the smaller one counts: its site would get the messages that are for the other.
  if (senders.clashes(siteId, { address, application, facility })) {
    throw senderExists();
  }
  return { certificate: null, address, application, facility };
}

function byCertificate({ senders }: Hl7, siteId: number, { certificate, address }: From): KnownBy {
  if (certificate === null) {
    throw invalid({ address: 'is needed: it has no certificate' });
  }
  if (senders.certificateClashes(siteId, certificate, address)) {
    throw new HttpError(
      409,
      'sender_exists',
      'Another site has a sender of this address, or this certificate. Accept it by its address.',
    );
  }
  return { certificate, address: '', application: '', facility: '' };
}

const senderExists = (): HttpError =>
  new HttpError(
    409,
    'sender_exists',
    'A sender of this address, MSH-3 and MSH-4, or of this certificate, is accepted already.',
  );

function requireRange(address: string, own: string): void {
  if (!isRange(address)) {
    throw invalid({ address: 'is no address and no network such as 10.1.2.0/24' });
  }
  const range = addressRange(address);
  if (!range.has(own)) {
    throw invalid({ address: `does not hold ${own}, from where it sends` });
  }
  if (range.bits < (address.includes(':') ? leastBits.ipv6 : leastBits.ipv4)) {
    throw invalid({ address: 'is wider than a network of gateways can be' });
  }
}

/**
 * Revokes a sender of a site: its connections end, its messages are refused, and the values of its sources are no
 * longer expected. Returns its row. Rejects with 404 if the site has no such sender. One that is revoked already
 * stays as it is.
 */
export async function revokeSender(
  { store, liveState, hl7 }: { store: Store; liveState: LiveState; hl7: Hl7 },
  now: EpochMs,
  actor: Actor,
  siteId: number,
  id: number,
): Promise<SenderRow> {
  const { sender, devices } = await store.db.transaction().execute(async (transaction) => {
    const revoked = await transaction
      .updateTable('hl7_senders')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('site_id', '=', siteId)
      .where('revoked_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    const ofSender = transaction.selectFrom('devices').selectAll().where('sender_id', '=', id);
    if (revoked === undefined) {
      // A commit whose result was lost may have revoked it, and nothing here knows of it yet.
      const row = transaction.selectFrom('hl7_senders').selectAll().where('id', '=', id).where('site_id', '=', siteId);
      return { sender: await row.executeTakeFirstOrThrow(notFound), devices: await ofSender.execute() };
    }
    await transaction.updateTable('devices').set({ revoked_at: now }).where('sender_id', '=', id).execute();
    await auditDone(transaction, now, actor, 'revoke_sender', ['sender', id]);
    return { sender: revoked, devices: await ofSender.execute() };
  });
  hl7.senders.put(sender);
  hl7.endConnections(sender);
  for (const device of devices) {
    liveState.devices.set(device.id, device);
  }
  liveState.changed(siteId);
  return sender;
}
