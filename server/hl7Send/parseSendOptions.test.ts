import { parseSendOptions } from './parseSendOptions';

const parse = (...words: string[]) => parseSendOptions(words, 'Europe/Berlin');

describe('parseSendOptions', () => {
  it.each([
    [[], 'Name one file to send'],
    [['a.hl7', 'b.hl7'], 'Name one file to send'],
    [['a.hl7', '--to', 'ward'], '--to ward: expected host:port'],
    [['a.hl7', '--to', 'ward:0'], '--to ward:0: expected host:port'],
    [['a.hl7', '--speed', '0'], '--speed 0: expected a number above 0'],
    [['a.hl7', '--speed', 'fast'], '--speed fast: expected a number above 0'],
    [['a.hl7', '--zone', 'Mars'], '--zone Mars: expected the name of a time zone'],
    [['a.hl7', '--split', '0'], '--split 0: expected a whole number above 0'],
    [['a.hl7', '--repeat', 'x'], '--repeat x: expected a whole number above 0'],
    [['a.hl7', '--break', '1.5'], '--break 1.5: expected a whole number above 0'],
    [['a.hl7', '--tls-cert', 'c'], 'Give --tls-cert and --tls-key together'],
    [['a.hl7', '--tls-cert', 'c', '--tls-key', 'k'], 'and with --tls-ca'],
    [['a.hl7', '--what'], '--what'],
  ])('refuses %j: %s', (words, message) => {
    expect(() => parse(...words)).toThrow(message);
  });

  it('takes a file alone', () => {
    expect(parse('a.hl7')).toEqual({
      path: 'a.hl7',
      host: '127.0.0.1',
      port: 2_575,
      tls: null,
      speed: 1,
      isShifted: false,
      timeZone: 'Europe/Berlin',
      splitBytes: null,
      repeats: 0,
      breakEvery: null,
      isCheck: false,
    });
  });

  it('takes every option', () => {
    const words = '--to [::1]:9 --tls-ca a --tls-cert c --tls-key k --speed max --now --zone UTC --split 3 --repeat 2';
    expect(parse('a.hl7', ...words.split(' '), '--break', '4', '--check')).toEqual({
      path: 'a.hl7',
      host: '::1',
      port: 9,
      tls: { ca: 'a', cert: 'c', key: 'k' },
      speed: Infinity,
      isShifted: true,
      timeZone: 'UTC',
      splitBytes: 3,
      repeats: 2,
      breakEvery: 4,
      isCheck: true,
    });
  });
});
