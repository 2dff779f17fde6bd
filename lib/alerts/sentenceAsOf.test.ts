import { sentenceAsOf } from './sentenceAsOf';

describe('the sentence of an alert during an outage', () => {
  it('never says now', () => {
    expect(sentenceAsOf('SpO2 91 % now, for 4 min, no value now', '10:42')).toBe(
      'SpO2 91 % at 10:42, for 4 min, no value at 10:42',
    );
  });

  it.each(['Readings by Nowak, known only since 10:40', 'Rechecked nowhere', 'Now 91 %'])(
    'leaves "%s" alone',
    (text) => {
      expect(sentenceAsOf(text, '10:42')).toBe(text);
    },
  );

  it('is as it came while the server responds', () => {
    expect(sentenceAsOf('SpO2 91 % now', null)).toBe('SpO2 91 % now');
  });
});
