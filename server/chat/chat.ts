import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { channelId, placeOfChannel, type ChannelPlace } from '../../lib/chat/channels';
import type { PatientLabel } from '../../lib/chat/patientLabels';
import type { OpenChannelBody } from '../../lib/chat/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Env } from '../env';
import type { Store } from '../db/open';
import { createSerialQueue } from '../db/serialQueue';
import { notFound, HttpError } from '../http/httpError';
import type { Session } from '../session/session';
import type { LiveState } from '../liveState';
import { careTeamOf, chatPersonOf, mayBeIn, outsideName, ownPlaces, readMembers, readPatientLabel } from './queries';
import { openStreamDoor, type ChatPerson, type StreamDoor } from './streamDoor';

/**
 * How long a token is valid, in milliseconds. The page then asks for the next one, and its rights are checked again.
 */
export const tokenLastsMs = 3_600_000;
/** The most users who wait to be placed in their channels. Others are placed when they get their next token. */
const maxWaiting = 200;

/** The server's part of the chat: who may enter, and who belongs to which channel. Messages never pass through it. */
export interface Chat {
  /** Returns a token for a session's user, valid for an hour at most and not beyond the session. Makes no call. */
  tokenFor(session: Session): Promise<string>;
  /**
   * Adds the user to their channels and removes them from those that are no longer theirs. Runs in the background; a
   * failure is logged.
   */
  place(session: Session): void;
  /**
   * Opens a channel with its current members, creates it if needed, and returns its id. Rejects with 404 if the user
   * may not be in it, and with 503 `chat_unreachable`.
   */
  open(session: Session, wanted: OpenChannelBody): Promise<string>;
  /**
   * Renames the channels of a site's patients as its settings now allow. Runs in the background; a failure is logged.
   */
  rename(siteId: number): void;
  /** Revokes all tokens that a user has. Runs in the background and retries after a failure. */
  revoke(userId: number): void;
  /** Starts and retries no further work. */
  stop(): void;
}

export interface ChatParts {
  key: NonNullable<Env['stream']>;
  store: Store;
  liveState: LiveState;
  log: Logger;
  now: () => EpochMs;
  wait?: (ms: number) => Promise<void>;
}

export const chatOff = (): HttpError => new HttpError(404, 'chat_off', 'Chat is not set up on this installation.');

/** The pauses before the next attempts, in milliseconds. */
const pausesMs = [5_000, 30_000, 120_000, 600_000, 1_200_000];

/** Waits without keeping the process alive. */
const pause = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });

/**
 * Repeats work with growing pauses until it succeeds, and returns whether it did. Gives up after half an hour, or when
 * `isOver` returns true.
 */
export async function retried(
  work: () => Promise<void>,
  isOver: () => boolean,
  wait: (ms: number) => Promise<void> = pause,
): Promise<boolean> {
  for (const ms of [...pausesMs, null]) {
    try {
      await work();
      return true;
    } catch {
      if (ms === null || isOver()) {
        return false;
      }
      await wait(ms);
      if (isOver()) {
        return false;
      }
    }
  }
  return false;
}

