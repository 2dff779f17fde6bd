import { parseReplayOptions } from './parseReplayOptions';
import { UsageError } from './UsageError';

const now = Date.UTC(2026, 4, 1, 10, 0, 0);
const environment = { WARDLIGHT_DEVICE_TOKEN: 'from-environment' };

function parse(
  line: string,
  given: Record<string, string | undefined> = environment,
): ReturnType<typeof parseReplayOptions> {
  return parseReplayOptions(
    line.split(' ').filter((word) => word !== ''),
    given,
    now,
  );
}

describe('parseReplayOptions', () => {
  it.each([
    ['', 'at least one recording'],
    ['a.csv', '1 recordings and 0 MRNs'],
    ['a.csv b.csv --mrn A-1', '2 recordings and 1 MRNs'],
    ['a.csv --mrn A-1 --mrn B-2', '1 recordings and 2 MRNs'],
    ['a.csv --mrn A-1 --mrn-from-file', 'either --mrn or --mrn-from-file'],
    ['a.csv b.csv --mrn A-1 --mrn A-1', 'MRN "A-1" at once'],
    ['x/a.csv y/a.psv --mrn-from-file', 'MRN "a" at once'],
    ['a.csv --mrn A-1 --sped 60', "Unknown option '--sped'"],
    ['a.csv --mrn A-1 --speed 0', '--speed 0'],
    ['a.csv --mrn A-1 --speed=-1', '--speed -1'],
    ['a.csv --mrn A-1 --speed fast', '--speed fast'],
    ['a.csv --mrn A-1 --speed Infinity', '--speed Infinity'],
    ['a.csv --mrn A-1 --speed max --start now', '--speed max'],
    ['a.csv --mrn A-1 --speed max --loop', 'A loop has no end'],
    ['a.csv --mrn A-1 --end now --loop', 'A loop has no end'],
    ['a.csv --mrn A-1 --end now --start now', 'either --start or --end'],
    ['a.csv --mrn A-1 --start today', '--start today'],
    ['a.csv --mrn A-1 --start 2026-02-30T10:00:00Z', '--start 2026-02-30'],
    ['a.csv --mrn A-1 --end now-6', '--end now-6'],
    ['a.csv --mrn A-1 --from 6', '--from 6'],
    ['a.csv --mrn A-1 --for long', '--for long'],
    ['a.csv --mrn A-1 --format xml', '--format xml: expected one of bidmc, minutes, challenge2019, chartevents'],
    ['a.csv --mrn A-1 --pressure arm', '--pressure arm: expected one of cuff, invasive'],
    ['a.csv --mrn A-1 --url ftp://ward.example', '--url ftp://ward.example'],
    ['a.csv --mrn A-1 --url ward', '--url ward'],
    ['a.csv --mrn A-1 --url http://user:word@ward.example', '--url'],
  ])('refuses "%s" and says what is wrong: %s', (line, message) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(message);
  });

  it('refuses to play without a token, and never repeats one that is damaged', () => {
    expect(() => parse('a.csv --mrn A-1', {})).toThrow('No device token');
    expect(() => parse('a.csv --mrn A-1', { WARDLIGHT_DEVICE_TOKEN: '' })).toThrow('No device token');
    expect(() => parse('a.csv --mrn A-1', { WARDLIGHT_DEVICE_TOKEN: 'secret\nsecret' })).toThrow(
      new UsageError('The device token holds a character that no token has'),
    );
  });

  it('plays live at recorded speed by default', () => {
    expect(parse('a.csv --mrn A-1')).toEqual({
      files: [{ path: 'a.csv', mrn: 'A-1' }],
      target: { url: new URL('http://127.0.0.1:3000'), token: 'from-environment' },
      format: undefined,
      pressure: undefined,
      anchor: { at: 'start', wallMs: now },
      speed: 1,
      loop: false,
      window: { fromMs: 0, forMs: Infinity },
    });
  });

  it.each([
    ['--speed 60', { speed: 60, anchor: { at: 'start', wallMs: now } }],
    ['--speed max', { speed: 1, anchor: { at: 'end', wallMs: now } }],
    ['--speed max --end now-1h', { speed: 1, anchor: { at: 'end', wallMs: now - 3_600_000 } }],
    ['--end now', { speed: 1, anchor: { at: 'end', wallMs: now } }],
    ['--start now-6m', { anchor: { at: 'start', wallMs: now - 360_000 } }],
    ['--start 2026-05-01T11:00:00+02:00 --loop', { loop: true, anchor: { at: 'start', wallMs: now - 3_600_000 } }],
    ['--from 2h --for 8m', { window: { fromMs: 7_200_000, forMs: 480_000 } }],
    ['--pressure invasive --format minutes', { pressure: 'invasive', format: 'minutes' }],
    [
      '--url https://ward.example --token from-line',
      { target: { url: new URL('https://ward.example'), token: 'from-line' } },
    ],
  ])('understands %s', (words, expected) => {
    expect(parse(`a.csv --mrn A-1 ${words}`)).toMatchObject(expected);
  });

  it('takes each patient’s number from the line or from the file’s name', () => {
    expect(parse('x/a.csv b.psv --mrn A-1 --mrn B-2')).toMatchObject({
      files: [
        { path: 'x/a.csv', mrn: 'A-1' },
        { path: 'b.psv', mrn: 'B-2' },
      ],
    });
    expect(parse('x/bed_7.csv b.psv --mrn-from-file')).toMatchObject({ files: [{ mrn: 'bed_7' }, { mrn: 'b' }] });
  });

  it('needs neither token nor patient to look at files', () => {
    expect(parse('x/bed_7.csv --check', {})).toMatchObject({
      target: null,
      files: [{ path: 'x/bed_7.csv', mrn: 'bed_7' }],
    });
    expect(parse('--help', {})).toBe('help');
  });
});
