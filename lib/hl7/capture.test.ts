import { readFileSync } from 'node:fs';
import { capturedKinds, capturePath, countBy, describeCapture, plainLines } from '../../test/capture';
import type { HeardAlarm } from '../deviceAlarms/heardAlarm';
import { createDeframer } from './Deframer';
import { inopOf } from './inops';
import { parseMessage } from './parseMessage';
import { readAlarms } from './readAlarms';
import { readOru, type OruResult } from './readOru';
import { readValue } from './readValue';

describeCapture()('the capture of a Philips information centre', () => {
  let lines: string[][];
  let results: (OruResult & { alarms: HeardAlarm[] })[];
  beforeAll(() => {
    const bytes = readFileSync(capturePath);
    lines = plainLines(bytes);
    results = createDeframer({ maxBytes: 1_048_576 })
      .push(bytes)
      .flatMap((frame) => {
        const parsed = frame.kind === 'message' ? parseMessage(frame.bytes) : null;
        if (parsed?.ok !== true) {
          return [];
        }
        const { message } = parsed;
        const read = readOru(message, { timeZone: 'Europe/Berlin', receivedAt: Date.UTC(2026, 4, 1) });
        const alarms = readAlarms(message, read);
        return read.map((result, index) => ({ ...result, alarms: alarms[index] ?? [] }));
      });
  });
  const plainObx = (): string[][] => lines.filter(([name]) => name === 'OBX');

  it('is one patient a frame, all of them training, half of them without a number', () => {
    const pids = lines.filter(([name]) => name === 'PID');
    expect(results).toHaveLength(pids.length);
    expect(results.every(({ isTraining, patient }) => isTraining && patient.isReadable)).toBe(true);
    expect(results.map(({ patient }) => patient.identifiers[0]?.id ?? '""')).toEqual(
      pids.map((fields) => fields[3]?.split('^')[0]),
    );
    expect(results.map(({ bed }) => bed)).toEqual(lines.filter(([name]) => name === 'PV1').map((fields) => fields[3]));
  });

  it('has every OBX line once, in order, with its code, value, status and the time of OBR or its own', () => {
    const read = results.flatMap(({ observations }) => observations);
    const plain = plainObx();
    expect(read).toHaveLength(plain.length);
    expect(read.map(({ code, value, status }) => [code.id, String(value ?? ''), status])).toEqual(
      plain.map((fields) => {
        const text = fields[5]?.trim() ?? '';
        return [fields[3]?.split('^')[0], fields[2] === 'NM' ? String(Number(text)) : text, fields[11]];
      }),
    );
    expect(read.filter(({ takenAt }) => takenAt.at === null)).toEqual([]);
    expect(read.filter(({ takenAt }) => takenAt.field === 'OBX-14')).toHaveLength(
      plain.filter((fields) => (fields[14] ?? '') !== '').length,
    );
  });

  it('gives every text of an alarm and of an INOP once, and no other line', () => {
    const texts = plainObx().filter((fields) => fields[3]?.endsWith('^MDIL-ALERT'));
    const squeezed = (text = ''): string => text.replaceAll(/\s+/g, ' ').trim();
    const alarms = results.flatMap((result) => result.alarms);
    expect(alarms.map(({ code, text }) => [code, text])).toEqual(
      texts.map((fields) => [fields[3]?.split('^')[1], squeezed(fields[5])]),
    );
    expect(alarms.filter(({ isTechnical }) => isTechnical)).toHaveLength(
      texts.filter((fields) => /Inop\^/.test(fields[3] ?? '')).length,
    );
  });

  it('has 43 INOPs of a probe without a signal, and 48 that are messages of the device', () => {
    const said = results.flatMap(({ observations }) =>
      observations.flatMap((observation) => {
        const means = inopOf(observation)?.means ?? 'message';
        return /Inop$/.test(observation.code.text)
          ? [`${means} ${String(observation.value).replaceAll(/\s+/g, ' ')}`]
          : [];
      }),
    );
    expect(countBy(said)).toEqual({
      'noSignal SpO2T No Pulse': 32,
      'noSignal SpO2 No Pulse': 2,
      'noSignal SpO2 Searching': 9,
      'message PAP No Pulse': 31,
      'message Cannot Analyze QT': 10,
      'message No Data Monitor': 4,
      'message PAP Change Scale': 3,
    });
  });

  it('gives as many values of each kind as it has lines of that name, and the rest is counted by code', () => {
    const outcomes = results.flatMap(({ observations }) =>
      observations.map((observation) => ({ name: observation.code.text, read: readValue(observation) })),
    );
    const plainNames = plainObx().map((fields) => fields[3]?.split('^')[1] ?? '');
    const isKnown = (name: string): boolean => name in capturedKinds;
    const values = outcomes.flatMap(({ name, read }) => (read.outcome === 'value' ? [`${name} ${read.kind}`] : []));
    const expected = plainNames
      .filter(isKnown)
      .map((name) => `${name} ${new Map(Object.entries(capturedKinds)).get(name)}`);
    expect(countBy(values)).toEqual(countBy(expected));
    const unmapped = outcomes.flatMap(({ name, read }) => (read.outcome === 'unmapped' ? [name] : []));
    expect(countBy(unmapped)).toEqual(countBy(plainNames.filter((name) => !isKnown(name))));
    expect(values.length + unmapped.length).toBe(plainNames.length);
  });
});
