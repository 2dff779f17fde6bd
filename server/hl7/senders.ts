import type { Header } from '../../lib/hl7/header';
import type { Code } from '../../lib/hl7/codes';
import type { Observation, OruPatient } from '../../lib/hl7/readOru';
import { nothingSeen, type SeenStructure } from '../../lib/hl7/seenStructure';
import { newBedMapping, sentCode, sentValue, type SentValue } from '../../lib/mappings/schema';
import { toPlainLine } from '../../lib/plainText';
import { longestAuthority } from '../../lib/site/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Store } from '../db/open';
import type { SenderRow } from '../db/rows';
import { codeKey } from '../mappings/mappings';
import { newPace, type Pace } from './pace';
import { addressRange, baseOf, plainAddress, type AddressRange } from '../http/addressRange';

/** Who is at the other end of a connection, as far as the connection says. */
export interface Peer {
  address: string;
  /** The name in its certificate (`certificateName`); null: it has none. */
  certificate: string | null;
}

/** By what a sender is recognised. Empty texts are values: senders that leave MSH-3 and MSH-4 out say the same. */
export interface From extends Peer {
  application: string;
  facility: string;
}

/** A code of a sender that means nothing here. */
export interface UnmappedCode {
  code: Code;
  /** How often it came. */
  count: number;
  /** Its last numbers, the newest first, without whose and when. */
  last: readonly SentValue[];
}

/** What a sender did since this start. */
export interface SenderState {
  lastMessageAt: EpochMs | null;
  pace: Pace;
  /** When each of its sources, by id, last sent a value: by the clock that is never set, in milliseconds. */
  heard: Map<number, number>;
  /** Messages by the answer that they got. */
  answers: { AA: number; AE: number; AR: number };
  /** Messages that came again, and got the stored answer. */
  repeated: number;
  /** Frames that broke off, and messages that were too long. */
  broken: number;
  /** What came under codes that mean nothing here, by `codeKey`. */
  unmapped: Map<string, UnmappedCode>;
  /** By what names MR numbers came, by the names together; those that came last are at the end. */
  authorities: Map<string, SeenAuthority>;
  /** Beds (PV1-3) that are not mapped, and how many messages named no patient but them. */
  unknownBeds: Map<string, number>;
  /** What its first messages look like, those included that came before it was accepted. */
  seen: SeenStructure;
}

/** An authority of MR numbers: the names that a message has for it, and how many had these. */
export interface SeenAuthority {
  names: string[];
  messages: number;
}

/** A sender whose messages are refused because no administrator has accepted it. Nothing of its messages is kept. */
export interface UnknownSender extends From {
  id: number;
  messages: number;
  firstAt: EpochMs;
  lastAt: EpochMs;
  /** What its messages look like. */
  seen: SeenStructure;
}

const mostUnknown = 100;
/** One machine must not push all others out of the list. */
const mostUnknownOfAddress = 10;
const mostUnmapped = 200;
/** Of each sender, those that came last: damaged texts would be without end. */
const mostAuthorities = 50;
/** So many numbers of an unmapped code are kept, for those who say what it means. */
const lastKept = 20;
/** MSH-3 and MSH-4 have 227 characters at most (HD). */
const longestText = 227;

/** Returns by what the sender of a message is recognised. */
export function fromOf({ address, certificate }: Peer, header: Header): From {
  return {
    address: plainAddress(address),
    certificate,
    application: header.sendingApplication,
    facility: header.sendingFacility,
  };
}

