import fc from 'fast-check';
import { plainText, toPlainText } from './plainText';

describe('a text on several lines', () => {
  it.each(['a\0b', 'a\u001Bb', 'half \uD83D', '\uDE00 half'])('is refused with what no store keeps: %j', (text) => {
    expect(plainText.test(text)).toBe(false);
  });

  it.each(['', 'one\ntwo\r\n\tthree', 'SpO₂ 97 % 😀'])('is kept as it is: %j', (text) => {
    expect([plainText.test(text), toPlainText(text)]).toEqual([true, text]);
  });

  it('is one after what no store keeps has left it, and has lost nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = toPlainText(text);
        expect(plainText.test(plain)).toBe(true);
        expect(toPlainText(plain)).toBe(plain);
        expect([...plain]).toEqual([...text].filter((unit) => plainText.test(unit)));
      }),
    );
  });
});