/** Creates the chat. The service's client is loaded when it is first needed. */
export function createChat({ key, store, liveState, log, now, wait = pause }: ChatParts): Chat {
  let opening: Promise<StreamDoor> | null = null;
  const door = (): Promise<StreamDoor> => (opening ??= openStreamDoor(key));
  const queue = createSerialQueue();
  let waiting = 0;
  let isStopped = false;

  /** Runs work without waiting for it. An error of the service may name people, so only its code is logged. */
  function inBackground(what: string, work: () => Promise<void>): void {
    if (isStopped || waiting >= maxWaiting) {
      return;
    }
    waiting += 1;
    queue(async () => {
      if (!isStopped) {
        await work();
      }
    })
      .catch((error: unknown) => {
        log.warn(faultOf(error), what);
      })
      .finally(() => {
        waiting -= 1;
      });
  }

  /** Returns a channel's name as the service sees it. */
  function nameOf(place: ChannelPlace, session: Session, label: PatientLabel): string {
    switch (place.kind) {
      case 'site':
        return session.user.site.name;
      case 'unit':
        return liveState.units.get(place.unitId)?.name ?? '';
      case 'careTeam': {
        const patient = liveState.patients.get(place.patientId);
        return patient === undefined ? '' : outsideName(liveState, patient, label);
      }
      case 'direct':
        // The service shows the other user's name.
        return '';
      default:
        return place satisfies never;
    }
  }

  async function placeNow(session: Session): Promise<void> {
    const service = await door();
    const { user } = session;
    const label = await readPatientLabel(store, user.siteId);
    const found = new Map((await service.channelsOf(user.id)).map(({ id, name }) => [id, name]));
    for (const place of ownPlaces(liveState, user, now())) {
      const id = channelId(place);
      const name = nameOf(place, session, label);
      const known = found.get(id);
      if (known === undefined) {
        const me = chatPersonOf(user);
        await service.putChannel({ id, name, createdBy: me, members: [me] });
      } else if (known !== name) {
        await service.rename(id, name);
      }
    }
    for (const id of found.keys()) {
      const place = placeOfChannel(id);
      if (place !== null && !mayBeIn(liveState, session, place, now())) {
        await service.removeMember(id, user.id);
      }
    }
  }

  async function peopleOf(
    session: Session,
    wanted: OpenChannelBody,
  ): Promise<{ place: ChannelPlace; members: ChatPerson[] }> {
    const { user } = session;
    const me = chatPersonOf(user);
    switch (wanted.kind) {
      case 'site':
        return { place: { kind: 'site', siteId: user.siteId }, members: [me] };
      case 'unit':
        return { place: wanted, members: [me] };
      case 'careTeam': {
        const patient = liveState.patients.get(wanted.patientId);
        const team =
          patient === undefined
            ? []
            : careTeamOf(liveState, user.site, patient, await readMembers(store, user.siteId), now());
        return { place: wanted, members: [...team.filter(({ id }) => id !== user.id), me] };
      }
      case 'direct': {
        const other = (await readMembers(store, user.siteId)).get(wanted.userId);
        if (other === undefined || other.id === user.id) {
          throw notFound();
        }
        return { place: { kind: 'direct', userIds: [user.id, other.id] }, members: [other, me] };
      }
      default:
        return wanted satisfies never;
    }
  }

  return {
    tokenFor: async ({ user, expiresAt }) => {
      const at = now();
      return (await door()).createToken(user.id, seconds(at), seconds(Math.min(at + tokenLastsMs, expiresAt)));
    },
    place: (session) => {
      inBackground('a user could not be put into their chat channels; it is tried again with the next token', () =>
        placeNow(session),
      );
    },
    open: async (session, wanted) => {
      const { place, members } = await peopleOf(session, wanted);
      if (!mayBeIn(liveState, session, place, now())) {
        throw notFound();
      }
      const id = channelId(place);
      const name = nameOf(place, session, await readPatientLabel(store, session.user.siteId));
      try {
        await (await door()).putChannel({ id, name, createdBy: chatPersonOf(session.user), members });
      } catch (error) {
        log.warn(faultOf(error), 'a chat channel could not be opened');
        throw new HttpError(503, 'chat_unreachable', 'The chat service does not answer just now. Try again.', {
          retryAfter: 10,
        });
      }
      return id;
    },
    rename: (siteId) => {
      inBackground('chat channels could not be given their new names', async () => {
        const label = await readPatientLabel(store, siteId);
        const service = await door();
        const patients = new Map(
          [...liveState.patients.values()].filter((row) => row.site_id === siteId).map((row) => [row.id, row]),
        );
        for (const { id, name } of await service.channelsNamed(
          [...patients.keys()].map((patientId) => channelId({ kind: 'careTeam', patientId })),
        )) {
          const place = placeOfChannel(id);
          const patient = place?.kind === 'careTeam' ? patients.get(place.patientId) : undefined;
          if (patient !== undefined && name !== outsideName(liveState, patient, label)) {
            await service.rename(id, outsideName(liveState, patient, label));
          }
        }
      });
    },
    revoke: (userId) => {
      const at = now();
      // After an hour every token issued until then has expired, so there is no need to retry any longer.
      const isOver = (): boolean => isStopped || now() - at >= tokenLastsMs;
      let failure: object = {};
      void retried(
        async () => {
          try {
            await (await door()).revokeTokens(userId, at);
          } catch (error) {
            failure = faultOf(error);
            throw error;
          }
        },
        isOver,
        wait,
      ).then((isDone) => {
        if (!isDone && !isStopped) {
          log.warn(
            { userId, ...failure },
            'the chat service did not take back a user’s tokens; they end within the hour',
          );
        }
      });
    },
    stop: () => {
      isStopped = true;
    },
  };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

/** Returns what may be logged of a failure: its code and status, never its text. */
function faultOf(error: unknown): { code?: string | number; status?: number } {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return {
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof status === 'number' ? { status } : {}),
  };
}
