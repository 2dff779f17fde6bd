import { initialsOf } from './initialsOf';

it.each([
  ['', '?'],
  ['   ', '?'],
  ['Noor', 'N'],
  ['Noor Demo', 'ND'],
  ['noor  van der Demo ', 'ND'],
  ['Øyvind Åberg', 'ØÅ'],
  ['𝒩oor 𝒟emo', '𝒩𝒟'],
])('the initials of "%s" are "%s"', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
