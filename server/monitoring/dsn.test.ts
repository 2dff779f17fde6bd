import { envelopeUrl, parseDsn, sameDsn } from './dsn';

describe('parseDsn', () => {
  it.each([
    '',
    'https://reports.example/7',
    'https://key:secret@reports.example/7',
    'https://key@reports.example',
    'https://key@reports.example/',
    'https://key@reports.example/seven',
    'https://key@reports.example./7',
    'https://key@reports.example\\@evil.example/7',
    'https://key@reports.example@evil.example/7',
    'https://key@reports.example/7?x=1',
    'https://key@reports.example/7#x',
    'https://key@reports.example/../7',
    'https://key@reports.exаmple/7',
    'https://key@reports.example//7',
    ' https://key@reports.example/7',
    'ftp://key@reports.example/7',
    'javascript:alert(1)',
    'https://key@reports.example/7\n',
    'https://key@[::1/7',
  ])('refuses %j', (text) => {
    expect(parseDsn(text)).toBeNull();
  });

  it.each([
    ['https://abc@reports.example/7', 'https://reports.example/api/7/envelope/?sentry_version=7&sentry_key=abc'],
    ['http://abc@127.0.0.1:9000/7', 'http://127.0.0.1:9000/api/7/envelope/?sentry_version=7&sentry_key=abc'],
    [
      'https://abc@reports.example/sentry/eu/7',
      'https://reports.example/sentry/eu/api/7/envelope/?sentry_version=7&sentry_key=abc',
    ],
  ])('reads %s, whose envelopes go to %s', (text, url) => {
    const dsn = parseDsn(text);
    expect(dsn === null ? null : envelopeUrl(dsn)).toBe(url);
  });
});

describe('sameDsn', () => {
  const ours = 'https://abc@reports.example/sentry/7';

  it.each([
    'http://abc@reports.example/sentry/7',
    'https://abd@reports.example/sentry/7',
    'https://abc@reports.example.evil.example/sentry/7',
    'https://abc@evil-reports.example/sentry/7',
    'https://abc@reports.example:444/sentry/7',
    'https://abc@reports.example/7',
    'https://abc@reports.example/sentry/77',
  ])('does not take %s for ours', (other) => {
    const [a, b] = [parseDsn(ours), parseDsn(other)];
    expect(a !== null && b !== null && sameDsn(a, b)).toBe(false);
  });

  it.each([ours, 'https://abc@reports.example:443/sentry/7', 'https://abc@REPORTS.example/sentry/7'])(
    'takes %s for ours',
    (other) => {
      const [a, b] = [parseDsn(ours), parseDsn(other)];
      expect(a !== null && b !== null && sameDsn(a, b)).toBe(true);
    },
  );
});
