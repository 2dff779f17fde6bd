import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { z } from 'zod';
import { type SenderSettings, versionOne } from '../../lib/hl7/senderSettings';
import { readJson } from '../../lib/readJson';
import { toInstant } from '../../lib/time/schema';
import { kindOfCode, kinds } from '../../lib/vitals/kinds';
import { addBedMapping } from '../../test/addBedMapping';
import { addSender, answerFor } from '../../test/addSender';
import { anySettings } from '../../test/anySettings';
import { damages, latin1, leftUnsaid, severalOrders, twoPatients } from '../../test/damagedMessage';
import { apiEngines } from '../../test/database';
import { fuzzRuns, roundsOf } from '../../test/fuzzRuns';
import { framesIn, isTakenHeader, patientsIn, whoseOf, type KnownPatient } from '../../test/hl7Oracle';
import { connectMllp } from '../../test/mllpClient';
import { startTestServer, type TestServer } from '../../test/testServer';
import { isWithdrawn } from '../vitals/qualityCode';

// FUZZ_ROUNDS asks for more.
jest.setTimeout(3_600_000);

/** Those of the messages, and others whose number or bed is what is left of theirs without a byte. */
const people = [
  ['A-100', 'Abel', 'Anna', '1950-01-01', 'ICU^^B1'],
  ['B-200', 'Berg', 'Bo', '1960-02-02', 'ICU^^B2'],
  ['C-300', 'Cole', 'Cy', '1970-03-03', 'ICU^^B3'],
  ['A-10', 'Abe', 'Anna', '1951-01-01', 'ICU^^B'],
  ['B-20', 'Ber', 'Bo', '1961-02-02', 'ICU^^1'],
  ['B200', 'Erg', 'Bo', '1962-02-02', 'ICU^B2'],
  ['-200', 'Bery', 'Bo', '1963-02-02', 'IC^^B2'],
] as const;

/** So many gateways send at once, by one set of answers, each on a connection of its own: an address has ten. */
const connections = 8;
/**
 * How far apart messages are, in milliseconds: no two times of different messages are the same, whichever of its times
 * a value gets by damage. So a value says from which message it is.
 */
const apartMs = 13_000;
/** After so many messages is looked at what was stored. */
const batch = 480;

/** An older time is refused, and one of the future may be, in milliseconds. */
const furthestMs = 86_400_000;

/** Returns patient, kind and time of a value "7 spo2 97 good 2026-05-01T10:00:00.000Z". */
const placeOf = (value: string): string => value.replace(/^(\S+ \S+) .* (\S+)$/, '$1 $2');
const timeOf = (value: string): number => Date.parse(value.slice(value.lastIndexOf(' ') + 1));
const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/**
 * A value for which there were sources enough, as quarantine keeps it: enough of its sender (the sample as it was
 * read), or enough of its patient (as the message had it, with the digits of a time in UTC, an hour or 5:45 ahead).
 */
const refusedSample = z.union([
  z.object({ patientId: z.number(), kind: z.string(), takenAt: z.string() }),
  z.object({ mrn: z.string(), kind: z.string(), takenAt: z.string() }),
]);

