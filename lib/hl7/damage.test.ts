import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { bothDamaged, latin1, severalOrders, twoPatients } from '../../test/damagedMessage';
import { briefly, fuzzRuns, placesOf, roundsOf } from '../../test/fuzzRuns';
import { framesIn, patientsIn, type FoundPatient } from '../../test/hl7Oracle';
import { createDeframer, maxMessageBytes } from './Deframer';
import { parseMessage } from './parseMessage';
import { isAlarmCode } from './readAlarms';
import { readOru, type Observation } from './readOru';
import { readValue } from './readValue';

/** Times without a zone are UTC, as the oracle reads them. */
const site = { timeZone: 'UTC', receivedAt: Date.UTC(2026, 4, 1, 10) };

const deframer = createDeframer({ maxBytes: maxMessageBytes });
const framesOf = (stream: Uint8Array): Uint8Array[] =>
  [...deframer.push(stream), ...deframer.end()].flatMap((one) => (one.kind === 'message' ? [one.bytes] : []));

/** Returns what we take of an observation in the words of the oracle. */
function foundIn(observation: Observation): string[] {
  const { at } = observation.takenAt;
  const read = readValue(observation);
  if (isAlarmCode(observation.code) || at === null || !('kind' in read) || read.outcome === 'refused') {
    return [];
  }
  const what = {
    value: () => (read.outcome === 'value' ? `${read.value} ${read.quality}` : ''),
    noSignal: () => 'no signal',
    withdraw: () => 'withdrawn',
  }[read.outcome]();
  return [`${read.kind} ${what} ${new Date(at).toISOString()}`];
}

/** Returns what we read of a message in the form of the oracle. */
function readIn(bytes: Uint8Array): FoundPatient[] | null {
  const parsed = parseMessage(bytes);
  return !parsed.ok
    ? null
    : readOru(parsed.message, site)
        .filter(({ patient, observations }) => patient.isReadable && observations.length > 0)
        .map(({ patient, bed, isTraining, observations }) => ({
          mrns: patient.identifiers.flatMap(({ id, type }) => (type === 'MR' ? [id] : [])),
          hasNumber: patient.hasIdentifier,
          familyName: patient.familyName ?? '',
          birthDate: patient.birthDate ?? '',
          bed: bed ?? '',
          isTraining,
          values: observations.flatMap(foundIn),
        }));
}

const without = (bytes: Uint8Array, place: number): Buffer =>
  Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1)]);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const framed = (bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.of(0x0b), bytes, Buffer.of(0x1c, 0x0d)]);

/** Returns each message that we read otherwise than the oracle, or that only one of both finds, but for known ones. */
function differencesIn(stream: Uint8Array, known: ReadonlySet<string> = new Set()): unknown[] {
  const [ours, theirs] = [framesOf(stream).map(textOf), framesIn(stream).map(textOf)];
  return ours.length !== theirs.length || ours.some((text, index) => text !== theirs[index])
    ? [{ ours, theirs }]
    : ours.flatMap((text) => {
        const [read, found] = known.has(text) ? [] : [readIn(latin1(text)), patientsIn(latin1(text))];
        return JSON.stringify(read) === JSON.stringify(found) ? [] : [{ text, read, found }];
      });
}

describe('a message that lost a byte', () => {
  it.each([
    ['two patients', twoPatients],
    ['several orders', severalOrders],
  ])('is read as an independent reader reads it: %s', (_name, text) => {
    const frame = framed(latin1(text));
    expect(patientsIn(latin1(text))?.flatMap(({ values }) => values)).not.toEqual([]);
    expect([...frame.keys()].flatMap((place) => differencesIn(without(frame, place)))).toEqual([]);
  });
});

const folder = process.env.RECORDINGS_DIR ?? resolve(process.cwd(), '../shared/data');
const path = join(folder, 'hl7-philips-iic', 'open-beds.mllp');
// lib/hl7/capture.test.ts says why if it is not there.
const describeIfThere = existsSync(path) ? describe : describe.skip;

describeIfThere('a capture of a real gateway that lost a byte', () => {
  it('is read as an independent reader reads it, the messages before and after included', () => {
    const capture = readFileSync(path);
    const intact = new Set(framesIn(capture).map(textOf));
    expect([intact.size, differencesIn(capture)]).toEqual([203, []]);
    const starts = [...capture.keys()].filter((place) => capture[place] === 0x0b);
    const places = placesOf(capture.length, randomInt(capture.length));
    const wrong = places.flatMap((place) => {
      const own = starts.findLastIndex((start) => start <= place);
      const from = starts[Math.max(0, own - 1)] ?? 0;
      const neighbours = capture.subarray(from, starts[own + 2]);
      const differences = differencesIn(without(neighbours, place - from), intact);
      return differences.length === 0 ? [] : [{ place, differences }];
    });
    expect(wrong).toEqual([]);
    expect(places.length).toBeGreaterThan(roundsOf(capture.length) / 2);
  });
});

describe('a message with one to four damages', () => {
  it('is no fault, and brings no patient, bed or value that an independent reader does not find', () => {
    fc.assert(
      fc.property(bothDamaged, (messages) => {
        const wrong = messages.flatMap((bytes) => differencesIn(framed(bytes)));
        // To expect costs more than to read a message.
        if (wrong.length > 0) {
          throw new Error(JSON.stringify(wrong, null, 2));
        }
      }),
      { ...fuzzRuns, ...briefly, numRuns: roundsOf(1_000_000) / 2 },
    );
  });
});