export interface Senders {
  /**
   * Returns the sender in use from whom a message is: the one with its certificate, else of several ranges that hold
   * its address the smallest. One with the certificate of a revoked sender is none of them, whatever its address.
   */
  find(from: From): SenderRow | null;
  /**
   * Returns whether a sender in use has the same MSH-3 and MSH-4 and shares addresses with this range, and is of
   * another site or has a range of the same size. In one site a range may be inside a larger one.
   */
  clashes(siteId: number, range: Omit<From, 'certificate'>): boolean;
  /**
   * Returns whether a sender in use has the certificate, or one of another site has this address: it would lose the
   * messages that its machine sends with the certificate.
   */
  certificateClashes(siteId: number, certificate: string, address: string): boolean;
  /** Returns whether the last sender with a certificate is revoked. */
  isRevoked(certificate: string): boolean;
  /** Returns the senders in use of a site, by their names. */
  ofSite(siteId: number): SenderRow[];
  /** Returns whether any sender in use may be at the other end of a connection that has said nothing yet. */
  isExpected(peer: Peer): boolean;
  /** Adds a sender, or changes one; a revoked one is not in use any more. */
  put(row: SenderRow): void;
  /** Returns what a sender did since this start. The caller changes it. */
  stateOf(id: number): SenderState;
  /** Counts what came under codes that mean nothing here. Codes that could not be mapped are not counted. */
  noteUnmapped(id: number, observations: readonly Observation[]): void;
  /** Counts beds that are not mapped. Texts that could not be mapped are not counted. */
  noteUnknownBeds(id: number, beds: readonly string[]): void;
  /**
   * Counts the authorities of the MR numbers in a message, as far as its patients can be read. One that no list could
   * name is not counted.
   */
  noteAuthorities(id: number, patients: readonly OruPatient[]): void;
  /** Returns the authorities that the senders in use of a site named, those with most messages first. */
  authoritiesOf(siteId: number): SeenAuthority[];
  /**
   * Lists a message's sender as unknown, and returns it. Null: texts that no sender could be accepted with are not
   * listed.
   */
  noteUnknown(from: From, now: EpochMs): UnknownSender | null;
  /** Returns the senders that no site has accepted, the newest first. */
  unknown(): UnknownSender[];
}

