import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { codeText } from '../../lib/hl7/codes';
import { parseMessage, repetitionsAt, type ParsedMessage } from '../../lib/hl7/parseMessage';
import type { ListedSender, OpenedMessage } from '../../lib/interfaces/schema';
import { toPlainLine } from '../../lib/plainText';
import type { EpochMs } from '../../lib/time/epochMs';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import { auditDone } from '../audit';
import { actorOf, type Actor } from '../audit/actor';
import type { SenderRow } from '../db/rows';
import { checkMessage } from './checkMessages';
import { requireScope, sessionOf } from '../http/access';
import { notFound } from '../http/httpError';
import { on } from '../http/on';
import { codeKey } from '../mappings/mappings';
import { byOf, type By } from '../proposals/proposals';
import type { App, Server } from '../server';
import { acceptSender, revokeSender } from './commands';
import { readPace } from './pace';
import { decideSettings, listSettings, proposeSettings, settingsOf } from './senderSettings';
import { valueWardOf } from './valueWard';

/**
 * Returns what is in a message of a site. That it is read is on record first, for each patient whose MRN it names, else
 * for its sender. Rejects as `RawMessages.open` does.
 */
async function openMessage(
  { store, liveState, rawMessages, hl7 }: Pick<Server, 'store' | 'liveState' | 'rawMessages' | 'hl7'>,
  now: EpochMs,
  actor: Actor,
  siteId: number,
  id: number,
): Promise<OpenedMessage> {
  const { entry, content } = await rawMessages.open(siteId, id);
  const sender = hl7.senders.ofSite(siteId).find((one) => one.id === entry.senderId);
  const parsed = parseMessage(content, sender === undefined ? '' : settingsOf(sender).charset);
  const patientIds = new Set(
    numbersIn(parsed).flatMap((mrn) => {
      const patient = liveState.patientByNumber(mrn, siteId);
      return patient === null ? [] : [patient.id];
    }),
  );
  const details = { sender: entry.senderId, message: id };
  await store.db.transaction().execute(async (transaction) => {
    for (const objectId of patientIds) {
      await auditDone(transaction, now, actor, 'open_message', ['patient', objectId], details);
    }
    if (patientIds.size === 0) {
      await auditDone(transaction, now, actor, 'open_message', ['sender', entry.senderId], details);
    }
  });
  return { id, sha256: hash('sha256', content, 'hex'), segments: segmentsOf(content, parsed) };
}

/**
 * Returns the numbers of PID-2 to PID-4, whatever their type and authority: who reads the message sees them all, and
 * the site may have had other authorities when the message came.
 */
function numbersIn(parsed: ParsedMessage): string[] {
  if (!parsed.ok) {
    return [];
  }
  const { message } = parsed;
  return message.segments
    .filter(({ name }) => name === 'PID')
    .flatMap((segment) => [2, 3, 4].flatMap((field) => repetitionsAt(message, segment, field)))
    .map(([number]) => number?.trim().normalize('NFC') ?? '');
}

/** Returns the lines of a message. Where its character set is not read, each byte is a character. */
function segmentsOf(content: Uint8Array, parsed: ParsedMessage): string[] {
  const charset = parsed.ok ? parsed.message.charset : parsed.charset;
  return (charset === null ? Buffer.from(content).toString('latin1') : charset.decode(content))
    .split(/\r\n|\r|\n/)
    .filter((line) => line !== '')
    .map((line) => line.replaceAll(/\p{Cc}/gu, '\ufffd'));
}

/** The clock of a source that sent no value for so long, in milliseconds, says nothing of now. */
const clockKnownForMs = 3_600_000;

/** So many unmapped codes of a sender are shown. */
const unmappedShown = 20;

/** So many lines of a message are checked. */
const mostLines = 200;
/** Returns what is shown of a code or a unit. */
const shown = (text: string): string => toPlainLine(text.slice(0, 120));

