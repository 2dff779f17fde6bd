import type { ChannelFilters, StreamChat } from 'stream-chat';
import { channelType } from '../../lib/chat/channels';
import { chatUserId } from '../../lib/chat/chatUserId';

declare module 'stream-chat' {
  interface CustomUserData {
    email?: string;
    siteId?: number;
  }
  interface CustomChannelData {
    name?: string;
  }
}

/** A user as the chat service knows them (product spec, section 3). */
export interface ChatPerson {
  id: number;
  name: string;
  email: string;
  siteId: number;
  image: string | null;
}

export interface NamedChannel {
  id: string;
  name: string;
}

/** The only calls to the chat service. All but `createToken` go over the network and may fail. */
export interface StreamDoor {
  /** Creates a token without a call. Both instants are epoch seconds. */
  createToken(userId: number, issuedAt: number, expiresAt: number): string;
  /** Makes the service reject every token of this user that was issued before `at` (epoch milliseconds). */
  revokeTokens(userId: number, at: number): Promise<void>;
  /** Returns the channels to which a user belongs. */
  channelsOf(userId: number): Promise<NamedChannel[]>;
  /** Returns those of these channels that exist. */
  channelsNamed(ids: readonly string[]): Promise<NamedChannel[]>;
  /** Creates a channel if it does not exist, names it and adds people to it. */
  putChannel(channel: {
    id: string;
    name: string;
    createdBy: ChatPerson;
    members: readonly ChatPerson[];
  }): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  removeMember(id: string, userId: number): Promise<void>;
}

/** The time limit of one call to the service, in milliseconds. */
const limitMs = 5_000;
const pageSize = 30;
/** Channels hold text only: files and link previews would send more patient data outside than text does. */
const settings = { uploads: false, url_enrichment: false };

/** Loads the service's own client and connects it. The client takes 30 MB, so it is loaded only if a key is set. */
export async function openStreamDoor({ key, secret }: { key: string; secret: string }): Promise<StreamDoor> {
  const stream = await import('stream-chat');
  return doorOf(new stream.StreamChat(key, secret, { timeout: limitMs, disableCache: true }));
}

function doorOf(client: StreamChat): StreamDoor {
  const channel = (id: string) => client.channel(channelType, id);

  /** Adds these people to the service, except those whom it already knows. */
  async function introduce(people: readonly ChatPerson[]): Promise<void> {
    const { users } = await client.queryUsers({ id: { $in: people.map(({ id }) => chatUserId(id)) } }, [], {
      limit: people.length,
    });
    const known = new Set(users.map(({ id }) => id));
    const strangers = people.filter(({ id }) => !known.has(chatUserId(id)));
    if (strangers.length > 0) {
      await client.upsertUsers(
        strangers.map(({ id, name, email, siteId, image }) => ({
          id: chatUserId(id),
          name,
          email,
          siteId,
          image: image ?? undefined,
        })),
      );
    }
  }

  async function find(filter: ChannelFilters): Promise<NamedChannel[]> {
    const found: NamedChannel[] = [];
    for (;;) {
      const page = await client.queryChannels(
        { type: channelType, ...filter },
        { created_at: 1 },
        { limit: pageSize, offset: found.length, state: false, watch: false, presence: false },
      );
      found.push(...page.map(({ id, data }) => ({ id: id ?? '', name: data?.name ?? '' })));
      if (page.length < pageSize) {
        return found;
      }
    }
  }

  return {
    createToken: (userId, issuedAt, expiresAt) => client.createToken(chatUserId(userId), expiresAt, issuedAt),
    revokeTokens: async (userId, at) => {
      await client.revokeUserToken(chatUserId(userId), new Date(at));
    },
    channelsOf: (userId) => find({ members: { $in: [chatUserId(userId)] } }),
    channelsNamed: async (ids) => {
      const found: NamedChannel[] = [];
      for (let from = 0; from < ids.length; from += pageSize) {
        found.push(...(await find({ id: { $in: ids.slice(from, from + pageSize) } })));
      }
      return found;
    },
    putChannel: async ({ id, name, createdBy, members }) => {
      const people = new Map([createdBy, ...members].map((person) => [person.id, person]));
      await introduce([...people.values()]);
      const made = client.channel(channelType, id, { name, created_by_id: chatUserId(createdBy.id) });
      await made.create();
      await made.updatePartial({ set: { name, config_overrides: settings } });
      await made.addMembers(members.map((member) => chatUserId(member.id)));
    },
    rename: async (id, name) => {
      await channel(id).updatePartial({ set: { name } });
    },
    removeMember: async (id, userId) => {
      await channel(id).removeMembers([chatUserId(userId)]);
    },
  };
}
