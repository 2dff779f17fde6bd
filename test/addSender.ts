import { versionOne, type SenderSettings } from '../lib/hl7/senderSettings';
import { system } from '../server/audit/actor';
import type { SenderRow } from '../server/db/rows';
import { acceptSender } from '../server/hl7/commands';
import type { TestServer } from './testServer';

/**
 * Accepts an HL7 sender of this machine into a site, as if it had sent before, and returns its row. On a server that
 * tests share each test has an `address` of its own (`gatewayAddress`).
 */
export async function addSender(
  test: Pick<TestServer, 'server' | 'now'>,
  siteId: number,
  { name = 'North gateway', address = '127.0.0.1', application = 'GATEWAY', facility = '', isTrial = false } = {},
): Promise<SenderRow> {
  const { server, now } = test;
  server.hl7.senders.noteUnknown({ address, certificate: null, application, facility }, now());
  const accepted = { unknownId: server.hl7.senders.unknown()[0]?.id ?? 0, name, address, isTrial };
  const { id } = await acceptSender(server, now(), system, siteId, accepted);
  return await answerFor(test, id);
}

/** Answers what is asked about a sender, as if two people had: as of senders from before that was asked. */
export async function answerFor(
  { server }: Pick<TestServer, 'server'>,
  senderId: number,
  settings: SenderSettings = versionOne,
): Promise<SenderRow> {
  const row = await server.store.db
    .updateTable('hl7_senders')
    .set({ settings: JSON.stringify(settings), settings_version: 1 })
    .where('id', '=', senderId)
    .returningAll()
    .executeTakeFirstOrThrow();
  server.hl7.senders.put(row);
  return row;
}
