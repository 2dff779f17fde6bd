import { system } from '../server/audit/actor';
import type { SenderRow } from '../server/db/rows';
import { acceptSender } from '../server/hl7/commands';
import type { TestServer } from './testServer';

/**
 * Accepts an HL7 sender of this machine into a site, as if it had sent before, and returns its row. On a server that
 * tests share each test has an `address` of its own (`gatewayAddress`).
 */
export async function addSender(
  { server, now }: TestServer,
  siteId: number,
  { name = 'North gateway', address = '127.0.0.1', application = 'GATEWAY', facility = '', isTrial = false } = {},
): Promise<SenderRow> {
  server.hl7.senders.noteUnknown({ address, certificate: null, application, facility }, now());
  const accepted = { unknownId: server.hl7.senders.unknown()[0]?.id ?? 0, name, address, isTrial };
  return await acceptSender(server, now(), system, siteId, accepted);
}