/** The HL7 senders of the user's site, and their messages. */
export function hl7Routes(app: App, server: Server): void {
  const { env, store, hl7, codes, liveState, rawMessages, auditView, now, elapsed } = server;
  /** Returns between what the clocks of the sources are that a sender was heard with lately; null: not known. */
  const clocksOf = (heard: ReadonlyMap<number, number>): ListedSender['clockBehindMs'] => {
    const behind = [...heard]
      .filter(([, at]) => elapsed() - at <= clockKnownForMs)
      .flatMap(([deviceId]) => liveState.deviceClocks.get(deviceId)?.offsetMs ?? []);
    return behind.length === 0 ? null : { least: Math.min(...behind), most: Math.max(...behind) };
  };
  const present = (row: SenderRow): ListedSender => {
    const { id, name, certificate, address, application, facility } = row;
    const { lastMessageAt, pace, heard, answers, repeated, broken, unmapped } = hl7.senders.stateOf(id);
    return {
      ...{ id, name, certificate, address, application, facility, repeated, broken },
      isTrial: row.is_trial === 1,
      settingsVersion: row.settings_version,
      takesNumberAlone: settingsOf(row).beside === 'asSent',
      acceptedAt: toInstant(row.accepted_at),
      revokedAt: instantOrNull(row.revoked_at),
      connections: row.revoked_at === null ? hl7.connectionsOf(row) : 0,
      lastMessageAt: instantOrNull(lastMessageAt),
      ...readPace(pace, elapsed()),
      clockBehindMs: clocksOf(heard),
      answers: { ...answers },
      unmapped: [...unmapped.values()]
        .filter(({ code }) => codes.find(id, codeKey(code)) === null)
        .map(({ code, count }) => ({ code: codeText(code), count }))
        .sort((a, b) => b.count - a.count)
        .slice(0, unmappedShown),
    };
  };

  /** Also those that are revoked. */
  const sendersOf = (siteId: number) =>
    store.db.selectFrom('hl7_senders').selectAll().where('site_id', '=', siteId).orderBy('id');

  on(app, 'listSenders', async (request) => {
    const { siteId } = requireScope(request, 'manageDevices', now());
    const rows = await sendersOf(siteId).execute();
    return {
      door:
        env.hl7 === null
          ? null
          : {
              ...{ host: env.hl7.host, port: env.hl7.port },
              ...{ isEncrypted: env.hl7.tls !== null, isExposed: env.hl7.isExposed },
            },
      items: rows.map(present),
      total: rows.length,
      unknown: hl7.senders.unknown().map((sender) => ({
        ...sender,
        firstAt: toInstant(sender.firstAt),
        lastAt: toInstant(sender.lastAt),
      })),
      refusedConnections: hl7.refusedConnections.list().map((one) => ({ ...one, lastAt: toInstant(one.lastAt) })),
    };
  });

  on(app, 'acceptSender', async (request) => {
    const { siteId } = requireScope(request, 'manageDevices', now());
    const sender = await acceptSender(server, now(), actorOf(request), siteId, request.body);
    // Times without a zone are read by the site's, which is not known of a site that was added since the start.
    await server.alerts.siteChanged(siteId);
    return present(sender);
  });

  on(app, 'listSenderSettings', async (request) => {
    requireScope(request, 'readMappings', now());
    return await listSettings(server, sessionOf(request).user, now());
  });

  /** Lets a user decide, and responds with all settings as they are then. */
  const decided = async (request: FastifyRequest, work: (by: By) => Promise<unknown>) => {
    await work(byOf(request, now()));
    return await listSettings(server, sessionOf(request).user, now());
  };
  on(app, 'proposeSenderSettings', (request) =>
    decided(request, (by) => proposeSettings(server, by, request.params.id, request.body)),
  );
  on(app, 'confirmSenderSettings', (request) =>
    decided(request, (by) => decideSettings(server, by, request.params.id, true)),
  );
  on(app, 'rejectSenderSettings', (request) =>
    decided(request, (by) => decideSettings(server, by, request.params.id, false)),
  );

  on(app, 'revokeSender', async (request) => {
    const { siteId } = requireScope(request, 'manageDevices', now());
    return present(await revokeSender(server, now(), actorOf(request), siteId, request.params.id));
  });

  on(app, 'listMessages', async (request) => {
    const { siteId } = requireScope(request, 'readMessages', now());
    const names = new Map((await sendersOf(siteId).execute()).map(({ id, name }) => [id, name]));
    await auditView(request, { action: 'list_messages', queryKey: request.query.which, details: request.query });
    const entries = await rawMessages.list(siteId, request.query.which);
    const items = entries.map(({ id, receivedAt, senderId, bytes, fate, reason, isWhole, isKept }) => ({
      ...{ id, bytes, fate, reason, isWhole, isKept },
      ...{ receivedAt: toInstant(receivedAt), sender: names.get(senderId) ?? `sender ${senderId}` },
    }));
    return { items, total: items.length, kept: rawMessages.usage() };
  });

  on(app, 'checkMessage', async (request) => {
    const { siteId } = requireScope(request, 'readMessages', now());
    const { id } = request.params;
    const { entry, content } = await rawMessages.open(siteId, id);
    const sender = await sendersOf(siteId).where('id', '=', entry.senderId).executeTakeFirstOrThrow(notFound);
    const about = { objectType: 'sender', objectId: sender.id } as const;
    await auditView(request, { action: 'check_message', queryKey: String(id), about, details: { message: id } });
    const verdicts = await checkMessage(content, {
      settings: settingsOf(sender),
      known: { ...valueWardOf(sender, server), mostLines: mostLines + 1 },
      site: { timeZone: server.alerts.timeZoneOf(siteId), receivedAt: entry.receivedAt },
    });
    // Written out: neither status nor value leaves the server.
    const lines = verdicts.map(({ line, code, unit, taken, reason, settings }) => ({
      ...{ line, code: shown(code), unit: shown(unit), taken, reason, settings },
    }));
    return { id, lines: lines.slice(0, mostLines), isCut: lines.length > mostLines };
  });

  on(app, 'openMessage', async (request) => {
    const { siteId } = requireScope(request, 'openMessages', now());
    return await openMessage(server, now(), actorOf(request), siteId, request.params.id);
  });
}