describe.each(apiEngines)('damaged HL7 messages on %s', (engine) => {
  let test: TestServer;
  let port: number;
  let ward: KnownPatient[];
  let senderId: number;

  // A server of its own: no other test may write a fault into its log.
  beforeAll(async () => {
    test = await startTestServer(engine, { HL7_PORT: '0' });
    await test.app.ready();
    port = (await test.server.hl7.listen())?.port ?? 0;
    const site = await test.addSite('Fuzzed ward', 'UTC');
    await test.server.alerts.siteChanged(site);
    const unitId = await test.addUnit(site, 'ICU');
    ({ id: senderId } = await addSender(test, site, { application: 'GATE', facility: 'WARD' }));
    ward = [];
    for (const [mrn, familyName, givenName, birthDate, bed] of people) {
      const location = { unit: 'ICU', bed };
      const id = await test.addPatient(site, { mrn, familyName, givenName, dateOfBirth: birthDate, location });
      await addBedMapping(test, site, { senderId, senderBed: bed, unitId, bed });
      ward.push({ id, mrn, familyName, givenName, birthDate, bed });
    }
    // They have been in their beds all the time that the messages speak of.
    test.advance(furthestMs + 3_600_000);
  });
  beforeEach(() => answerFor(test, senderId));
  afterAll(() => test.stop());

  /** Sends bytes on a connection of its own and resolves with the code of the first answer, if it got one. */
  const codeOf = async (bytes: Uint8Array): Promise<string | null> => {
    const gateway = await connectMllp(port);
    gateway.write(bytes);
    gateway.socket.end();
    await gateway.closed;
    return gateway.waiting() === 0 ? null : (await gateway.next()).code;
  };
  const framed = (bytes: Uint8Array): Uint8Array => Uint8Array.of(0x0b, ...bytes, 0x1c, 0x0d);

  /** Resolves with what has been stored since, from whichever source: patient, kind, value, quality, time. */
  const storedSince = async (since: number): Promise<string[]> => {
    const rows = await test.store.db.selectFrom('samples').selectAll().where('received_at', '>=', since).execute();
    const texts = rows.map((row) => {
      const quality = ['good', 'questionable', 'invalid'][row.quality % 4] ?? '';
      const what = isWithdrawn(row.quality) ? 'withdrawn' : `${row.value} ${quality}`;
      return [row.patient_id, kindOfCode(row.kind), what, toInstant(row.taken_at)].join(' ');
    });
    return [...new Set(texts)].sort();
  };
  /** Resolves with patient, kind and time of what was refused since, because there were sources enough. */
  const leftOutSince = async (since: number): Promise<string[]> => {
    const rows = await test.store.db
      .selectFrom('quarantine')
      .select('sample')
      .where('code', '=', 'too_many_sources')
      .where('received_at', '>=', since)
      .execute();
    return rows.flatMap(({ sample }) => {
      const refused = readJson(refusedSample, sample);
      if (refused === null || 'patientId' in refused) {
        return refused === null ? [] : [refused.patientId, refused.kind, refused.takenAt].join(' ');
      }
      const { id } = ward.find(({ mrn }) => mrn === refused.mrn) ?? { id: 0 };
      const digits = /^\d{8,14}/.exec(refused.takenAt)?.[0].padEnd(14, '0') ?? '';
      const time = Date.parse(digits.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6.000Z'));
      return [time, time - 3_600_000, time - 20_700_000].map((at) => [id, refused.kind, toInstant(at)].join(' '));
    });
  };
  /** Returns what the oracle finds in a stream for our patients, in the same form. */
  const foundIn = (stream: Uint8Array, settings: SenderSettings = versionOne): string[] => {
    const texts = framesIn(stream)
      .filter((bytes) => isTakenHeader(bytes, ['GATE', 'WARD']))
      .flatMap((bytes) => {
        const ofMessage = (patientsIn(bytes, settings) ?? []).flatMap((found) => {
          const patient = whoseOf(found, ward, settings);
          return patient === null ? [] : found.values.map((value) => `${patient.id} ${asStored(value)}`);
        });
        return ofMessage.map((value) => withoutNoRate(value, ofMessage));
      });
    return [...new Set(texts)].sort();
  };
  const faults = () => test.logLines.filter(({ msg }) => /^an HL7 (message|connection) /.test(String(msg)));

  /** A message as it would be sent now: its times are those of 10:00:01, and earlier. */
  const sentNow = (text: string, id: string, agoMs = 0): string => {
    const zoneMs = text.includes('+0100|') ? 3_600_000 : 0;
    const movedMs = test.now() - agoMs + zoneMs - Date.UTC(2026, 4, 1, 10, 0, 2);
    return text
      .replaceAll(/20260501(\d\d)(\d\d)(\d\d)/g, (_, hour, minute, second) =>
        new Date(Date.UTC(2026, 4, 1, Number(hour), Number(minute), Number(second)) + movedMs)
          .toISOString()
          .replaceAll(/[-:T]|\..*/g, ''),
      )
      .replace(/\|C-\d\|/, `|${id}|`);
  };

  it('with up to four damages, by any answers, bring only what an oracle finds in them, and are no fault', async () => {
    // Both engines read alike: the store is what differs, and takes longer.
    // lib/hl7 tries ten times as many without sockets.
    const all = roundsOf(50_000, 0.01);
    const count = engine === 'sqlite' ? all : Math.ceil(all / 5);
    const seed = fuzzRuns.seed ?? randomInt(1_000_000);
    const list = fc.sample(damages, { numRuns: count, seed });
    const answers = fc.sample(anySettings, { numRuns: Math.ceil(count / connections), seed });
    const wrong: unknown[] = [];
    let values = 0;
    for (let from = 0; from < count; from += batch) {
      test.advance(10);
      const since = test.now();
      const found = new Map<string, { bytes: Uint8Array; settings: SenderSettings; isExpected: boolean }>();
      const send = async (
        damage: (typeof list)[number],
        index: number,
        { agoMs, settings }: { agoMs: number; settings: SenderSettings },
      ): Promise<void> => {
        const text = [twoPatients, severalOrders, leftUnsaid][index % 3] ?? '';
        const bytes = framed(damage(sentNow(text, `R-${index}`, agoMs)));
        const code = await codeOf(bytes);
        // A damaged MSH-15 asks for the answers of the enhanced mode.
        if (![null, 'AA', 'AE', 'AR', 'CA', 'CE', 'CR'].includes(code)) {
          wrong.push({ index, code, bytes: textOf(bytes), settings });
        }
        const isAccepted = code === null || ['AA', 'AE', 'CA'].includes(code);
        for (const value of foundIn(bytes, settings)) {
          const ageMs = test.now() - timeOf(value);
          found.set(value, { bytes, settings, isExpected: isAccepted && ageMs >= agoMs && ageMs <= furthestMs });
        }
      };
      for (let first = from; first < Math.min(from + batch, count); first += connections) {
        // Not while a message is under way: it would seem to wait.
        test.advance(connections * apartMs);
        const together = list.slice(first, Math.min(first + connections, count));
        const settings = answers[first / connections] ?? versionOne;
        await answerFor(test, senderId, settings);
        const sent = together.map((damage, place) => send(damage, first + place, { agoMs: place * apartMs, settings }));
        await Promise.all(sent);
      }
      const stored = new Set(await storedSince(since));
      // One whose monitor shows the same time again is a millisecond later (`isLater`).
      wrong.push(...[...stored].filter((one) => !found.has(one) && !found.has(one.replace(/\.001Z$/, '.000Z'))));
      // Of two values with one patient, kind and time the later one is stored; a withdrawal may be of none.
      // Damage makes sources without end, and after some ten thousand messages no more are made.
      const kept = new Set([...[...stored].map(placeOf), ...(await leftOutSince(since))]);
      for (const [value, { bytes, settings, isExpected }] of found) {
        if (isExpected && !kept.has(placeOf(value)) && !value.includes(' withdrawn ')) {
          wrong.push({ missing: value, bytes: textOf(bytes), settings });
        }
      }
      values += stored.size;
      await answerFor(test, senderId);
      await expect(codeOf(framed(latin1(sentNow(twoPatients, `I-${from}`))))).resolves.toBe('AA');
    }
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
    // Half of the answers call no number of these messages an MRN, or ask for more than they say.
    expect(values).toBeGreaterThan(count / 2);
    expect(faults()).toEqual([]);
  });

  const whole = severalOrders.split('PID|||B-200')[0] ?? '';
  const unnamed = whole.replace('||Abel^Anna||19500101|F', '');
  it.each([
    ['number', 'A-100', whole],
    ['number, without name and birth date', 'A-100', unnamed],
    ['family name', 'Abel', whole],
    ['birth date', '19500101', whole],
    ['bed, if that bed is of someone else', 'B1', whole],
    ['bed, if that bed is of someone else, without name and birth date', 'B1', unnamed],
  ])('reach no one at each byte lost in the %s, and the whole message is taken', async (_name, part, text) => {
    for (const [index] of [...part].entries()) {
      test.advance(10_000);
      const since = test.now();
      const intended = sentNow(text, `P-${index}`);
      const place = intended.indexOf(part) + index;
      await codeOf(framed(latin1(`${intended.slice(0, place)}${intended.slice(place + 1)}`)));
      await expect(storedSince(since)).resolves.toEqual([]);
      await expect(codeOf(framed(latin1(intended)))).resolves.toBe('AA');
      const stored = await storedSince(since);
      expect(stored).toHaveLength(6);
      expect(stored).toEqual(foundIn(framed(latin1(intended))));
    }
  });

  it('with a byte lost bring what an oracle finds, and the whole message puts right what it can', async () => {
    const [short, long] = [latin1(twoPatients).length + 3, latin1(severalOrders).length + 3];
    const places = short + long;
    // Both engines read alike: the store is what differs, and takes longer.
    const all = roundsOf(2_000, 0.02);
    const count = engine === 'sqlite' ? all : Math.ceil(all / 5);
    const seed = fuzzRuns.seed ?? randomInt(places);
    const step = Math.max(1, Math.floor(places / count));
    const wrong: unknown[] = [];
    let storedOfDamaged = 0;
    for (let round = 0; round < count; round += 1) {
      const place = (seed + round * step) % places;
      test.advance(10_000);
      const since = test.now();
      const [text, lost] = place < short ? [twoPatients, place] : [severalOrders, place - short];
      const intact = framed(latin1(sentNow(text, `D-${round}`)));
      const bytes = Uint8Array.from([...intact.subarray(0, lost), ...intact.subarray(lost + 1)]);
      await codeOf(bytes);
      const [stored, found] = [await storedSince(since), foundIn(bytes)];
      storedOfDamaged += stored.length;
      const code = await codeOf(intact);
      const [repaired, intended] = [await storedSince(since), foundIn(intact)];
      if (JSON.stringify([stored, code, repaired]) !== JSON.stringify([found, 'AA', intended])) {
        wrong.push({ place, bytes: textOf(bytes), stored, found, code, repaired, intended });
      }
    }
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
    expect(storedOfDamaged).toBeGreaterThan(count);
    expect(faults()).toEqual([]);
  });
});

/** Returns a value of the oracle as the store has it: where there is no signal it has some value that is invalid. */
function asStored(value: string): string {
  const [kind] = Object.entries(kinds).find(([name]) => value.startsWith(`${name} `)) ?? [''];
  const least = Object.entries(kinds).find(([name]) => name === kind)?.[1].plausible.min ?? 0;
  return value.replace('no signal', `${least} invalid`);
}

/** A rate of 255 is none where the message has no SpO2 of the same patient and time. */
function withoutNoRate(value: string, ofMessage: readonly string[]): string {
  const isMeasured = ofMessage.some(
    (other) =>
      / spo2 \S+ (?:good|questionable) /.test(other) &&
      placeOf(other).replace('spo2', '') === placeOf(value).replace(/heartRate|pulseRate/, ''),
  );
  return isMeasured ? value : value.replace(/(?<=Rate 255 )(?:good|questionable)/, 'invalid');
}
