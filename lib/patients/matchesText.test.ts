import fc from 'fast-check';
import { fold, matchesText } from './matchesText';

describe('matchesText', () => {
  it.each([
    ['Sample Sam MRN7', 'ample', 'the middle of a word'],
    ['Sample Sam MRN7', 'sam x', 'a word that is nowhere'],
    ['Sample Sam MRN7', 'samsample', 'two words without a blank'],
    ['Sample Sam MRN7', '7', 'the end of an MRN'],
    ['Sample Sam MRN7', '.*', 'a pattern'],
    ['Sample Sam MRN7', '%', 'a wildcard of SQL'],
  ])('does not find "%s" by "%s": %s', (searched, text) => {
    expect(matchesText(searched, text)).toBe(false);
  });

  it.each([
    ['Sample Sam MRN7', '', 'nothing'],
    ['Sample Sam MRN7', '   ', 'blanks'],
    ['Sample Sam MRN7', 'sam', 'the beginning of either name'],
    ['Sample Sam MRN7', 'SAM SAMP', 'the beginnings in any order and case'],
    ['Sample Sam MRN7', 'mrn7', 'the MRN'],
    ['Sample Sam MRN7', 'Sample, Sam', 'the way lists write a name'],
    ['Núñez Zoë MRN8', 'nunez zoe', 'letters without their accents'],
    ['Nunez Zoe MRN8', 'NÚÑEZ', 'letters with accents that the name lacks'],
    ['Nu\u0301n\u0303ez', 'n\u00fa\u00f1', 'either form of Unicode'],
    ["O'Sample Sam", 'sample', 'the part after an apostrophe'],
    ['O’Sample Sam', "o'sam", 'another apostrophe'],
    ['Sample-Example Sam', 'example', 'the second half of a double name'],
    ['Иванова Анна', 'ива', 'other scripts'],
  ])('finds "%s" by "%s": %s', (searched, text) => {
    expect(matchesText(searched, text)).toBe(true);
  });

  it('finds a name by the beginning of each of its words', () => {
    const word = fc.stringMatching(/^[a-zA-Zà-ÿ0-9]{1,12}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 12 }), (words, length) => {
        const beginnings = words.map((part) => part.slice(0, length)).reverse();
        expect(matchesText(words.join(' '), beginnings.join(' '))).toBe(true);
      }),
    );
  });
});

describe('fold', () => {
  it('is the same for a text and its folded form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
    );
  });
});
