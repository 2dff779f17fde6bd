import fc from 'fast-check';
import { safeMessage, withheld } from './safeMessage';

describe('safeMessage', () => {
  it.each([
    ['Ines Moreau has no signal', withheld],
    ['', withheld],
    ["Cannot read properties of undefined (reading 'Moreau')", 'Cannot read properties of undefined'],
    ['patients.Moreau is not a function', 'Something is not a function'],
    ['Minified React error #418; visit https://react.dev/errors/418?args[]=Moreau', 'Minified React error #418'],
    ['Request failed with status code 503', 'Request failed with status code 503'],
    ['Request failed with status code 503 for Moreau', withheld],
    ['Failed to fetch (ward.example)', 'Failed to fetch'],
    ['Invalid Step! Moreau', 'Invalid Step!'],
    ['useChat must be used within a ChatProvider', 'useChat must be used within a ChatProvider'],
  ])('reduces %j to %j', (message, said) => {
    expect(safeMessage(message)).toBe(said);
  });

  it('never repeats a marker that was in the message', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(safeMessage(`${before}Moreau-4711${after}`)).not.toContain('4711');
      }),
    );
  });
});
