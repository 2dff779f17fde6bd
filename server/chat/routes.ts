import { chatUserId } from '../../lib/chat/chatUserId';
import type { OpenChannelBody } from '../../lib/chat/schema';
import type { App, Server } from '../server';
import { audit, type AuditEvent } from '../audit';
import { sessionOf } from '../http/access';
import { forbidden } from '../http/httpError';
import { actorOf } from '../audit/actor';
import { on } from '../http/on';
import { chatOff, type Chat } from './chat';
import { readDirectory } from './queries';

/** What the page needs to chat: a token, the people to write to, and channels, which only the server creates. */
export function chatRoutes(app: App, { chat, store, liveState, now, auditView }: Server): void {
  const requireChat = (): Chat => {
    if (chat === null) {
      throw chatOff();
    }
    return chat;
  };

  on(app, 'getChatToken', async (request) => {
    const used = requireChat();
    const session = sessionOf(request);
    if (request.body.id !== chatUserId(session.user.id)) {
      throw forbidden();
    }
    const token = await used.tokenFor(session);
    used.place(session);
    return { token };
  });

  on(app, 'getChatDirectory', async (request) => {
    requireChat();
    const { directory, patientIds } = await readDirectory(
      store,
      liveState,
      sessionOf(request),
      request.query.patients ?? [],
      now(),
    );
    await auditView(request, { action: 'read_chat_teams', patientIds });
    return directory;
  });

  on(app, 'openChannel', async (request) => {
    const session = sessionOf(request);
    const id = await requireChat().open(session, request.body);
    await audit(store.db, now(), actorOf(request), {
      action: 'open_chat_channel',
      outcome: 'done',
      ...objectOf(request.body, session.user.siteId),
    });
    return { id };
  });
}

/** Returns what a channel is about, for the audit. */
function objectOf(wanted: OpenChannelBody, siteId: number): Pick<AuditEvent, 'objectType' | 'objectId'> {
  switch (wanted.kind) {
    case 'site':
      return { objectType: 'site', objectId: siteId };
    case 'unit':
      return { objectType: 'unit', objectId: wanted.unitId };
    case 'careTeam':
      return { objectType: 'patient', objectId: wanted.patientId };
    case 'direct':
      return { objectType: 'user', objectId: wanted.userId };
    default:
      return wanted satisfies never;
  }
}