/** Loads the senders in use, and the certificates of those that were revoked. */
export async function loadSenders({ db }: Store): Promise<Senders> {
  /** `range` is null if the sender is known by its certificate. */
  const inUse = new Map<number, { row: SenderRow; range: AddressRange | null }>();
  /** Of senders that are revoked. Another one in use may have the same. */
  const revoked = new Set<string>();
  const states = new Map<number, SenderState>();
  /** Those that sent last are at the end. */
  const unknown = new Map<string, UnknownSender>();
  let lastUnknownId = 0;

  const put = (row: SenderRow): void => {
    if (row.revoked_at === null) {
      inUse.set(row.id, { row, range: row.certificate === null ? addressRange(row.address) : null });
      return;
    }
    inUse.delete(row.id);
    if (row.certificate !== null) {
      revoked.add(row.certificate);
    }
  };
  const byCertificate = (certificate: string | null): SenderRow | null =>
    certificate === null ? null : ([...inUse.values()].find(({ row }) => row.certificate === certificate)?.row ?? null);
  const isRevoked = (certificate: string): boolean => revoked.has(certificate) && byCertificate(certificate) === null;
  const byAddress = ({ address, application, facility }: From): SenderRow | null =>
    [...inUse.values()]
      .filter(({ row, range }) => row.application === application && row.facility === facility && holds(range, address))
      .sort((a, b) => (b.range?.bits ?? 0) - (a.range?.bits ?? 0))[0]?.row ?? null;
  const find = (from: From): SenderRow | null =>
    from.certificate !== null && isRevoked(from.certificate)
      ? null
      : (byCertificate(from.certificate) ?? byAddress(from));
  const stateOf = (id: number): SenderState => {
    const known = states.get(id);
    if (known !== undefined) {
      return known;
    }
    const made: SenderState = {
      lastMessageAt: null,
      pace: newPace(),
      heard: new Map(),
      answers: { AA: 0, AE: 0, AR: 0 },
      repeated: 0,
      broken: 0,
      unmapped: new Map(),
      authorities: new Map(),
      unknownBeds: new Map(),
      seen: nothingSeen(),
    };
    states.set(id, made);
    return made;
  };
  const rows = await db
    .selectFrom('hl7_senders')
    .selectAll()
    .where((is) => is.or([is('revoked_at', 'is', null), is('certificate', 'is not', null)]))
    .execute();
  for (const row of rows) {
    put(row);
  }
  const ofSite = (siteId: number): SenderRow[] =>
    [...inUse.values()]
      .map(({ row }) => row)
      .filter(({ site_id }) => site_id === siteId)
      .sort((a, b) => a.name.localeCompare(b.name));
  return {
    find,
    clashes: (siteId, { address, application, facility }) => {
      const own = addressRange(address);
      return [...inUse.values()].some(
        ({ row, range }) =>
          range !== null &&
          row.application === application &&
          row.facility === facility &&
          // Of two networks that share an address one holds the other's first address.
          (range.has(baseOf(address)) || own.has(baseOf(row.address))) &&
          (row.site_id !== siteId || range.bits === own.bits),
      );
    },
    certificateClashes: (siteId, certificate, address) =>
      byCertificate(certificate) !== null ||
      [...inUse.values()].some(({ row, range }) => row.site_id !== siteId && holds(range, address)),
    isRevoked,
    ofSite,
    isExpected: ({ address, certificate }) =>
      certificate !== null && isRevoked(certificate)
        ? false
        : byCertificate(certificate) !== null || [...inUse.values()].some(({ range }) => holds(range, address)),
    put,
    stateOf,
    noteUnmapped: (id, observations) => {
      const { unmapped } = stateOf(id);
      for (const { code, value, unit } of observations) {
        const key = codeKey(code);
        const known = unmapped.get(key);
        const listed = sentCode.safeParse(code);
        if (!listed.success || (known === undefined && unmapped.size >= mostUnmapped)) {
          continue;
        }
        const sent = sentValue.safeParse({ value, unit });
        const { count: before, last } = known ?? { count: 0, last: [] };
        const next = sent.success ? [sent.data, ...last].slice(0, lastKept) : last;
        unmapped.set(key, { code: listed.data, count: before + 1, last: next });
      }
    },
    noteUnknownBeds: (id, beds) => {
      const { senderBed } = newBedMapping.shape;
      count(
        stateOf(id).unknownBeds,
        beds.filter((bed) => senderBed.safeParse(bed).data === bed),
      );
    },
    noteAuthorities: (id, patients) => {
      const numbers = patients.flatMap(({ identifiers, isReadable }) => (isReadable ? identifiers : []));
      const { authorities } = stateOf(id);
      const named = numbers
        .filter(({ type }) => type === 'MR')
        .map((number) => number.authorities.map((name) => name.normalize('NFC')))
        .filter((names) => names.length > 0 && names.every(isNameable));
      for (const [key, names] of new Map(named.map((each) => [each.join('\n'), each]))) {
        const messages = (authorities.get(key)?.messages ?? 0) + 1;
        authorities.delete(key);
        authorities.set(key, { names, messages });
        const [oldest] = authorities.keys();
        if (authorities.size > mostAuthorities && oldest !== undefined) {
          authorities.delete(oldest);
        }
      }
    },
    authoritiesOf: (siteId) => {
      const found = new Map<string, SeenAuthority>();
      for (const [key, { names, messages }] of ofSite(siteId).flatMap(({ id }) => [...stateOf(id).authorities])) {
        found.set(key, { names, messages: messages + (found.get(key)?.messages ?? 0) });
      }
      return [...found.values()].sort((a, b) => b.messages - a.messages);
    },
    noteUnknown: ({ address, application, facility, certificate }, now) => {
      if ([application, facility].some((text) => text.length > longestText || toPlainLine(text) !== text)) {
        return null;
      }
      const key = JSON.stringify([address, application, facility, certificate]);
      const known = unknown.get(key);
      if (known === undefined) {
        const ofAddress = (of: string) => [...unknown].filter(([, one]) => one.address === of);
        // The newest of each address stays as long as another address has several.
        const [most] = [...unknown.values()].map((one) => ofAddress(one.address)).sort((a, b) => b.length - a.length);
        const own = ofAddress(address);
        const [oldest] = own.length >= mostUnknownOfAddress ? own : unknown.size >= mostUnknown ? (most ?? []) : [];
        if (oldest !== undefined) {
          unknown.delete(oldest[0]);
        }
      }
      unknown.delete(key);
      const listed: UnknownSender = {
        id: known?.id ?? (lastUnknownId += 1),
        address,
        certificate,
        application,
        facility,
        messages: (known?.messages ?? 0) + 1,
        firstAt: known?.firstAt ?? now,
        lastAt: now,
        seen: known?.seen ?? nothingSeen(),
      };
      unknown.set(key, listed);
      return listed;
    },
    // A network that was accepted for one of them may hold others.
    unknown: () => [...unknown.values()].filter((one) => find(one) === null).reverse(),
  };
}

const isNameable = (name: string): boolean => name.length <= longestAuthority && toPlainLine(name) === name;

const holds = (range: AddressRange | null, address: string): boolean => range !== null && range.has(address);

function count(counts: Map<string, number>, names: readonly string[]): void {
  for (const name of names) {
    if (counts.has(name) || counts.size < mostUnmapped) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
}
